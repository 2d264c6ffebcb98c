"""A folder of findings that a cluster wrote: one Parquet file per shard, and what was counted."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curation.analysis.compact_arrays import pack_masks
from curation.analysis.findings import METHODS, Findings, Method, make_findings
from curation.core import noise, rank
from curation.core.count import Threshold
from curation.core.matrix import FloatArray, IntArray
from curation.errors import ContentError, InputError
from curation.fingerprint import hash_bytes
from curation.paths import open_inside
from curation.saved_results import DAMAGED, pack_arrays, unpack_arrays
from curation.whole_files import write_whole

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

MANIFEST = "findings.json"
COUNTS = "counts.npz"
MAX_COLUMNS = 20
PART = re.compile(r"part-[0-9]{5,}\.parquet")
VERSION = 1  # of the folder's layout

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class WrittenFindings:
    """What confident learning found on a cluster: counts and estimates here, examples in a folder.

    `folder` holds one Parquet file per shard, with a line per example. Matrices are indexed
    `[given, true]` unless stated otherwise.
    """

    folder: Path  # where the Parquet files are
    class_names: tuple[str, ...] | tuple[int, ...]  # (m,) as passed, or the class indices
    num_examples: int  # how many examples all shards have
    threshold: Threshold  # how the thresholds were chosen: the mean, or which percentile
    thresholds: FloatArray  # (m,) t_j, how sure "confident" is; +inf for a class without examples
    confident_joint: IntArray  # (m, m) [given, true] how many examples were confidently counted
    confusion: IntArray  # (m, m) [given, predicted] counts without thresholds
    flagged: Mapping[Method, int]  # how many examples each method flags
    parts: Sequence[Mapping[str, Any]]  # name, rows, bytes and hash of each Parquet file

    @cached_property
    def joint(self) -> FloatArray:
        """Return the estimated share of all examples with each given and true label. (m, m)"""
        return noise.rescale_counts(self.confident_joint, self.confusion.sum(axis=1))

    @property
    def noise_matrix(self) -> FloatArray:
        """Return the estimated p(given | true); columns sum to 1. (m, m)"""
        return noise.estimate_noise_matrix(self.joint)

    @property
    def inverse_noise_matrix(self) -> FloatArray:
        """Return the estimated p(true | given), `[true, given]`; columns sum to 1. (m, m)"""
        return noise.estimate_inverse_noise_matrix(self.joint)

    @property
    def estimated_errors(self) -> float:
        """Return the paper's estimate of wrong labels: n * (1 - trace(joint))."""
        return float(self.num_examples * (1 - self.joint.trace()))

    def __repr__(self) -> str:
        return (
            f"<WrittenFindings on {self.num_examples:,} examples of {len(self.thresholds)} classes:"
            f" about {self.estimated_errors:,.0f} labels look wrong, "
            f"{self.flagged['confident_joint']:,} are flagged>"
        )

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Yield the table of each shard's examples, one at a time."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        for part in self.parts:
            data = pa.BufferReader(_read_whole(self.folder, str(part["name"]), part["sha256"]))
            with pq.ParquetFile(data) as file:
                _check_table(part, file.schema_arrow, file.metadata.num_rows)
                yield file.read(columns)

    def issues(self, method: Method = "confident_joint", limit: int = 100) -> pd.DataFrame:
        """Return the most suspect examples that a method flags, by their normalized margin.

        Only as many examples as `limit` are held from each shard.
        """
        import pandas as pd

        best = pd.DataFrame()
        for table in self.tables():
            found = table.filter(table[method].combine_chunks()).to_pandas()
            sure, other = (found[f"{name}_confidence"].astype(float) for name in ("self", "other"))
            found["normalized_margin"] = rank.score_normalized_margin(sure, other)
            best = pd.concat([best, found]) if len(best) else found
            best = best.sort_values(["normalized_margin", "row"]).head(limit)
        names = np.array(self.class_names, dtype=object)
        for column in ("given_label", "predicted_label", "suggested_label"):
            best[column] = names[best[column].to_numpy(np.int64)]
        return best.set_index("row")

    def load(self) -> Findings:
        """Return the findings in memory, about 60 bytes per example, as `analyze` returns them."""
        arrays = read_arrays(self)
        masks = {method: arrays[method] for method in METHODS}
        return make_findings(
            self.class_names,
            arrays["given_label"].astype(np.int64),
            self.threshold,
            self.thresholds,
            self.confident_joint,
            arrays["self_confidence"].astype(np.float64),
            arrays["other_confidence"].astype(np.float64),
            arrays["predicted_label"].astype(np.int64),
            arrays["suggested_label"].astype(np.int64),
            masks,
        )


def name_part(number: int) -> str:
    """Return what the Parquet file of a shard is called."""
    return f"part-{number:05}.parquet"


