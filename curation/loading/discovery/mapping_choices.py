"""The questions of the screen that maps files and columns, and the answers to choose from.

Every answer is an override of `load`, so that the screen, the flags and curation.toml say the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from curation.loading.discovery.file_survey import FoundFile
from curation.loading.file_names import ALL_SHARDS, TABLE_SHARD, FileName
from curation.loading.formats.registry import is_archive, is_table
from curation.loading.numbered_files import find_shard_sets
from curation.loading.overrides import (
    ALL_SPLITS,
    CONVERSIONS,
    HELP,
    LABEL_STYLES,
    accepted_types,
)

LIST_SUFFIXES = (".txt", ".json")  # of files that hold class names and are not tables

Kind = Literal["one", "several", "lines", "number", "whole number", "yes", "text"]


@dataclass(frozen=True)
class Question:
    """One setting of the loader as the screen asks for it."""

    option: str
    words: str
    kind: Kind = "one"
    is_rare: bool = False  # asked under the further settings

    @property
    def help(self) -> str:
        return HELP[self.option][0].upper() + HELP[self.option][1:] + "."


_ASKED = (
    Question("labels", "Labels: which file or folder"),
    Question("label_column", "Labels: which column"),
    Question("majority_of", "Several annotators: which columns", "several"),
    Question("id_column", "Ids: which column"),
    Question("probs", "Probabilities: which file, or which shards in order", "several"),
    Question("prob_array", "Probabilities: which array of an .npz"),
    Question("prob_columns", "Probabilities: which columns, in class order", "several"),
    Question("splits", "Splits or folds, read as one", "several"),
    Question("true_labels", "True labels, if known: which file"),
    Question("text_column", "Texts: which column"),
    Question("image_column", "Pictures: which column"),
    Question("image_root", "Pictures: in which folder"),
    Question("title_column", "What to call an example: which column"),
    Question("classes", "Class names: which file"),
    Question("features", "Features, such as embeddings: which .npy", "one", True),
    Question("positive_class", "One column of probabilities: for which class", "text", True),
    Question("convert", "Convert the probabilities", "one", True),
    Question("labels_are", "Labels are written as", "one", True),
    Question("shift_labels", "Add to every label", "whole number", True),
    Question("class_order", "Classes in the order of the columns, one per line", "lines", True),
    Question("drop_rows", "Leave out rows without usable probabilities", "yes", True),
    Question("delimiter", "What separates the cells", "text", True),
    Question("no_header", "The first line of the label table is a row", "yes", True),
    Question("sheet", "Labels: which sheet of a workbook", "text", True),
    Question("prob_sheet", "Probabilities: which sheet of a workbook", "text", True),
    Question("encoding", "How the table is encoded", "text", True),
    Question("name", "What to call the dataset", "text", True),
    Question("memory_limit_gb", "Memory that a file may take, in GB", "number", True),
)


def ask_plainly(option: str) -> Question:
    """Return the question for a setting that has no words of its own here."""
    types = accepted_types(option)
    kinds: dict[type, Kind] = {list: "lines", bool: "yes", float: "number", str: "text"}
    found = [kinds[each] for each in kinds if each in types]
    words = option.replace("_", " ").capitalize()
    return Question(option, words, found[0] if found else "whole number", True)


_OTHERS = sorted(set(HELP) - {each.option for each in _ASKED})
QUESTIONS = (*_ASKED, *map(ask_plainly, _OTHERS))


def list_choices(
    option: str, files: Sequence[FoundFile], answers: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return what could be answered, from the files found and the answers so far.

    Columns are those of the file that was chosen, or of all files if none was.
    """
    readable = [each for each in files if each.is_read]
    if option in ("labels", "probs"):
        names = [_as_setting(each) for each in readable if option == "labels" or not each.folders]
        sets = find_shard_sets(name for name in names if is_table(name) and option == "labels")
        return (*names, *_find_sharded(names), *(each.name for each in sets))
    if option in ("classes", "true_labels"):
        lists = [f.name for f in files if f.name.endswith(LIST_SUFFIXES)] * (option == "classes")
        return tuple(dict.fromkeys([*(f.name for f in readable if not f.folders), *lists]))
    if option == "image_root":
        return tuple(each.name.rstrip("/") for each in files if each.name.endswith("/"))
    if option == "features":
        return tuple(each.name for each in readable if each.name.endswith(".npy"))
    if option == "splits":
        return _list_splits(readable)
    if option in ("convert", "labels_are"):
        return CONVERSIONS if option == "convert" else (*LABEL_STYLES, "onehot")
    if option == "prob_array":
        readable = [each for each in readable if is_archive(each.name)]
    elif option != "majority_of" and not option.endswith(("_column", "_columns")):
        return ()
    chosen = answers.get("probs" if option.startswith("prob_") else "labels") or ()
    return _list_columns(readable, {chosen} if isinstance(chosen, str) else set(chosen))


