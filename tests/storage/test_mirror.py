"""A folder of a bucket becomes a folder of this machine: whole, current, and read-only."""

from __future__ import annotations

import errno
import os
import socket
import uuid

import pytest

from curation.errors import ContentError, FileChangedError, NoAnswerError, StorageError
from curation.file_lock import FileLock
from curation.paths import find_origin, personal_folder, writable
from curation.progress import ignore_progress
from curation.storage import cache_space, downloads, mirror, picture_files, storage_health
from curation.storage.mirror import Mirror, open_mirror, open_object
from curation.storage.remote_address import parse_address


@pytest.fixture
def bucket(storage):
    """A bucket with a table of 3,000 bytes and two pictures, which are no pictures."""
    name = f"b{uuid.uuid4().hex[:12]}"
    storage.make_bucket(name)
    storage.put(name, "set/labels.csv", b"abc" * 1000)
    storage.put(name, "set/images/1.png", b"one")
    storage.put(name, "set/images/2.png", b"two")
    return name


def choose_tables(names):
    return [name for name in names if name.endswith(".csv")]


def open_set(bucket, progress=ignore_progress) -> Mirror:
    return open_mirror(parse_address(f"s3://{bucket}/set"), choose_tables, progress)


def test_tables_are_fetched_and_pictures_are_only_listed(storage, bucket):
    opened = open_set(bucket)
    assert (opened.copy.files / "labels.csv").read_bytes() == b"abc" * 1000
    assert (opened.copy.files / "images/1.png").stat().st_size == 0
    assert storage.fetched() == [f"/{bucket}/set/labels.csv"]


def test_a_picture_is_fetched_once_when_it_is_looked_at(storage, bucket):
    opened = open_set(bucket)
    storage.asked.clear()
    for _ in range(3):
        with opened.open_picture("images/1.png") as file:
            assert file.read() == b"one"
    assert storage.fetched() == [f"/{bucket}/set/images/1.png"]


def test_what_did_not_change_is_not_fetched_again(storage, bucket):
    open_set(bucket)
    storage.asked.clear()
    open_set(bucket)
    assert storage.fetched() == []


def test_what_changed_meanwhile_is_fetched_and_what_is_gone_goes(storage, bucket):
    open_set(bucket)
    storage.put(bucket, "set/labels.csv", b"new")
    storage.put(bucket, "set/images/3.png", b"three")
    storage.delete(bucket, "set/images/1.png")
    opened = open_set(bucket)
    assert (opened.copy.files / "labels.csv").read_bytes() == b"new"
    assert sorted(os.listdir(opened.copy.files / "images")) == ["2.png", "3.png"]


def test_the_copy_is_read_only_and_knows_its_address(storage, bucket, monkeypatch, tmp_path):
    files = open_set(bucket).copy.files
    assert not writable(files) and not writable(files / "images")
    assert find_origin(files) == f"s3://{bucket}/set"
    assert find_origin(files / "images") == f"s3://{bucket}/set/images"
    before = personal_folder(files)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another cache"))
    assert personal_folder(open_set(bucket).copy.files) == before


def test_names_that_cannot_be_files_are_left_out(storage, bucket):
    for key in ("set/../escape.csv", "set/.hidden/a.csv", "set/a\\b.csv", "set/images"):
        storage.put(bucket, key, b"x")
    opened = open_set(bucket)
    assert sorted(opened.objects) == ["images/1.png", "images/2.png", "labels.csv"]


