"""Settings that override what the loader finds, from arguments, flags or curation.toml."""

from __future__ import annotations

import errno
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

import tomli_w

from curation.errors import InputError
from curation.loading.formats.file_faults import unreadable
from curation.loading.report_builder import list_few, stop

Conversion = Literal["softmax", "percent", "rescale"]
CONVERSIONS: tuple[str, ...] = get_args(Conversion)

ALL_SPLITS = "all"
LABEL_STYLES = ("id", "name", "index")

MANIFEST = "curation.toml"
MANIFEST_COMMENT = "# The settings that `curate check` found. Edit any line, then check again."
MEMORY_LIMIT_GB = 4  # for a file that cannot stay on disk; half the memory of a small laptop


@dataclass(frozen=True)
class Options:
    """Every setting of the loader; None means that the loader finds it."""

    name: str | None = None
    labels: str | None = None
    probs: str | list[str] | None = None
    classes: str | list[str] | None = None
    true_labels: str | None = None
    splits: str | list[str] | None = None
    label_column: str | None = None
    majority_of: list[str] | None = None
    prob_array: str | None = None
    id_column: str | None = None
    prob_columns: list[str] | None = None
    image_column: str | None = None
    text_column: str | None = None
    title_column: str | None = None
    image_root: str | None = None
    features: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    no_header: bool | None = None
    sheet: str | None = None
    prob_sheet: str | None = None
    convert: str | None = None
    shift_labels: int | None = None
    labels_are: str | None = None
    class_order: list[Any] | None = None
    positive_class: str | int | None = None
    drop_rows: bool | None = None
    memory_limit_gb: float | None = None

    @property
    def memory_limit(self) -> int:
        """Return how many bytes of memory a file that cannot stay on disk may take."""
        return int((self.memory_limit_gb or MEMORY_LIMIT_GB) * 2**30)

    def given(self) -> dict[str, Any]:
        """Return only the settings that were given."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {key: value for key, value in pairs if value is not None}


HELP = {
    "name": "what to call the dataset",
    "labels": "the file with the labels, or the folder with a folder for each class",
    "probs": "the file with the probabilities, or several shards or folds in order",
    "classes": "the file with the class names, or the names in the order of the columns",
    "true_labels": "the file with the right labels, if they are known",
    "splits": "the splits or folds to read, such as train or fold0; several, or all, as one",
    "label_column": "the column with the labels, or the array of an .npz",
    "majority_of": "the columns of several annotators; the label is what most of them say",
    "prob_array": "the array of an .npz with the probabilities",
    "id_column": "the column with the ids",
    "prob_columns": "the columns with the probabilities, in the order of the classes unless their "
    "names say which class each is for; or one column of lists",
    "image_column": "the column with the image files, or the images themselves",
    "text_column": "the column with the texts",
    "title_column": "the column to call the examples by on the pages, in place of their ids",
    "image_root": "the folder that image names are relative to; it may be outside the dataset",
    "features": "an .npy with one row of numbers per example, such as embeddings; it may be "
    "outside the dataset",
    "encoding": "how the label table is encoded, such as latin-1",
    "delimiter": "what separates the cells of the label table",
    "no_header": "the first line of the label table is a row; its columns are called column 0, "
    "column 1 and so on",
    "sheet": "the sheet of a workbook with the labels",
    "prob_sheet": "the sheet of a workbook with the probabilities",
    "convert": f"what to do to the probabilities: {', '.join(CONVERSIONS)}",
    "shift_labels": "a number to add to every label; -1 if they are counted from 1",
    "labels_are": "how labels are written: id, name, index, or onehot",
    "class_order": "the classes in the true order of the probability columns",
    "positive_class": "the class that a single column of probabilities is for",
    "drop_rows": "leave out rows that have no usable probabilities",
    "memory_limit_gb": f"how much memory a file may take ({MEMORY_LIMIT_GB} GB unless given)",
}
_TYPES: Mapping[str, tuple[type, ...]] = {
    "probs": (str, list, tuple),
    "classes": (str, list, tuple),
    "splits": (str, list, tuple),
    "class_order": (list, tuple),
    "majority_of": (list, tuple),
    "prob_columns": (list, tuple),
    "shift_labels": (int,),
    "positive_class": (str, int),
    "drop_rows": (bool,),
    "no_header": (bool,),
    "memory_limit_gb": (int, float),
}
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "convert": CONVERSIONS,
    "labels_are": (*LABEL_STYLES, "onehot"),
}


def parse_options(values: Mapping[str, Any], where: str) -> Options:
    """Return options from keys and values; stop at an unknown key or an invalid value."""
    unknown = sorted(set(values) - set(HELP))
    if unknown:
        raise stop(
            code="manifest.unknown_key",
            where=where,
            what=f"unknown settings: {list_few(unknown)}.",
            fix=f"The known ones are {', '.join(HELP)}.",
            why="A misspelled setting would be ignored silently.",
            count=len(unknown),
        )
    given = {key: _plain(value) for key, value in values.items() if value is not None}
    for key, value in given.items():
        _check_value(key, value, where)
    return Options(**given)


def _plain(value: Any) -> Any:
    """Return a value as TOML stores it: paths as text, tuples as lists."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _check_value(key: str, value: Any, where: str) -> None:
    types = accepted_types(key)
    right = isinstance(value, types) and not (isinstance(value, bool) and bool not in types)
    if right and isinstance(value, list):
        members = (str, int) if key == "class_order" else (str,)
        right = bool(value) and all(isinstance(each, members) for each in value)
    if right and key == "delimiter":
        right = len(value) == 1 and value.isascii() and value not in '"\r\n\0'
    if right and key in _CHOICES:
        right = value in _CHOICES[key]
    if right and key == "memory_limit_gb":
        right = 0 < value < 2**20
    if not right:
        raise stop(
            code="manifest.value",
            where=where,
            what=f"{key} = {value!r} cannot be used.",
            fix=f"{key} is {HELP[key]}.",
            why="An invalid setting would be ignored silently.",
        )


