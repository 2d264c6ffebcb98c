"""`curation.analyze`: arrays in memory or on disk here, and shards or Dask arrays on a cluster."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from numpy.typing import NDArray

from curation.analysis import array_analysis
from curation.analysis.analysis_settings import check_settings
from curation.analysis.findings import Findings
from curation.core.count import Collisions, Threshold
from curation.core.matrix import Probabilities
from curation.errors import InputError
from curation.progress import Progress, ignore_progress

if TYPE_CHECKING:
    import pandas as pd

    from curation.analysis.cluster.findings_folder import WrittenFindings


@overload
def analyze(
    labels: Sequence[Any] | NDArray[Any],
    pred_probs: Probabilities | Sequence[Sequence[float]] | pd.DataFrame,
    class_names: Sequence[str] | None = None,
    *,
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
    progress: Progress = ignore_progress,
) -> Findings: ...


@overload
def analyze(
    labels: Any,
    pred_probs: Any = None,
    class_names: Sequence[str] | None = None,
    *,
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
    progress: Progress = ignore_progress,
    cluster: str | None = None,
    results: str | os.PathLike[str] | None = None,
    **overrides: Any,
) -> WrittenFindings: ...


def analyze(
    labels: Any,
    pred_probs: Any = None,
    class_names: Sequence[str] | None = None,
    *,
    threshold: Threshold = "mean",
    collisions: Collisions = "argmax",
    progress: Progress = ignore_progress,
    cluster: str | None = None,
    results: str | os.PathLike[str] | None = None,
    **overrides: Any,
) -> Findings | WrittenFindings:
    """Return what confident learning finds: noise estimates, scores, flags by five methods.

    `labels` are class indices in the order of the columns. `pred_probs` are out of sample, one
    row per example, and may be a memory-mapped file, which is read in blocks and never copied.
    The columns of a pandas DataFrame are matched to `class_names` by name, and the index of a
    Series of labels to its index; the findings are in the order of the DataFrame. What does not
    match is refused. A value above 1 by no more than a rounding error counts as 1.
    `threshold` is the "mean" self-confidence of a class or a percentile of it, such as 90.
    `collisions` decides what happens to an example that is confident in several classes: it takes
    the likeliest of all classes ("argmax", Algorithm 1) or of those it is confident in
    ("confident", Equation 1). `progress(stage, share)` is called during the work, and may raise to
    stop it.

    Data too large for one machine is analysed on a Dask cluster (extra `cluster`), with the same
    counts and flags. What was found about each example is then written as Parquet instead of being
    held in memory, and a `WrittenFindings` is returned:

        curation.analyze("my_shards", cluster="tcp://10.0.0.1:8786")
        curation.analyze(labels, ["probs-0.npy", "probs-1.npy"], cluster="tcp://10.0.0.1:8786")
        curation.analyze("label", ["a.parquet", "b.parquet"], names, cluster="tcp://10.0.0.1:8786")
        curation.analyze(labels, dask_array, results="findings")

    The first is a folder that `load` reads, with the same overrides, whose probabilities are .npy
    shards; the dashboard opens it with these results. Parquet shards have a column for each class,
    matched by its name, and the column of their labels may be named instead of passing labels.
    `results` is the folder to write to, which may hold earlier results and nothing else; for a list
    of shards, it is by default next to the first of them. Every worker must see the shards and the
    results under the same path. Without `cluster`, the Dask client of this process is used, or its
    threads.

    >>> findings = analyze([0, 0, 1, 1], [[.9, .1], [.2, .8], [.3, .7], [.1, .9]], ["cat", "dog"])
    >>> findings.confident_joint
    array([[1, 1],
           [0, 1]])
    >>> findings.issues()
    array([1])
    """
    paths = _list_paths(pred_probs)
    in_blocks = type(pred_probs).__module__.startswith("dask.")
    if pred_probs is not None and paths is None and not in_blocks:
        _refuse_unused(cluster=cluster, results=results, **overrides)
        return array_analysis.analyze(
            labels,
            pred_probs,
            class_names,
            threshold=threshold,
            collisions=collisions,
            progress=progress,
        )
    from curation.analysis.cluster import cluster_sources
    from curation.analysis.cluster.cluster_run import Settings

    check_settings(threshold, collisions)
    settings = Settings(threshold, collisions)
    if pred_probs is None:
        if not isinstance(labels, str | os.PathLike):
            raise InputError("There are no probabilities.", "Pass them after the labels.")
        _refuse_unused(class_names=class_names, results=results)
        return cluster_sources.analyze_folder(labels, settings, cluster, progress, overrides)
    _refuse_unused(**overrides)
    analyze_any = cluster_sources.analyze_blocks if paths is None else cluster_sources.analyze_list
    shards = pred_probs if paths is None else paths
    return analyze_any(labels, shards, class_names, settings, cluster, results, progress)


def _list_paths(given: Any) -> Sequence[str | os.PathLike[str]] | None:
    """Return the paths of shards; None if something else was passed."""
    if isinstance(given, str | os.PathLike):
        return [given]
    if isinstance(given, list | tuple) and given and isinstance(given[0], str | os.PathLike):
        return given
    return None


def _refuse_unused(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"{name}={value!r} has no effect here.",
                "It belongs to another kind of input: see help(curation.analyze).",
            )