def test_progress_says_what_is_fetched_and_may_stop_it(storage, bucket):
    stages = []
    open_set(bucket, lambda stage, share: stages.append((stage, share)))
    assert stages[0] == (f"Listing s3://{bucket}/set", 0.0)
    assert stages[-1][0] == "Fetching labels.csv (0 bytes of 2.9 kB)"

    def stop(stage, share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_set(bucket, stop)
    open_set(bucket)  # nothing is left locked


# ---- what goes wrong


@pytest.mark.fault(64, "BLOCK", says="is empty: there are no objects in it. Put labels")
def test_an_empty_bucket_is_said_to_be_empty(storage):
    storage.make_bucket("nothing-here")
    with pytest.raises(StorageError, match="s3://nothing-here is empty"):
        open_mirror(parse_address("s3://nothing-here"), choose_tables, ignore_progress)


@pytest.mark.fault(64, "BLOCK", says="There is nothing at s3://no-such-bucket/set. Check the")
def test_a_bucket_that_does_not_exist_is_named(storage):
    with pytest.raises(StorageError, match="There is nothing at s3://no-such-bucket/set"):
        open_set("no-such-bucket")


@pytest.mark.fault(64, "BLOCK", says="Amazon S3 does not let you read s3://… Check the credentials")
def test_a_bucket_that_denies_access_asks_for_credentials_and_shows_none(storage, bucket):
    storage.denies = bucket
    with pytest.raises(StorageError) as caught:
        open_set(bucket)
    assert "does not let you read" in str(caught.value)
    assert "tests-" not in str(caught.value) and caught.value.__cause__ is None


@pytest.mark.fault(64, "BLOCK", says="does not answer for s3://… Check the network")
def test_a_redirect_to_another_host_is_not_followed(storage, bucket):
    with socket.create_server(("127.0.0.2", 0)) as other:
        other.settimeout(0)
        storage.elsewhere = f"http://127.0.0.2:{other.getsockname()[1]}"
        with pytest.raises(StorageError, match="does not answer"):
            open_set(bucket)
        with pytest.raises(BlockingIOError):  # nobody has connected
            other.accept()


def test_a_download_that_is_cut_goes_on_where_it_stopped(storage, bucket, monkeypatch):
    monkeypatch.setattr(downloads, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(downloads, "TRIES", 1)
    path = f"/{bucket}/set/labels.csv"
    wanted = []
    read = downloads._read_block

    def note(store, address, start, end):
        wanted.append(start)
        storage.cut[path] = (10, 99) if start == 2000 and len(wanted) < 4 else (0, 0)
        return read(store, address, start, end)

    monkeypatch.setattr(downloads, "_read_block", note)
    with pytest.raises(NoAnswerError):
        open_set(bucket)
    assert wanted == [0, 1000, 2000]
    assert (open_set(bucket).copy.files / "labels.csv").read_bytes() == b"abc" * 1000
    assert wanted == [0, 1000, 2000, 2000]


def test_a_block_that_is_cut_is_tried_again(storage, bucket, monkeypatch):
    monkeypatch.setattr(downloads, "PAUSE_SECONDS", 0.0)
    storage.cut[f"/{bucket}/set/labels.csv"] = (10, 1)
    assert (open_set(bucket).copy.files / "labels.csv").read_bytes() == b"abc" * 1000


@pytest.mark.fault(64, "BLOCK", says="was changed or deleted while it was fetched. Wait until it")
def test_an_object_that_changes_while_it_is_fetched_is_refused(storage, bucket, monkeypatch):
    def report(stage, share):
        if stage.startswith("Fetching"):
            storage.put(bucket, "set/labels.csv", b"xyz" * 1000)

    with pytest.raises(StorageError, match="was changed or deleted while it was fetched"):
        open_set(bucket, report)
    copy = mirror.MirrorFiles(parse_address(f"s3://{bucket}/set"))
    assert (copy.files / "labels.csv").read_bytes() == b""  # listed, and nothing half-written


@pytest.mark.fault(64, "BLOCK", says="cannot be fetched: the disk of … is full (… needed, … free)")
def test_a_full_disk_leaves_nothing_half_written(storage, bucket, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError, match="is full .2.9 kB needed"):
        open_set(bucket)
    copy = mirror.MirrorFiles(parse_address(f"s3://{bucket}/set"))
    assert (copy.files / "labels.csv").read_bytes() == b"" and not os.listdir(copy.folder / "parts")


def test_a_disk_without_room_is_noticed_before_anything_is_fetched(storage, bucket, monkeypatch):
    monkeypatch.setattr(cache_space, "_free", lambda: 1000)
    with pytest.raises(StorageError, match="is full"):
        open_set(bucket)
    assert storage.fetched() == []


def test_more_than_the_cache_may_hold_is_refused_with_the_setting(storage, bucket, monkeypatch):
    monkeypatch.setenv("CURATION_CACHE_GB", "0.000001")
    with pytest.raises(StorageError, match="the cache may hold 1.0 kB") as caught:
        open_set(bucket)
    assert "CURATION_CACHE_GB" in caught.value.remedy


def test_room_is_made_by_deleting_datasets_that_nobody_has_open(storage, bucket, monkeypatch):
    kept, gone = open_set(bucket), {}
    for name in ("old", "new"):
        storage.put(bucket, f"{name}/labels.csv", b"x" * 3000)
        address = parse_address(f"s3://{bucket}/{name}")
        gone[name] = open_mirror(address, choose_tables, ignore_progress).copy.folder
    os.utime(gone["old"] / cache_space.IN_USE, (1, 1))
    monkeypatch.setenv("CURATION_CACHE_GB", str(10_000 / 2**30))
    storage.put(bucket, "more/labels.csv", b"x" * 3000)
    open_mirror(parse_address(f"s3://{bucket}/more"), choose_tables, ignore_progress)
    assert not gone["old"].exists() and gone["new"].exists()
    assert (kept.copy.files / "labels.csv").stat().st_size == 3000


def test_a_dataset_that_somebody_is_about_to_open_is_not_deleted(storage, bucket):
    copy = open_set(bucket).copy  # and closed again at once
    with copy.changing():
        assert not cache_space.delete_unused(copy.folder)
    assert cache_space.delete_unused(copy.folder)


def test_a_copy_that_is_deleted_before_it_is_locked_is_made_again(storage, bucket, monkeypatch):
    copy, acquire = mirror.MirrorFiles(parse_address(f"s3://{bucket}/set")), FileLock.acquire

    def delete_first(lock, **options):
        monkeypatch.setattr(FileLock, "acquire", acquire)
        cache_space.delete_unused(copy.folder)
        return acquire(lock, **options)

    monkeypatch.setattr(FileLock, "acquire", delete_first)
    assert (open_set(bucket).copy.files / "labels.csv").stat().st_size == 3000


def test_what_is_gone_from_storage_takes_no_room(storage, bucket, monkeypatch):
    monkeypatch.setenv("CURATION_CACHE_GB", str(4_000 / 2**30))
    open_set(bucket)
    storage.delete(bucket, "set/labels.csv")
    storage.put(bucket, "set/labels-2.csv", b"x" * 3000)  # as a job does that dates its files
    assert (open_set(bucket).copy.files / "labels-2.csv").stat().st_size == 3000
    assert cache_space.measure_mirrors() == 3000


def test_a_cut_download_of_a_version_that_is_gone_is_deleted(storage, bucket, monkeypatch):
    monkeypatch.setattr(downloads, "TRIES", 1)
    storage.cut[f"/{bucket}/set/labels.csv"] = (10, 99)
    with pytest.raises(NoAnswerError):
        open_set(bucket)
    parts = mirror.MirrorFiles(parse_address(f"s3://{bucket}/set")).folder / "parts"
    assert len(os.listdir(parts)) == 1
    storage.put(bucket, "set/labels.csv", b"new")
    open_set(bucket)
    assert os.listdir(parts) == []


def test_a_limit_that_is_no_number_is_said_when_the_dataset_is_opened(storage, bucket, monkeypatch):
    open_set(bucket)
    monkeypatch.setenv("CURATION_CACHE_GB", "lots")
    with pytest.raises(StorageError, match="CURATION_CACHE_GB is 'lots'"):  # and not at a picture
        open_set(bucket)


def test_an_object_that_vanishes_is_said_to_be_deleted(storage, bucket):
    opened = open_set(bucket)
    storage.delete(bucket, "set/images/1.png")
    with pytest.raises(ContentError, match="There is nothing at|deleted from storage"):
        opened.open_picture("images/1.png")


def test_a_picture_that_is_replaced_is_not_shown_as_the_old_one(storage, bucket):
    opened = open_set(bucket)
    storage.put(bucket, "set/images/1.png", b"eno")
    with pytest.raises(ContentError, match="changed after the dataset was loaded"):
        opened.open_picture("images/1.png")


@pytest.mark.fault(64, "SKIP", says="images/1.png: waiting for storage. It does not answer, and is")
def test_a_storage_that_stops_answering_takes_no_more_than_one_wait(storage, bucket, monkeypatch):
    monkeypatch.setattr(mirror, "PICTURE_SECONDS", 0.3)
    monkeypatch.setattr(storage_health, "FIRST_PAUSE", 600.0)
    opened = open_set(bucket)
    storage.silent = True
    storage.asked.clear()
    for _ in range(20):
        with pytest.raises(ContentError, match="waiting for storage"):
            opened.open_picture("images/1.png")
    assert len(storage.asked) == 1
    opened._health._silent_until = 0.0  # the pause is over
    storage.silent = False
    assert opened.open_picture("images/1.png").read() == b"one"


def test_a_table_that_changes_in_storage_is_noticed_without_waiting(storage, bucket, monkeypatch):
    opened = open_set(bucket)
    opened.check_unchanged()
    monkeypatch.setattr(mirror, "CHECK_SECONDS", 0.0)
    opened._check_now()
    opened.check_unchanged()
    storage.put(bucket, "set/labels.csv", b"new")
    opened._check_now()
    with pytest.raises(FileChangedError, match="labels.csv was changed or deleted in storage"):
        opened.check_unchanged()


@pytest.mark.parametrize(("how", "value"), [("silent", True), ("denies", "set")])
def test_a_storage_that_does_not_answer_says_nothing_about_changes(
    storage, bucket, monkeypatch, how, value
):
    monkeypatch.setattr(mirror, "PICTURE_SECONDS", 0.3)
    opened = open_set(bucket)
    storage.put(bucket, "set/labels.csv", b"new")
    setattr(storage, how, value)
    opened._check_now()
    opened.check_unchanged()
    storage.heal()
    opened._health._silent_until = 0.0  # the pause is over
    opened._check_now()
    with pytest.raises(FileChangedError):
        opened.check_unchanged()


def test_a_single_object_is_fetched_alone(storage, bucket):
    opened = open_object(parse_address(f"s3://{bucket}/set/labels.csv"), ignore_progress)
    assert os.listdir(opened.copy.files) == ["labels.csv"]
    with pytest.raises(StorageError, match="There is no object s3://.*/set/none.csv"):
        open_object(parse_address(f"s3://{bucket}/set/none.csv"), ignore_progress)


# ---- pictures on this machine


def test_the_least_recently_shown_pictures_go_first(storage, bucket):
    opened = open_set(bucket)
    for name in ("images/1.png", "images/2.png"):
        opened.open_picture(name)
    places = [
        picture_files._place(f"s3://{bucket}/set/{name}", opened.objects[name].version)
        for name in ("images/1.png", "images/2.png")
    ]
    os.utime(places[1], (1, 1))
    picture_files.trim(5)
    assert [place.exists() for place in places] == [True, False]


def test_a_picture_that_was_kept_in_part_is_fetched_again(storage, bucket):
    opened = open_set(bucket)
    opened.open_picture("images/1.png").close()
    version = opened.objects["images/1.png"].version
    place = picture_files._place(f"s3://{bucket}/set/images/1.png", version)
    place.write_bytes(b"o")  # as after a power failure
    with opened.open_picture("images/1.png") as file:
        assert file.read() == b"one"


def test_a_picture_that_cannot_be_kept_is_shown_all_the_same(storage, bucket):
    opened = open_set(bucket)
    cache_space.pictures_folder().parent.mkdir(parents=True, exist_ok=True)
    cache_space.pictures_folder().write_text("a file where the folder should be")
    assert opened.open_picture("images/1.png").read() == b"one"