def accepted_types(option: str) -> tuple[type, ...]:
    """Return the types that a setting may have."""
    return _TYPES.get(option, (str,))


def read_manifest(path: Path) -> Options:
    """Return the settings in a curation.toml."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise unreadable(path.name, error) from error
    except (ValueError, RecursionError) as error:
        raise stop(
            code="manifest.broken",
            where=path.name,
            what=f"not valid TOML: {str(error)[:200]}.",
            fix='Write one setting per line, such as labels = "labels.csv".',
            why="Its settings would be ignored.",
        ) from error
    return parse_options(values, path.name)


def merge(weak: Options, strong: Options) -> Options:
    """Return both sets of options combined; if both set one, `strong` wins."""
    return replace(weak, **strong.given())


def write_manifest(path: Path, settings: Mapping[str, Any], *, keep_old: bool = False) -> None:
    """Write the settings as a curation.toml that can be read again.

    A file with other settings may have been written by a person, and is never overwritten: it is
    refused, or kept as curation.toml.old on request.
    """
    values = {key: settings[key] for key in HELP if settings.get(key) is not None}
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a link to another file")
    if path.is_file():
        if _holds(path, values):
            return
        if not keep_old:
            raise InputError(
                f"{path.name} already exists with other settings; it was left unchanged.",
                f"Rename or delete {path}, then write it again.",
            )
        path.replace(path.with_name(f"{path.name}.old"))
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(f"{MANIFEST_COMMENT}\n{tomli_w.dumps(values)}")


def _holds(path: Path, values: Mapping[str, Any]) -> bool:
    """Return whether a manifest holds exactly these values, in any layout."""
    try:
        return bool(tomllib.loads(path.read_text(encoding="utf-8")) == _plain(values))
    except (ValueError, RecursionError):
        return False
