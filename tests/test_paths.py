"""Names from a table never reach a file outside the dataset's folder."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from curation import paths
from curation.errors import ContentError
from curation.paths import open_inside, resolve_inside

SECRET = b"a secret that lies outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a data folder beside a secret file, a secret folder and a look-alike sibling."""
    root = tmp_path / "root"
    (root / "images").mkdir(parents=True)
    (root / "images" / "cat.jpg").write_bytes(b"cat")
    (tmp_path / "secret.txt").write_bytes(SECRET)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret.txt").write_bytes(SECRET)
    (tmp_path / "root_evil").mkdir()
    (tmp_path / "root_evil" / "secret.txt").write_bytes(SECRET)
    return root


def read(root: Path, name: str) -> bytes:
    with open_inside(root, name) as file:
        return file.read()


def refusal(root: Path, name: str) -> ContentError:
    with pytest.raises(ContentError) as caught:
        open_inside(root, name)
    return caught.value


@pytest.mark.parametrize(
    "name",
    ["images/cat.jpg", "./images/cat.jpg", "images/../images/cat.jpg", "images\\cat.jpg"],
)
def test_a_file_inside_is_read(root: Path, name: str) -> None:
    assert read(root, name) == b"cat"
    assert resolve_inside(root, name) == (root / "images" / "cat.jpg").resolve()


OUTSIDE = [
    "../secret.txt",
    "images/../../secret.txt",
    "./../secret.txt",
    " ../secret.txt",
    "../root/images/cat.jpg",  # even when it comes back in
    "../root_evil/secret.txt",
    "/etc/passwd",
    "//host/share/secret.txt",
    "..\\secret.txt",
    "images\\..\\..\\secret.txt",
    "C:\\secret.txt",
    "c:secret.txt",
    "\\\\host\\share\\secret.txt",
    "\\secret.txt",
    "images/cat.jpg\0.png",
    "file:///etc/passwd",
    "http://127.0.0.1/secret.jpg",
]


@pytest.mark.fault(
    51,
    "SKIP",
    says="…: outside the dataset's folder. Copy the file into the dataset's folder and name it "
    "relative to that folder.",
)
@pytest.mark.parametrize("name", OUTSIDE)
def test_names_that_lead_outside_are_refused_with_a_reason(root: Path, name: str) -> None:
    error = refusal(root, name)
    assert (error.reason, error.fault) == ("outside the dataset's folder", "outside")
    assert "relative to that folder" in error.remedy


def test_an_absolute_name_is_refused_even_of_a_file_that_exists(root: Path) -> None:
    assert refusal(root, str(root.parent / "secret.txt")).fault == "outside"
    assert refusal(root, str(root / "images" / "cat.jpg")).fault == "outside"


@pytest.mark.fault(
    51,
    "SKIP",
    says="…: outside the dataset's folder (a name reserved for devices). Rename the file: Windows "
    "opens a device under this name.",
)
@pytest.mark.parametrize("name", ["CON", "con.jpg", "images/NUL", "aux .png", "COM1", "lpt¹.gif"])
def test_names_reserved_for_devices_are_refused_on_every_system(root: Path, name: str) -> None:
    (root / name).write_bytes(b"a picture")
    error = refusal(root, name)
    assert error.reason == "outside the dataset's folder (a name reserved for devices)"
    assert "Rename" in error.remedy


def test_names_that_only_begin_like_devices_are_read(root: Path) -> None:
    (root / "console.jpg").write_bytes(b"fine")
    assert read(root, "console.jpg") == b"fine"


@pytest.mark.fault(
    51,
    "SKIP",
    says="…: missing. Put the file there, or correct its name in the table.",
)
@pytest.mark.parametrize("name", ["%2e%2e/secret.txt", "%2e%2e%2fsecret.txt", "..%5csecret.txt"])
def test_percent_escapes_are_letters_of_a_name(root: Path, name: str) -> None:
    assert refusal(root, name).reason == "missing"
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_bytes(b"inside")
    assert read(root, name) == b"inside"


@pytest.mark.parametrize("name", ["", "  ", None, float("nan")])
def test_an_empty_name_is_a_missing_file(root: Path, name: object) -> None:
    assert refusal(root, name).reason == "missing (no file is named)"  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["images/dog.jpg", "x" * 5000, "a\ud800b", "images/cat.jpg/x"])
def test_a_nonexistent_file_is_missing(root: Path, name: str) -> None:
    error = refusal(root, name)
    assert (error.fault, error.name) in [("missing", name), ("unreadable", name)]


@pytest.mark.fault(
    52,
    "SKIP",
    says="chain.jpg: outside the dataset's folder. Copy the file into the dataset's folder and "
    "name it relative to that folder.",
)
def test_links_that_lead_outside_are_refused(root: Path) -> None:
    outside = root.parent
    (root / "file.jpg").symlink_to(outside / "secret.txt")
    (root / "relative.jpg").symlink_to("../secret.txt")
    (root / "folder").symlink_to(outside / "elsewhere")
    (root / "chain.jpg").symlink_to(root / "file.jpg")
    (root / "dangling.jpg").symlink_to(outside / "nothing.txt")
    for name in ["file.jpg", "relative.jpg", "folder/secret.txt", "chain.jpg", "dangling.jpg"]:
        assert refusal(root, name).reason == "outside the dataset's folder"