def _list_splits(files: Iterable[FoundFile]) -> tuple[str, ...]:
    """Return the splits that files and their folders are named after, and the word for all."""
    parts = (part for each in files for part in (each.name, each.name.partition("/")[0]))
    found = dict.fromkeys(split for part in parts if (split := FileName.of(part).split))
    return (*found, ALL_SPLITS) if found else ()


def _as_setting(found: FoundFile) -> str:
    return found.name.rstrip("/") if found.folders else found.name


def _find_sharded(names: Iterable[str]) -> list[str]:
    """Return the names that stand for all shards of a table, such as `train-*.parquet`."""
    shards = [match for name in names if (match := TABLE_SHARD.fullmatch(name))]
    several = [match for match in shards if int(match["total"]) > 1]
    return list(dict.fromkeys(f"{each['stem']}{ALL_SHARDS}{each['ending']}" for each in several))


def _list_columns(files: Sequence[FoundFile], chosen: set[str]) -> tuple[str, ...]:
    of = [each for each in files if each.name in chosen] or files
    return tuple(dict.fromkeys(column for each in of for column in each.columns))


def read_answers(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the overrides that the answers mean; a question without an answer is left out.

    >>> read_answers({"labels": "a.csv", "probs": ["b.npy"], "class_order": "cat\\ndog\\n"})
    {'labels': 'a.csv', 'probs': 'b.npy', 'class_order': ['cat', 'dog']}
    """
    kinds = {each.option: each.kind for each in QUESTIONS}
    read = {option: _read(answer, kinds[option]) for option, answer in answers.items()}
    given = {option: value for option, value in read.items() if value not in (None, [], False)}
    for option, value in given.items():
        if option == "classes":
            continue  # a list is of names, and a text is the name of a file
        if isinstance(value, list) and len(value) == 1 and str in accepted_types(option):
            given[option] = value[0]
    return given


def _read(answer: Any, kind: Kind) -> Any:
    """Return an answer as the loader takes it; what is not a number stays text, and is refused."""
    if answer is None or answer == "":
        return None
    if kind == "lines":
        return read_lines(str(answer))
    if kind in ("number", "whole number"):
        try:
            return int(answer) if kind == "whole number" else float(answer)
        except ValueError:
            return answer
    return list(answer) if kind == "several" else answer


def read_lines(typed: str) -> list[str]:
    """Return the lines of a text that hold anything."""
    return [line for line in typed.splitlines() if line.strip()]


def write_answer(option: str, value: Any) -> Any:
    """Return an override as the screen shows it: the opposite of `read_answers`.

    >>> write_answer("class_order", ["cat", "dog"]), write_answer("probs", "b.npy")
    ('cat\\ndog', ['b.npy'])
    """
    kind = next(each.kind for each in QUESTIONS if each.option == option)
    if kind == "several":
        return [value] if isinstance(value, str) else list(value or ())
    if kind == "lines":
        return value if isinstance(value, str) else "\n".join(map(str, value or ()))
    if kind == "yes":
        return bool(value)
    return value if value is None or kind == "one" else str(value)
