"""Fetches what is named by an address to this machine, before a dataset is loaded as usual.

The dataset's place and its parts may be addresses if the caller of `load` names them. An address in
a table or a curation.toml is only followed inside those.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from curation.dataset import LabelledData
from curation.loading.formats.registry import find_format, find_suffix
from curation.loading.overrides import Options
from curation.progress import Progress, ignore_progress
from curation.storage.grants import granting
from curation.storage.mirror import Mirror, open_mirror, open_object
from curation.storage.mirror_files import MirrorFiles
from curation.storage.object_store import connect
from curation.storage.remote_address import Address, find_address, is_address, parse_address

FILES = ("labels", "probs", "classes", "true_labels", "features")  # options that name files
SIDE_FILES = (".txt", ".json", ".toml")  # of lists of classes and settings
MAX_SIDE_FILES = 100  # in one folder
FETCHING_SHARE = 0.5  # of the progress
Loaded = TypeVar("Loaded", bound=LabelledData)


@dataclass(frozen=True)
class RemoteFiles:
    """Where the files of a dataset come from, if not all of them are on this machine."""

    address: str | None  # of the dataset itself
    mirrors: tuple[Mirror, ...]

    def check_unchanged(self) -> None:
        """Raise `FileChangedError` if a file has changed in the storage since it was fetched."""
        for mirror in self.mirrors:
            mirror.check_unchanged()

    def fetch(self, place: str) -> Path | None:
        """Return the copy of a file, by its address or by where its copy is; None if unknown."""
        for mirror in self.mirrors:
            if is_address(place):
                name = mirror.address.find_name(place)
            else:
                inside = Path(place).is_relative_to(mirror.copy.files)
                name = Path(place).relative_to(mirror.copy.files).as_posix() if inside else None
            if name is not None and name in mirror.objects:
                mirror.ensure(name)
                return mirror.copy.files / name
        return None


@dataclass(frozen=True)
class Place:
    """Where to load a dataset from on this machine, and how to report it."""

    path: Path
    progress: Progress
    remote: RemoteFiles | None = None

    def attach(self, loaded: Loaded) -> Loaded:
        """Return what was loaded, with where it came from."""
        return loaded if self.remote is None else replace(loaded, remote=self.remote)


@contextmanager
def make_local(
    path: str | os.PathLike[str], options: Options, progress: Progress
) -> Iterator[Place]:
    """Fetch what the caller named by address, and return where the dataset is on this machine.

    Inside, exactly these addresses may be read.
    """
    address, named = find_address(path), _list_named(options)
    if address is None and not named:
        yield Place(Path(path), progress)
        return
    fetching, loading = _halve(progress)
    mirrors: dict[str, Mirror] = {}
    local = Path(path)
    if address is not None:
        folder, file = _find_folder(address)
        mirrors[str(folder)] = open_mirror(folder, choose_data, fetching)
        local = mirrors[str(folder)].copy.files / file
    for part, is_folder in named.items():
        if str(part) not in mirrors:
            mirrors[str(part)] = (
                open_mirror(part, lambda names: (), fetching)
                if is_folder
                else open_object(part, fetching)
            )
    remote = RemoteFiles(None if address is None else str(address), tuple(mirrors.values()))
    with granting(mirrors):
        yield Place(local, loading, remote)


def local_path(address: Address) -> Path:
    """Return where the copy of a dataset is on this machine, if it was ever opened."""
    whole, inside = MirrorFiles(address).files, MirrorFiles(address.folder).files / address.name
    return inside if inside.is_file() and not whole.is_dir() else whole


def choose_data(names: Collection[str]) -> list[str]:
    """Return the objects that are fetched whole when a dataset is opened: tables and arrays.

    Discovery looks into the dataset's folder and the folders in it, not further. Lists of classes
    and settings are fetched too, but not a folder of texts with one for each picture.

    >>> choose_data(["labels.csv", "data/train.parquet", "classes.txt", "a/1.jpg", "a/b/c.csv"])
    ['labels.csv', 'data/train.parquet', 'classes.txt']
    >>> choose_data([f"boxes/{number}.txt" for number in range(1000)])
    []
    """
    near = [name for name in names if name.count("/") < 2]
    side = [name for name in near if find_suffix(name) in SIDE_FILES]
    counts = Counter(name.rpartition("/")[0] for name in side)
    few = {name for name in side if counts[name.rpartition("/")[0]] <= MAX_SIDE_FILES}
    return [
        name
        for name in near
        if name in few or (find_suffix(name) not in SIDE_FILES and find_format(name) is not None)
    ]


def _list_named(options: Options) -> dict[Address, bool]:
    """Return the addresses among the options, and whether each is a folder."""
    named: dict[Address, bool] = {}
    for key in FILES:
        value = getattr(options, key)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str) and (address := _find(each)) is not None:
                named[address] = False
    root = options.image_root
    if root is not None and (address := _find(root)) is not None:
        named[address] = True
    return named


def _find(text: str) -> Address | None:
    return parse_address(text) if "://" in text else None


def _find_folder(address: Address) -> tuple[Address, str]:
    """Return the folder to open, and the name of the file in it that was named, if it is one."""
    if address.key and connect(address.scheme).find(address) is not None:
        return address.folder, address.name
    return address, ""


def _halve(progress: Progress) -> tuple[Progress, Progress]:
    """Return the progress of fetching and the progress of loading, as parts of the whole."""
    if progress is ignore_progress:
        return progress, progress
    return (
        lambda stage, share: progress(stage, FETCHING_SHARE * share),
        lambda stage, share: progress(stage, FETCHING_SHARE + (1 - FETCHING_SHARE) * share),
    )