def is_result(name: str) -> bool:
    """Return whether a folder of findings has a file of this name.

    >>> is_result(name_part(7)), is_result(MANIFEST), is_result("notes.txt")
    (True, True, False)
    """
    return name in (MANIFEST, COUNTS) or PART.fullmatch(name) is not None


def _read_whole(folder: Path, name: str, sha256: str) -> bytes:
    """Return a file that is exactly as it was written.

    The folder may come with a dataset from anyone, so a name that leads out of it is refused.
    """
    remedy = "Analyse the shards again: each file belongs to one analysis."
    try:
        with open_inside(folder, name) as file:
            data = file.read()
    except ContentError as error:
        raise InputError(f"{folder / name}: {error.reason}.", remedy) from None
    if hash_bytes([data]) != sha256:
        raise InputError(f"{folder / name} was cut off or changed.", remedy)
    return data


def _check_table(part: Mapping[str, Any], schema: pa.Schema, num_rows: int) -> None:
    """Refuse a table that takes more memory than the examples it should have."""
    import pyarrow as pa

    kinds = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)
    plain = all(any(is_kind(field.type) for is_kind in kinds) for field in schema)
    if num_rows != part["rows"] or not plain or len(schema) > MAX_COLUMNS:
        raise InputError(
            f"{part['name']} is not what a cluster wrote.", "Analyse the shards again."
        )


def read_arrays(written: WrittenFindings) -> dict[str, NDArray[Any]]:
    """Return every column of all shards, in the order of the examples."""
    columns: dict[str, NDArray[Any]] = {}
    for table in written.tables():
        rows = table["row"].to_numpy()
        for name in table.column_names:
            values = table[name].to_numpy()
            whole = columns.setdefault(name, np.zeros(written.num_examples, values.dtype))
            if np.result_type(whole, values) != whole.dtype:
                whole = columns[name] = whole.astype(np.result_type(whole, values))
            whole[rows] = values
    return columns


def write_summary(folder: Path, written: WrittenFindings, collisions: str) -> None:
    """Write what was counted, and last the manifest that makes the folder valid."""
    counts = BytesIO()
    names = ("thresholds", "confident_joint", "confusion")
    pack_arrays(counts, {name: getattr(written, name) for name in names})
    (folder / COUNTS).write_bytes(counts.getvalue())
    manifest = {
        "version": VERSION,
        "class_names": list(written.class_names),
        "num_examples": written.num_examples,
        "threshold": written.threshold,
        "collisions": collisions,
        "flagged": dict(written.flagged),
        "parts": list(written.parts),
        "counts_sha256": hash_bytes([counts.getvalue()]),
    }
    with write_whole(folder / MANIFEST) as file:
        file.write(json.dumps(manifest, indent=1).encode())


def open_findings(folder: str | os.PathLike[str]) -> WrittenFindings:
    """Return the findings that a cluster wrote to a folder."""
    place = Path(folder)
    try:
        with open_inside(place, MANIFEST) as file:
            manifest = json.load(file)
        data = _read_whole(place, COUNTS, manifest["counts_sha256"])
        counts = unpack_arrays(BytesIO(data), len(data))
        written = WrittenFindings(
            place,
            tuple(manifest["class_names"]),
            int(manifest["num_examples"]),
            manifest["threshold"],
            counts["thresholds"],
            counts["confident_joint"],
            counts["confusion"],
            manifest["flagged"],
            manifest["parts"],
        )
        if sum(int(part["rows"]) for part in written.parts) != written.num_examples:
            raise ValueError("its parts do not add up")
        return written
    except ContentError:
        raise InputError(
            f"{place} holds no findings of a cluster.", "Analyse the shards first."
        ) from None
    except (*DAMAGED, TypeError) as error:
        raise InputError(
            f"The findings in {place} cannot be read ({error}).", "Analyse the shards again."
        ) from None


def read_folder(folder: Path, num_examples: int) -> dict[str, NDArray[Any]] | None:
    """Return the findings in a folder as `saved_findings` saves them; None if there are none.

    Before anything is held in memory, it must be known to have as many examples as the dataset.
    """
    if not (folder / MANIFEST).exists():
        return None
    try:
        written = open_findings(folder)
        if written.num_examples != num_examples:
            raise ValueError(f"it has {written.num_examples:,} examples")
        arrays = read_arrays(written)
        return {
            "thresholds": written.thresholds,
            "confident_joint": written.confident_joint,
            "self_confidence": arrays["self_confidence"],
            "other_confidence": arrays["other_confidence"],
            "predicted_labels": arrays["predicted_label"],
            "suggested_labels": arrays["suggested_label"],
            "flags": pack_masks({method: arrays[method] for method in METHODS}),
        }
    except (*DAMAGED, InputError, TypeError) as error:
        _log.warning("%s cannot be used (%s); the findings are made again.", folder, error)
        return None
