"""Which files of a folder hold the probabilities: by their names, then by what is in them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curation.loading.discovery.parts import ambiguous, part_path
from curation.loading.discovery.splits import Name
from curation.loading.formats.csv import find_delimiter, first_record, split_record
from curation.loading.formats.npy import Header, read_header
from curation.loading.overrides import Options
from curation.loading.probs.prob_columns import class_columns
from curation.loading.probs.prob_sources import SHARD, shard_number
from curation.loading.report_builder import Stop
from curation.loading.vocabulary import FEATURE_STEMS, PLAIN_PROB_STEMS, PROB_STEMS, PROB_WORDS

PROB_SUFFIXES = (".npy", ".npz", ".csv", ".tsv", ".parquet", ".pq", ".jsonl")
HEAD_BYTES = 2**20  # of a table, in which its first two lines are looked for


def find_probs(root: Path, files: Sequence[str], options: Options) -> tuple[str, ...]:
    """Return the file with the probabilities, or its shards in order; nothing if there is none."""
    able = [f for f in files if Path(f).suffix.lower() in PROB_SUFFIXES and f != options.labels]
    shards = [
        f for f in able if (m := SHARD.fullmatch(f)) and _stem(m["stem"] + ".npy") in PROB_STEMS
    ]
    exact = [f for f in able if _stem(f) in PROB_STEMS]
    if shards and not exact:
        return tuple(sorted(shards, key=shard_number))  # by number: as text, 100 is before 11
    if shards:
        raise ambiguous([*exact, *shards], "probs")
    similar = [f for f in able if any(stem in _stem(f) for stem in PLAIN_PROB_STEMS)]
    hinted = [f for f in able if is_hinted(f) and (_is_matrix(root, f) or _has_numbers(root, f))]
    shaped = [f for f in able if _is_matrix(root, f) and Name.of(f).stem not in FEATURE_STEMS]
    split = Name.of(options.labels).split if options.labels else None
    for found in (exact, similar, hinted, shaped):
        if len(found) > 1:  # labels of one split may have been asked for
            found = [f for f in found if split and Name.of(f).split == split] or found
        if len(found) > 1:
            raise ambiguous(found, "probs")
        if found:
            return (found[0],)
    return ()


def _stem(name: str) -> str:
    return Path(name).stem.lower().replace("-", "_")


def is_hinted(name: str) -> bool:
    """Tell whether a word of a file's name speaks of predictions.

    >>> is_hinted("train_preds.csv"), is_hinted("training.csv")
    (True, False)
    """
    return not PROB_WORDS.isdisjoint(re.split(r"[\W_]+", Path(name).stem.lower()))


def _is_matrix(root: Path, name: str) -> bool:
    header = peek_array(root, name)
    return header is not None and len(header.shape) == 2 and header.dtype.kind == "f"


def peek_array(root: Path, name: str) -> Header | None:
    """Return what an .npy file says about itself; None for anything else."""
    if not name.lower().endswith(".npy"):
        return None
    try:
        with part_path(root, name).open("rb") as file:
            return read_header(file, name)
    except (Stop, OSError):
        return None  # whatever it is, it is not known by its shape


def _has_numbers(root: Path, name: str) -> bool:
    """Tell by a table's first row whether it has a list of numbers, or two of them."""
    suffix = Path(name).suffix.lower()
    try:
        path = part_path(root, name)
        if suffix in (".parquet", ".pq"):
            schema = pq.read_schema(path)
            kinds = [schema.field(name).type for name in class_columns(schema.names)]
            return any(map(pa.types.is_nested, kinds)) or sum(map(_is_float, kinds)) >= 2
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except Exception:  # however a parser of foreign bytes fails: reading it will say so
        return False
    if suffix == ".jsonl":
        return _holds_numbers(head.split(b"\n", 1)[0])
    if suffix in (".csv", ".tsv"):
        record = first_record(head)
        rest = head[head.find(record.encode()) + len(record.encode()) :]
        delimiter = find_delimiter(record)
        header, cells = split_record(record, delimiter), split_record(first_record(rest), delimiter)
        able = set(class_columns(header))
        cells = [cell for name, cell in zip(header, cells, strict=False) if name in able]
        return any("[" in cell for cell in cells) or sum(map(_is_number, cells)) >= 2
    return False


def _is_float(kind: Any) -> bool:
    return bool(pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[-+]?[0-9]*[.,]?[0-9]+(?:[eE][-+]?[0-9]+)?", cell.strip()) is not None


def _holds_numbers(line: bytes) -> bool:
    try:
        values = json.loads(line).values()
    except (ValueError, AttributeError, RecursionError):
        return False
    return (
        any(isinstance(v, list | dict) for v in values)
        or sum(isinstance(v, float) for v in values) >= 2
    )