@pytest.mark.fault(52, "HOLDS")
def test_links_that_stay_inside_are_followed(root: Path) -> None:
    (root / "file.jpg").symlink_to("images/cat.jpg")
    (root / "folder").symlink_to(root / "images")
    (root / "chain.jpg").symlink_to("folder/cat.jpg")
    assert [read(root, name) for name in ["file.jpg", "folder/cat.jpg", "chain.jpg"]] == [
        b"cat"
    ] * 3


def test_the_root_itself_may_be_reached_through_a_link(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    assert read(link, "images/cat.jpg") == b"cat"


def test_a_link_to_itself_is_refused(root: Path) -> None:
    (root / "loop.jpg").symlink_to("loop.jpg")
    assert refusal(root, "loop.jpg").reason == "outside the dataset's folder"


@pytest.mark.fault(
    52,
    "SKIP",
    says="images/secret.txt: outside the dataset's folder. Copy the file into the dataset's folder "
    "and name it relative to that folder.",
)
@pytest.mark.parametrize("on_linux", [True, False])
@pytest.mark.parametrize("swapped", ["file", "folder"])
def test_a_file_swapped_for_a_link_after_the_check_is_refused_unread(
    root: Path, monkeypatch: pytest.MonkeyPatch, swapped: str, on_linux: bool
) -> None:
    """The attacker acts between the check and the opening: nothing of the secret is read."""
    (root / "images" / "secret.txt").write_bytes(b"harmless")
    honest_open, opened = os.open, []

    def open_after_the_swap(path: str, flags: int) -> int:
        if swapped == "file":
            (root / "images" / "secret.txt").unlink()
            (root / "images" / "secret.txt").symlink_to(root.parent / "secret.txt")
        else:
            (root / "images").rename(root / "old")
            (root / "images").symlink_to(root.parent / "elsewhere")
        opened.append(honest_open(path, flags))
        return opened[-1]

    monkeypatch.setattr(paths, "_open_directly", lambda root, name: None)
    monkeypatch.setattr(paths.os, "open", open_after_the_swap)
    if not on_linux:
        monkeypatch.setattr(paths.sys, "platform", "darwin")
    assert refusal(root, "images/secret.txt").reason == "outside the dataset's folder"
    for descriptor in opened:  # and nothing stays open
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux opens files directly")
@pytest.mark.parametrize("moment", ["before it is held", "after it is held"])
def test_a_file_swapped_while_it_is_opened_directly_is_never_the_secret(
    root: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    inside = root / "images" / "secret.txt"
    inside.write_bytes(b"harmless")
    name = "open" if moment == "before it is held" else "readlink"
    honest, swaps = getattr(os, name), []

    def swap_first(path: str, *flags: int) -> int | str:
        if str(path) == str(inside) or (name == "readlink" and not swaps):
            swaps.append(path)
            inside.unlink()
            inside.symlink_to(root.parent / "secret.txt")
        return honest(path, *flags)

    monkeypatch.setattr(paths.os, name, swap_first)
    if moment == "before it is held":
        assert refusal(root, "images/secret.txt").reason == "outside the dataset's folder"
    else:
        assert read(root, "images/secret.txt") == b"harmless"  # what was held is what is read
    assert swaps


def test_fifos_sockets_devices_and_folders_are_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe.jpg")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(root)  # the name of a socket must be short
        try:
            server.bind("socket.jpg")
        finally:
            os.chdir(here)
        for name in ["pipe.jpg", "socket.jpg", "images"]:
            error = refusal(root, name)
            assert (error.reason, error.fault) == ("not a regular file", "not allowed")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_forbidden_file_says_so(root: Path) -> None:
    (root / "images" / "cat.jpg").chmod(0)
    error = refusal(root, "images/cat.jpg")
    assert error.reason == "cannot be read (Permission denied)"
    assert error.fault == "unreadable"


@pytest.mark.skipif(sys.platform != "linux", reason="XDG variables are a Linux convention")
def test_user_folders_follow_the_xdg_variables(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert paths.user_folder() == tmp_path / "data" / "curation"
    assert paths.cache_folder() == tmp_path / "cache" / "curation"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have folders of their own")
def test_user_folders_are_in_the_home_folder_by_default(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert paths.user_folder() == tmp_path / ".local" / "share" / "curation"
    assert paths.cache_folder() == tmp_path / ".cache" / "curation"


@pytest.mark.fault(51, "HOLDS")
def test_names_that_lead_outside_cost_no_look_at_the_disk_or_the_network(root, monkeypatch):
    def refuse(*given, **more):
        raise AssertionError(f"{given} was opened")

    monkeypatch.setattr(paths.os, "open", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for name in OUTSIDE:
        assert refusal(root, name).fault == "outside"
