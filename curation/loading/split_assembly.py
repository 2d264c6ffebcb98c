"""Several splits as one dataset: each is loaded and checked on its own, then all are joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from curation.core.matrix import IntArray
from curation.dataset import Content, Dataset, LabelledData, LabelSource, read_stamp
from curation.loading.assembly import assemble, assemble_labelled
from curation.loading.content.joined_content import join_content
from curation.loading.discovery.part_search import open_place
from curation.loading.discovery.split_search import Split, choose_splits
from curation.loading.overrides import Options
from curation.loading.probs.prob_matrix import ProbMatrix
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.progress import Progress
from curation.report import Diagnosis, Report, sort_worst_first

SPLIT_COLUMN = "split"
Loaded = TypeVar("Loaded", bound=LabelledData)
Assemble = Callable[[Path, Options, ReportBuilder, Progress], Loaded]


def assemble_any(
    path: Path, overrides: Options, report: ReportBuilder, progress: Progress
) -> Dataset:
    """Return the dataset at a path: the splits that were asked for, or the only one."""
    overrides, splits = _find_asked(path, overrides)
    if splits is None:
        return assemble(path, overrides, report, progress)
    loaded = _load_each(splits, assemble, report, progress)
    if len(loaded) == 1:
        return loaded[0]
    orders = _match_classes(splits, loaded)
    matrix = ProbMatrix([_in_order(d.pred_probs, o) for d, o in zip(loaded, orders, strict=True)])
    shared = _join(path, splits, loaded, orders, overrides)
    return Dataset(**shared, pred_probs=matrix)


def assemble_any_labelled(
    path: Path, overrides: Options, report: ReportBuilder, progress: Progress
) -> LabelledData:
    """Return the labelled examples at a path, of all splits that were asked for."""
    overrides, splits = _find_asked(path, overrides)
    if splits is None:
        return assemble_labelled(path, overrides, report, progress)
    loaded = _load_each(splits, assemble_labelled, report, progress)
    if len(loaded) == 1:
        return loaded[0]
    return LabelledData(**_join(path, splits, loaded, _match_classes(splits, loaded), overrides))


def _find_asked(path: Path, overrides: Options) -> tuple[Options, list[Split] | None]:
    """Return the overrides with those of the manifest, and the splits that they ask for, if any."""
    root, options = open_place(path, overrides, ReportBuilder())
    return options, None if options.splits is None else choose_splits(root, options)


def _load_each(
    splits: Sequence[Split],
    load: Assemble[Loaded],
    report: ReportBuilder,
    progress: Progress,
) -> list[Loaded]:
    """Return each split as a dataset; the faults of all are reported together."""
    loaded = []
    for place, split in enumerate(splits):
        share = _share(progress, split.name, place, len(splits))
        mine = ReportBuilder()
        with mine.catch_stops():
            loaded.append(load(split.place, split.options, mine, share))
        report.diagnoses += [_of_split(each, split.name) for each in mine.diagnoses]
    report.stop_if_blocked()
    return loaded


def _share(progress: Progress, name: str, place: int, count: int) -> Progress:
    """Return the progress of one split, as a part of the whole."""
    return lambda stage, share: progress(f"{name}: {stage}", (place + share) / count)


def _of_split(diagnosis: Diagnosis, split: str) -> Diagnosis:
    return replace(diagnosis, where=f"{split}: {diagnosis.where}")


def _match_classes(splits: Sequence[Split], loaded: Sequence[LabelledData]) -> list[IntArray]:
    """Return for each split which of its classes is each of the first; stop if they differ."""
    first = loaded[0]
    orders = []
    for split, each in zip(splits, loaded, strict=True):
        if sorted(each.class_ids) != sorted(first.class_ids):
            raise stop(
                code="classes.differ",
                where=split.name,
                what=f"its classes are {list_few(each.class_ids)}; those of {splits[0].name} are "
                f"{list_few(first.class_ids)}.",
                fix="List all classes in classes.txt, and save a column of probabilities for each.",
                why="Splits with other classes cannot be one dataset.",
            )
        orders.append(np.array([each.class_ids.index(own) for own in first.class_ids]))
    return orders


def _in_order(matrix: Any, order: IntArray) -> Any:
    in_order = np.array_equal(order, np.arange(len(order)))
    return matrix if in_order else ProbMatrix([matrix], columns=order)


def _join(
    path: Path,
    splits: Sequence[Split],
    loaded: Sequence[LabelledData],
    orders: Sequence[IntArray],
    overrides: Options,
) -> dict[str, Any]:
    """Return the fields that all splits share, each joined in the order of the splits."""
    first, names = loaded[0], [split.name for split in splits]
    root = path if path.is_dir() else path.parent
    starts = np.cumsum([0, *(each.num_source_rows for each in loaded)])
    shared = {each.name: getattr(first, each.name) for each in fields(LabelledData)}
    return shared | {
        "name": overrides.name or root.resolve().name,
        "root": root.resolve(),
        "ids": _join_ids(names, loaded),
        "labels": np.concatenate([np.argsort(o)[d.labels] for d, o in _pairs(loaded, orders)]),
        "content": _join_contents(root.resolve(), loaded),
        "extras": JoinedColumns(names, loaded),
        "source": _join_sources([each.source for each in loaded]),
        "source_rows": np.concatenate(
            [each.source_rows + start for each, start in zip(loaded, starts[:-1], strict=True)]
        ),
        "num_source_rows": int(starts[-1]),
        "named_labels": None,
        "report": _join_reports(names, [each.report for each in loaded]),
        "true_labels": _join_true(loaded, orders),
        "settings": overrides.given() | {"splits": names},
    }


def _pairs(loaded: Sequence[Any], orders: Sequence[IntArray]) -> Iterator[tuple[Any, IntArray]]:
    return zip(loaded, orders, strict=True)


def _join_ids(names: Sequence[str], loaded: Sequence[LabelledData]) -> NDArray[np.object_]:
    """Return the ids, with the split in front if two splits share one."""
    ids = np.concatenate([each.ids for each in loaded])
    if len(set(ids.tolist())) == len(ids):
        return ids
    pairs = zip(names, loaded, strict=True)
    return np.array([f"{name}/{own}" for name, each in pairs for own in each.ids], dtype=object)


def _join_contents(root: Path, loaded: Sequence[LabelledData]) -> Content:
    return join_content(root, [each.content for each in loaded])


def _join_sources(sources: Sequence[LabelSource]) -> LabelSource:
    paths = [path for each in sources for path in each.paths]
    return replace(
        sources[0],
        path=paths[0] if paths else None,
        format="splits",
        stamp=read_stamp(*paths) if paths else None,
        more=tuple(paths[1:]),
    )


def _join_true(
    loaded: Sequence[LabelledData], orders: Sequence[IntArray]
) -> NDArray[np.int64] | None:
    if all(each.true_labels is None for each in loaded):
        return None
    joined = []
    for each, order in _pairs(loaded, orders):
        codes = np.full(len(each), -1) if each.true_labels is None else each.true_labels
        joined.append(np.where(codes < 0, -1, np.argsort(order)[codes]))
    return np.concatenate(joined)


def _join_reports(names: Sequence[str], reports: Sequence[Report]) -> Report:
    """Return what was found in any split, with its name, and the checks that all passed."""
    joined = ReportBuilder()
    joined.add_auto_fix(
        code="folder.splits",
        where=" and ".join(names),
        what=f"{len(names)} splits are read as one dataset; the column {SPLIT_COLUMN!r} names the "
        "split of each example.",
        fix=f'To read one of them, pass its name, such as splits="{names[0]}".',
        why="The labels come from several files, so the cleaned labels are a CSV table of ids and "
        "labels.",
        count=len(names),
    )
    for name, report in zip(names, reports, strict=True):
        joined.diagnoses += [_of_split(each, name) for each in report.diagnoses]
    passed = [each for each in reports[0].passed if all(each in r.passed for r in reports)]
    return Report(tuple(sort_worst_first(joined.diagnoses)), tuple(passed))


class JoinedColumns(Mapping[str, Any]):
    """The columns of all splits, and a column that names the split of each example."""

    def __init__(self, names: Sequence[str], loaded: Sequence[LabelledData]) -> None:
        self._sizes = [len(each) for each in loaded]
        self._splits = list(names)
        self._extras = [each.extras for each in loaded]
        others = dict.fromkeys(column for extras in self._extras for column in extras)
        self._name = SPLIT_COLUMN if SPLIT_COLUMN not in others else f"{SPLIT_COLUMN} (file)"
        self._names = (self._name, *others)

    def __getitem__(self, name: str) -> NDArray[np.object_]:
        if name == self._name:
            return np.repeat(np.array(self._splits, dtype=object), self._sizes)
        if name not in self._names:
            raise KeyError(name)
        return np.concatenate(
            [
                extras[name] if name in extras else np.full(size, None, dtype=object)
                for extras, size in zip(self._extras, self._sizes, strict=True)
            ]
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
