"""Datasets in object storage are loaded as usual, and nothing that nobody named is read."""

from __future__ import annotations

import csv
import io
import shutil
import uuid

import numpy as np
import pytest

import curation
from curation.cli import main
from curation.errors import BlockedError, ContentError, StorageError
from curation.loading.content.feature_file import find_feature_file
from curation.loading.content.remote_pictures import RemotePictures
from curation.store import open_store
from curation.store.location import default_path
from tests import small_set
from tests.object_storage import SECRET


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    folder = tmp_path_factory.mktemp("local") / "set"
    return small_set.write_images(folder, 30, 6, size=8, rng=np.random.default_rng(1))


@pytest.fixture
def bucket():
    return f"b{uuid.uuid4().hex[:12]}"


@pytest.fixture
def address(storage, local, bucket):
    found = storage.put_folder(local, bucket, "team/set")
    storage.asked.clear()
    return found


def rename_pictures(folder, prefix):
    """Write addresses in place of file names into the table of a dataset."""
    with (folder / "labels.csv").open() as file:
        rows = list(csv.reader(file))
    for row in rows[1:]:
        row[2] = f"{prefix}/{row[2]}"
    with (folder / "labels.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)


def test_a_dataset_is_the_same_in_storage_and_on_disk(storage, local, address):
    remote, near = curation.load(address), curation.load(local)
    assert remote.ids.tolist() == near.ids.tolist()
    assert remote.labels.tolist() == near.labels.tolist()
    assert np.array_equal(np.asarray(remote.pred_probs), np.asarray(near.pred_probs))
    assert remote.name == near.name and remote.settings == near.settings
    assert remote.report.diagnoses == near.report.diagnoses
    ours, theirs = set(remote.report.passed), set(near.report.passed)
    assert ours - theirs == {
        "no two examples show the same "
        "(compared: pictures, by the size and version that the storage lists)"
    }  # and not byte for byte, which would fetch all of them
    for row in (0, 7):
        ours, theirs = remote.content.image(row).image, near.content.image(row).image
        assert ours.tobytes() == theirs.tobytes()
    assert remote.content.size(0) == near.content.size(0)  # and not that of the empty copy
    differing = [p for p, h in remote.fingerprint_parts.items() if h != near.fingerprint_parts[p]]
    assert differing == ["content"]  # by the versions that the storage lists


def test_loading_hashing_and_deciding_fetch_no_picture(storage, address):
    dataset = curation.load(address)
    assert isinstance(dataset.content, RemotePictures) and dataset.fingerprint
    with open_store(dataset) as store:
        store.decide(dataset.ids[0], "exclude", curator="ana")
    assert not [each for each in storage.fetched() if each.endswith(".png")]


def test_the_fingerprint_does_not_depend_on_the_cache_and_changes_with_a_picture(
    storage, address, bucket, monkeypatch, tmp_path
):
    first = curation.load(address)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another cache"))
    again = curation.load(f"{address}/")
    assert again.fingerprint == first.fingerprint and again.root != first.root
    storage.put(bucket, "team/set/images/00003.png", b"another picture")
    changed = curation.load(address)
    assert changed.fingerprint != first.fingerprint
    assert [r for r in range(30) if changed.content.digest(r) != first.content.digest(r)] == [3]


def test_decisions_are_kept_in_the_users_folder_wherever_the_cache_is(
    storage, address, tmp_path, monkeypatch
):
    with open_store(curation.load(address)) as store:
        store.decide("p00001", "exclude", curator="ana")
        assert str(tmp_path / "data home") in store.backend.where
    shutil.rmtree(tmp_path / "cache home", ignore_errors=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another cache"))
    with open_store(curation.load(address)) as store:
        assert [entry.example_id for entry in store.log()] == ["p00001"]


def test_a_table_is_opened_directly_with_what_is_next_to_it(storage, address):
    dataset = curation.load(f"{address}/labels.csv")
    assert len(dataset) == 30 and dataset.name == "labels"
    assert default_path(dataset.root) == default_path(curation.load(address).root)


def test_an_export_goes_to_this_machine_only(storage, address, tmp_path):
    dataset = curation.load(address)
    with open_store(dataset) as store:
        store.decide("p00001", "relabel", label="dog", curator="ana")
        done = curation.export(dataset, store, tmp_path / "out", copy_pictures=True)
        assert b"p00001,dog" in done.labels.read_bytes()
        with pytest.raises(curation.CurationError, match="object storage is only read"):
            curation.export(dataset, store, f"{address}/out")
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    assert SECRET.encode() not in written and str(dataset.root).encode() not in written


def test_a_folder_for_each_class_is_found(storage, local, bucket, tmp_path):
    shutil.copytree(local / "images", tmp_path / "two/cat")
    shutil.copytree(local / "images", tmp_path / "two/dog")
    address = storage.put_folder(tmp_path / "two", bucket, "two")
    data = curation.load_labelled(address)
    assert data.class_names == ("cat", "dog") and len(data) == 60
    assert data.content.image(59).image.size == (8, 8)


def test_a_table_further_down_is_fetched_if_it_is_named(storage, local, bucket, tmp_path):
    shutil.copytree(local, tmp_path / "deep")
    (tmp_path / "deep/a/b").mkdir(parents=True)
    (tmp_path / "deep/probs.npy").rename(tmp_path / "deep/a/b/oof.npy")
    (tmp_path / "deep/curation.toml").write_text('probs = "a/b/oof.npy"\n')
    assert len(curation.load(storage.put_folder(tmp_path / "deep", bucket, "deep"))) == 30


# ---- parts of a dataset on this machine


def test_parts_of_a_local_dataset_may_be_addresses_if_the_caller_names_them(
    storage, address, local, tmp_path
):
    shutil.copytree(local, tmp_path / "set")
    (tmp_path / "set/probs.npy").unlink()
    shutil.rmtree(tmp_path / "set/images")
    dataset = curation.load(tmp_path / "set", probs=f"{address}/probs.npy", image_root=address)
    assert dataset.settings["probs"] == f"{address}/probs.npy"
    assert dataset.content.image(3).image.size == (8, 8)
    assert dataset.remote is not None and dataset.remote.address is None
    dataset.check_unchanged()


def test_features_may_be_an_address_if_the_caller_names_it(storage, bucket, local, capsys):
    storage.make_bucket(bucket)
    features, buffer = np.eye(30, 4), io.BytesIO()
    np.save(buffer, features)
    storage.put(bucket, "runs/7/emb.npy", buffer.getvalue())
    named = f"s3://{bucket}/runs/7/emb.npy"
    dataset = curation.load(local, features=named)
    assert dataset.settings["features"] == named
    assert np.array_equal(np.load(find_feature_file(dataset)), features)
    assert main(["check", str(local), "--features", named]) == 0
    assert named in capsys.readouterr().out
    with pytest.raises(StorageError, match="There is no object s3://.*/runs/8/emb.npy"):
        curation.load(local, features=named.replace("7", "8"))


def test_features_further_down_are_fetched_if_they_are_named(storage, bucket, address):
    buffer = io.BytesIO()
    np.save(buffer, np.eye(30, 4))
    storage.put(bucket, "team/set/deep/down/emb.npy", buffer.getvalue())
    for name in ("deep/down/emb.npy", f"{address}/deep/down/emb.npy"):
        dataset = curation.load(address, features=name)
        assert np.load(find_feature_file(dataset)).shape == (30, 4)


def test_addresses_in_a_column_are_read_inside_the_named_folder(
    storage, address, bucket, local, tmp_path
):
    shutil.copytree(local, tmp_path / "set")
    rename_pictures(tmp_path / "set", address)
    dataset = curation.load(tmp_path / "set", image_root=f"s3://{bucket}/team")
    assert dataset.content.image(3).image.size == (8, 8)
    assert [each.code for each in dataset.report.diagnoses] == ["content.elsewhere"]


def test_a_dataset_in_storage_may_name_its_pictures_by_address(storage, local, bucket, tmp_path):
    shutil.copytree(local, tmp_path / "set")
    rename_pictures(tmp_path / "set", f"s3://{bucket}/set")
    dataset = curation.load(storage.put_folder(tmp_path / "set", bucket, "set"))
    assert dataset.content.image(3).image.size == (8, 8)


def test_addresses_of_another_place_are_matched_by_their_last_folders(
    storage, local, bucket, tmp_path
):
    shutil.copytree(local, tmp_path / "set")
    rename_pictures(tmp_path / "set", "s3://where-it-was-before/set")
    dataset = curation.load(storage.put_folder(tmp_path / "set", bucket, "set"))
    assert dataset.content.image(3).image.size == (8, 8)
    assert "content.suffix" in [each.code for each in dataset.report.diagnoses]
    assert not [each for each in storage.asked if "where-it-was-before" in each]


@pytest.mark.fault(
    64, "SKIP", says="outside the dataset's folder. Copy the file into the dataset's folder"
)
@pytest.mark.parametrize(
    "prefix",
    [
        "s3://other-bucket/set",
        "s3://{bucket}/team/set_evil",
        "s3://{bucket}/team/set/../../private",
        "http://169.254.169.254",
        "file:///etc",
        "simplecache::s3://{bucket}/team/set",
    ],
)
@pytest.mark.parametrize("is_local", [True, False])
def test_an_address_in_the_data_never_widens_what_is_read(
    storage, bucket, local, tmp_path, prefix, is_local
):
    shutil.copytree(local, tmp_path / "set")
    shutil.rmtree(tmp_path / "set/images")
    rename_pictures(tmp_path / "set", prefix.format(bucket=bucket))
    place = storage.put_folder(tmp_path / "set", bucket, "team/set")
    storage.asked.clear()
    dataset = curation.load(tmp_path / "set" if is_local else place)
    codes = [each.code for each in dataset.report.diagnoses]
    assert codes == ["content.outside"]
    before = list(storage.asked)
    with pytest.raises(ContentError, match="outside the dataset's folder"):
        dataset.content.image(3)
    assert storage.asked == before and (not is_local or not before)


@pytest.mark.fault(
    64, "BLOCK", says="it is outside the folder that was opened. If you trust it, name"
)
@pytest.mark.parametrize(
    "line",
    [
        'probs = "s3://other-bucket/oof.npy"',
        'image_root = "s3://other-bucket"',
        'features = "s3://other-bucket/emb.npy"',
    ],
)
@pytest.mark.parametrize("is_local", [True, False])
def test_a_curation_toml_never_widens_what_is_read(
    storage, bucket, local, tmp_path, line, is_local
):
    shutil.copytree(local, tmp_path / "set")
    place = storage.put_folder(tmp_path / "set", bucket, "set")
    storage.put(bucket, "set/curation.toml", f"{line}\n".encode())
    (tmp_path / "set/curation.toml").write_text(f"{line}\n")
    with pytest.raises(BlockedError, match="outside the folder that was opened"):
        curation.load(tmp_path / "set" if is_local else place)
    assert not [each for each in storage.asked if "other-bucket" in each]


def test_other_addresses_are_refused_before_anything_is_connected_to(storage, local):
    for overrides in ({"probs": "http://127.0.0.1:9/p.npy"}, {"image_root": "file:///etc"}):
        with pytest.raises(StorageError, match="addresses are not read"):
            curation.load(local, **overrides)
    with pytest.raises(StorageError, match="addresses are not read"):
        curation.load("memory://set")
    assert storage.asked == []


def test_a_picture_that_vanishes_is_skipped_with_the_reason(storage, address, bucket):
    dataset = curation.load(address)
    storage.delete(bucket, "team/set/images/00003.png")
    with pytest.raises(ContentError, match="There is nothing at"):
        dataset.content.image(3)
    assert dataset.content.image(4).image.size == (8, 8)


def test_missing_and_empty_pictures_are_known_without_fetching_any(storage, address, bucket):
    storage.delete(bucket, "team/set/images/00003.png")
    storage.put(bucket, "team/set/images/00004.png", b"")
    found = {each.code: each.count for each in curation.load(address).report.diagnoses}
    assert found == {"content.missing": 1, "content.empty": 1}
