"""Which files of a folder hold the probabilities, by their names, then by their contents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from curation.loading.dataset_parts import ambiguous
from curation.loading.discovery.file_peeks import peek_array, peek_file
from curation.loading.file_names import FileName, plain_stem
from curation.loading.formats.answer_records import TOKENS
from curation.loading.formats.file_faults import NO_LIMIT
from curation.loading.formats.npz import open_npz
from curation.loading.formats.registry import (
    find_format,
    is_archive,
    is_table,
    remove_suffix,
)
from curation.loading.formats.sparse_archives import is_sparse
from curation.loading.numbered_files import find_shard_sets, find_written_folders
from curation.loading.overrides import Options
from curation.loading.part_paths import part_path
from curation.loading.probs.made_probs import belongs_elsewhere, name_made
from curation.loading.probs.prob_column_names import class_columns, is_single_name
from curation.loading.probs.stored_probs import ARRAY_SHARD, shard_number
from curation.loading.report_builder import Stop
from curation.loading.vocabulary import (
    FEATURE_STEMS,
    FEATURE_WORDS,
    LABEL_COLUMNS,
    PLAIN_PROB_STEMS,
    PROB_LIST_COLUMNS,
    PROB_PREFIXES,
    PROB_STEMS,
    PROB_WORDS,
)


def find_probs(root: Path, files: Sequence[str], options: Options) -> tuple[str, ...]:
    """Return the file with the probabilities, or its shards in order; empty if there is none."""
    able = [f for f in files if find_format(f) and f != options.labels]
    able = [f for f in able if not belongs_elsewhere(f, options.labels)]
    if options.labels and name_made(options.labels) in able:
        return (name_made(options.labels),)
    shards = [
        f
        for f in able
        if (m := ARRAY_SHARD.fullmatch(f)) and plain_stem(m["stem"] + ".npy") in PROB_STEMS
    ]
    exact = [f for f in able if plain_stem(f) in PROB_STEMS]
    if shards and not exact:
        return tuple(sorted(shards, key=shard_number))  # by number: as text, 100 comes before 11
    if shards:
        raise ambiguous([*exact, *shards], "probs")
    similar = [f for f in able if any(stem in plain_stem(f) for stem in PLAIN_PROB_STEMS)]
    hinted = [f for f in able if is_hinted(f) and _can_hold_probs(root, f)]
    shaped = [f for f in able if _is_matrix(root, f) and not is_feature_name(f)]
    shaped += [f for f in able if _is_model_output(root, f)]
    split = FileName.of(options.labels).split if options.labels else None
    for found in (exact, similar, hinted, shaped):
        if len(found) > 1:  # labels of one split may have been asked for
            found = [f for f in found if split and FileName.of(f).split == split] or found
        sets = find_shard_sets(f for f in found if is_table(f))
        if len(sets) == 1 and sets[0].sure and set(sets[0].files) == set(found):
            return sets[0].files
        if len(found) > 1:
            raise ambiguous(found, "probs")
        if found:
            return (found[0],)
    folders = find_written_folders(root)
    written = [each for each in folders if plain_stem(each.name.partition("/")[0]) in PROB_STEMS]
    return written[0].files if len(written) == 1 else ()


def is_feature_name(name: str) -> bool:
    """Return whether a file's name says that it holds what a model learns from.

    >>> is_feature_name("embeddings.npy"), is_feature_name("clip_features.npy")
    (True, True)
    """
    words = set(re.split(r"[\W_]+", remove_suffix(name).lower()))
    return FileName.of(name).stem in FEATURE_STEMS or not words.isdisjoint(FEATURE_WORDS)


def is_hinted(name: str) -> bool:
    """Return whether a word in a file's name suggests predictions.

    >>> is_hinted("train_preds.csv"), is_hinted("training.csv"), is_hinted("p_spam.npy")
    (True, False, True)
    """
    if remove_suffix(name).lower().startswith(PROB_PREFIXES):
        return True
    return not PROB_WORDS.isdisjoint(re.split(r"[\W_]+", remove_suffix(name).lower()))


def _is_matrix(root: Path, name: str) -> bool:
    header = peek_array(root, name)
    return header is not None and len(header.shape) == 2 and header.dtype.kind == "f"


def _can_hold_probs(root: Path, name: str) -> bool:
    arrays = (_is_matrix, _is_binary, _has_matrix)
    return any(fits(root, name) for fits in arrays) or _has_numbers(root, name)


def _has_matrix(root: Path, name: str) -> bool:
    """Return whether an archive has an array with a row of fractions per example."""
    if not is_archive(name):
        return False
    try:
        headers = open_npz(part_path(root, name), name, memory_limit=NO_LIMIT)
    except Stop:
        return True  # reading it reports what is wrong
    wide = [each for each in headers.values() if len(each.shape) == 2 and each.dtype.kind == "f"]
    return bool(wide) or is_sparse(headers)


def _is_binary(root: Path, name: str) -> bool:
    """Return whether an array has one fraction per example, of one of two classes."""
    header = peek_array(root, name)
    return header is not None and len(header.shape) == 1 and header.dtype.kind == "f"


def _is_model_output(root: Path, name: str) -> bool:
    """Return whether a table holds what a model returned: a list of scores, and no labels."""
    peek = peek_file(root, name) if is_table(name) else None
    if peek is None or any(column.strip().lower() in LABEL_COLUMNS for column in peek.columns):
        return False
    listed = [c for c, held in peek.first_row.items() if held == "list"]
    return TOKENS in peek.columns or any(c.strip().lower() in PROB_LIST_COLUMNS for c in listed)


def _has_numbers(root: Path, name: str) -> bool:
    """Return whether a table's first row has a list of numbers, or columns of probabilities."""
    peek = peek_file(root, name)
    if peek is None:
        return False
    held = {column: peek.first_row.get(column) for column in class_columns(peek.columns)}
    if "list" in held.values() or list(held.values()).count("number") >= 2:
        return True
    return any(held[column] == "number" and is_single_name(column) for column in held)
