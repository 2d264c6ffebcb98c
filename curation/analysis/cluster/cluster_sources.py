"""What can be analysed on a cluster: a folder of shards, a list of them, or a Dask array."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from curation.analysis.analysis_settings import check_names
from curation.analysis.cluster.cluster_run import (
    ClusterRun,
    Settings,
    make_work_folder,
    publish,
)
from curation.analysis.cluster.engine import connect
from curation.analysis.cluster.findings_folder import (
    MANIFEST,
    WrittenFindings,
    is_result,
    read_arrays,
)
from curation.analysis.cluster.parquet_shards import ParquetShard, read_label_column
from curation.analysis.cluster.shard_tasks import Measured
from curation.analysis.cluster.shards import (
    Shard,
    list_blocks,
    list_shards,
    open_array,
    unseen,
)
from curation.analysis.saved_findings import KIND, name_findings
from curation.class_names import distinct_names
from curation.core.checks import check_labels, check_shapes
from curation.dataset import hash_classes, hash_labels
from curation.errors import InputError
from curation.fingerprint import CACHE_FOLDER, FileHashes, hash_bytes, matrix_chunks
from curation.loading.assembly import Planned, plan_dataset
from curation.loading.formats.disk_array import DiskArray
from curation.loading.join.matrix_check import save_check
from curation.loading.join.matrix_survey import MatrixSurvey
from curation.loading.overrides import parse_options
from curation.loading.report_builder import ReportBuilder, list_few
from curation.paths import writable
from curation.progress import Progress

RESULTS = "curation-findings"  # beside a list of shards, unless another folder is named
PARQUET_SUFFIXES = (".parquet", ".pq")
KEPT = 2  # results of one folder of shards
# With more examples, the doctor's checks of all predictions together would take too much memory.
MAX_DIAGNOSED = 50_000_000


def analyze_folder(
    path: str | os.PathLike[str],
    settings: Settings,
    cluster: str | None,
    progress: Progress,
    overrides: dict[str, Any],
) -> WrittenFindings:
    """Analyse a folder that `load` understands, whose probabilities are .npy shards.

    The results are written into its `.curation` folder, where the dashboard finds them.
    """
    with connect(cluster) as engine:
        planned = _plan(Path(path), overrides)
        root, codes = planned.parts.root, planned.labels.codes[planned.rows]
        arrays = [each for each in planned.plan.arrays if isinstance(each, DiskArray)]
        parent = _find_place(root)
        classes = planned.labels.classes
        with make_work_folder(parent) as work:
            shards = list_shards(
                arrays, codes, work, rows=planned.plan.rows, columns=planned.plan.columns,
                convert=planned.plan.convert,
            )  # fmt: skip
            run = ClusterRun(engine, work, shards, [], codes, len(classes), settings, progress)
            measured = run.measure()
            key = _name(planned, shards, measured, settings)
            written = run.finish(measured, distinct_names(classes.names, classes.ids))
            found = publish(written, settings, parent / key)
        _save_check(planned, measured, found)
        _drop_old(parent)
        return found


def _find_place(root: Path) -> Path:
    """Return where the results of a folder go; refuse one that nothing can be written to."""
    if not writable(root):
        raise InputError(
            f"{root} cannot be written, and the results belong next to the shards.",
            "Allow writing there, or pass the labels, a list of the shards, and another folder "
            "that every worker sees as results.",
        )
    return root / CACHE_FOLDER / KIND


def _plan(path: Path, overrides: dict[str, Any]) -> Planned:
    report = ReportBuilder()
    planned: Planned | None = None
    with report.catch_stops():
        options = parse_options(overrides, "overrides")
        planned = plan_dataset(path, options, report, lambda stage, share: None)
    report.stop_if_blocked()
    assert planned is not None
    if planned.options.drop_rows:
        raise InputError(
            "On a cluster, no rows are left out.", "Save the shards again without those rows."
        )
    if not all(isinstance(each, DiskArray) for each in planned.plan.arrays):
        raise InputError(
            f"The probabilities in {planned.probs.where} are not in .npy files.",
            "Save them as numbered shards, such as probs-00000.npy, probs-00001.npy.",
        )
    return planned


def _name(planned: Planned, shards: Sequence[Shard], measured: Measured, settings: Settings) -> str:
    """Return the name under which the dashboard looks for these findings."""
    files = FileHashes(planned.parts.root)
    for shard in shards:
        digest, stamp = measured.hashes[shard.number]
        files.note(Path(str(shard.path)), stamp, digest)
    probabilities = hash_bytes(matrix_chunks(planned.plan.matrix(), files))
    files.save()
    classes = planned.labels.classes
    hashes = (
        hash_labels(planned.labels.codes[planned.rows]),
        hash_classes(classes.names, classes.ids),
        probabilities,
    )
    return name_findings(hashes, settings.threshold, settings.collisions)


def _save_check(planned: Planned, measured: Measured, written: WrittenFindings) -> None:
    """Save what loading would find by reading all shards again."""
    if written.num_examples > MAX_DIAGNOSED or planned.rival is not None:
        return
    columns = read_arrays(written)
    confidence, other = (columns[f"{name}_confidence"] for name in ("self", "other"))
    seen = MatrixSurvey(
        measured.survey,
        columns["predicted_label"].astype(np.int64),
        confidence.astype(np.float64),
        np.maximum(confidence, other).astype(np.float64),
    )
    save_check(
        planned.plan, planned.rows, planned.labels, planned.examples, planned.probs.where, seen,
        root=planned.parts.root,
    )  # fmt: skip


def _drop_old(parent: Path) -> None:
    """Remove all but the latest results, and what a killed run left a day ago."""
    finished = [each for each in parent.iterdir() if (each / MANIFEST).exists()]
    finished.sort(key=_last_change)
    yesterday = time.time() - 24 * 3600
    left = [each for each in parent.glob("unfinished-*") if _last_change(each) < yesterday]
    for folder in (*finished[:-KEPT], *left):
        shutil.rmtree(folder, ignore_errors=True)


def _last_change(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another analysis has just removed it
        return 0.0


def analyze_list(
    labels: Any,
    paths: Sequence[str | os.PathLike[str]],
    class_names: Sequence[str] | None,
    settings: Settings,
    cluster: str | None,
    results: str | os.PathLike[str] | None,
    progress: Progress,
) -> WrittenFindings:
    """Analyse .npy or Parquet files whose rows follow one another.

    `labels` are those of all of them, or the name of a column of the Parquet files.
    """
    with connect(cluster) as engine:
        places = [os.path.abspath(path) for path in paths]
        arrays = _open_all(places, class_names)
        if isinstance(labels, str):
            labels = read_label_column(places, labels, class_names)
        size, num_classes = sum(len(each) for each in arrays), arrays[0].shape[1]
        given = _check(labels, (size, *arrays[0].shape[1:]), arrays[0].dtype)
        names = check_names(class_names, num_classes)
        beside = Path(places[0]).parent / RESULTS
        target = (beside if results is None else Path(results)).resolve()
        with _results(target) as work:
            shards = list_shards(arrays, given, work)
            run = ClusterRun(engine, work, shards, [], given, num_classes, settings, progress)
            return publish(run.finish(run.measure(), names), settings, target)


def _open_all(
    places: Sequence[str], class_names: Sequence[str] | None
) -> list[DiskArray | ParquetShard]:
    """Return the shards; columns that have names are matched by them, never by their place."""
    arrays = [_open(place, class_names) for place in places]
    tables = [each for each in arrays if isinstance(each, ParquetShard)]
    return [each.line_up(tables[0]) if isinstance(each, ParquetShard) else each for each in arrays]


def _open(path: str, class_names: Sequence[str] | None) -> DiskArray | ParquetShard:
    if not path.endswith(PARQUET_SUFFIXES):
        return open_array(path)
    if not os.path.exists(path):
        raise unseen(path)
    return ParquetShard(path, class_names)


def analyze_blocks(
    labels: Any,
    array: Any,
    class_names: Sequence[str] | None,
    settings: Settings,
    cluster: str | None,
    results: str | os.PathLike[str] | None,
    progress: Progress,
) -> WrittenFindings:
    """Analyse a Dask array, block by block."""
    if results is None:
        raise InputError(
            "A Dask array has no folder of its own for the results.",
            'Pass one that every worker sees, such as results="findings".',
        )
    if any(size != size for size in array.chunks[0]):  # NaN: not known before it is computed
        raise InputError(
            "The sizes of the Dask array's blocks are unknown.",
            "Call array.compute_chunk_sizes() first.",
        )
    given, target = _check(labels, array.shape, array.dtype), Path(results).resolve()
    with connect(cluster) as engine, _results(target) as work:
        whole = array.rechunk({1: -1})
        sizes = [size for size in whole.chunks[0] if size]
        blocks = [
            each
            for each, size in zip(whole.to_delayed().ravel(), whole.chunks[0], strict=True)
            if size
        ]
        shards = list_blocks(sizes, given, work)
        width = array.shape[1]
        names = check_names(class_names, width)
        run = ClusterRun(engine, work, shards, blocks, given, width, settings, progress)
        return publish(run.finish(run.measure(), names), settings, target)


class _Outline:
    """What is known of a matrix before it is read."""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape, self.dtype = shape, dtype

    def __getitem__(self, key: Any, /) -> Any:
        raise NotImplementedError


def _check(labels: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    if hasattr(labels, "compute"):
        labels = labels.compute()
    check_shapes(labels, _Outline(shape, dtype))
    return check_labels(labels, shape[1])


@contextmanager
def _results(target: Path) -> Iterator[Any]:
    """Make a work folder beside the results; refuse to replace anything but results."""
    others = sorted(each.name for each in target.iterdir()) if target.exists() else []
    if (target / MANIFEST).exists():
        others = [name for name in others if not is_result(name)]
    if others:
        raise InputError(
            f"{target} holds other files: {list_few(others)}.",
            "Name a folder that is new, empty, or holds findings and nothing else.",
        )
    with make_work_folder(target.parent) as work:
        yield work
