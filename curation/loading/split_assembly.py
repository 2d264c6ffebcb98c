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
from curation.loading.probs.prob_matrix import ABSENT, ProbMatrix
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.progress import Progress
from curation.report import Checks, Diagnosis, Report, sort_worst_first

SPLIT_COLUMN = "split"
Loaded = TypeVar("Loaded", bound=LabelledData)
Assemble = Callable[[Path, Options, ReportBuilder, Progress], Loaded]


def assemble_any(
    path: Path, overrides: Options, report: ReportBuilder, progress: Progress
) -> Dataset:
    """Return the dataset at a path: the splits that were asked for, or the only one."""
    options, splits = _find_asked(path, overrides)
    if splits is None:
        return assemble(path, overrides, report, progress)
    loaded = _load_each(splits, assemble, report, progress)
    if len(loaded) == 1:
        return loaded[0]
    orders = _match_classes(splits, loaded)
    matrix = ProbMatrix([_in_order(d.pred_probs, o) for d, o in _pairs(loaded, orders)])
    shared = _join(path, splits, loaded, orders, options)
    return Dataset(**shared, pred_probs=matrix)


def assemble_any_labelled(
    path: Path, overrides: Options, report: ReportBuilder, progress: Progress
) -> LabelledData:
    """Return the labelled examples at a path, of all splits that were asked for."""
    options, splits = _find_asked(path, overrides)
    if splits is None:
        return assemble_labelled(path, overrides, report, progress)
    loaded = _load_each(splits, assemble_labelled, report, progress)
    if len(loaded) == 1:
        return loaded[0]
    return LabelledData(**_join(path, splits, loaded, _match_classes(splits, loaded), options))


def _find_asked(path: Path, overrides: Options) -> tuple[Options, list[Split] | None]:
    """Return all settings, and the splits that they ask for, if any."""
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
    """Return for each split where each class of all splits is among its own, or `ABSENT`.

    The classes of all splits are those of the first, and then those that only others have. Classes
    that are known only by number are not matched: if one is missing, the others may have moved.
    """
    first = loaded[0]
    union = list(dict.fromkeys(own for each in loaded for own in each.class_ids))
    for split, each in zip(splits, loaded, strict=True):
        numbered = all(own.isdigit() for own in (*each.class_ids, *first.class_ids))
        if numbered and set(each.class_ids) != set(first.class_ids):
            raise stop(
                code="classes.differ",
                where=split.name,
                what=f"its {len(each.class_ids)} classes are {list_few(each.class_ids)}; the "
                f"{len(first.class_ids)} of {splits[0].name} are {list_few(first.class_ids)}.",
                fix="Save a column of probabilities for every class, or name the columns "
                "by class, or name the classes of each split.",
                why="Numbers do not say which class a column is for, once some are missing.",
            )
    places = [{own: place for place, own in enumerate(each.class_ids)} for each in loaded]
    return [np.array([mine.get(own, ABSENT) for own in union]) for mine in places]


def _own_to_all(order: IntArray) -> IntArray:
    """Return the place among all classes of each class of a split."""
    own = np.flatnonzero(order != ABSENT)
    return np.asarray(own[np.argsort(order[own])])


def _join_classes(
    loaded: Sequence[LabelledData], orders: Sequence[IntArray]
) -> dict[str, tuple[str, ...]]:
    """Return the classes of all splits, each as the first split that has it writes it."""
    owners = [next(k for k, order in enumerate(orders) if order[j] != ABSENT)
              for j in range(len(orders[0]))]  # fmt: skip
    return {
        name: tuple(getattr(loaded[k], name)[orders[k][j]] for j, k in enumerate(owners))
        for name in ("class_names", "class_ids", "label_values")
    }


def _in_order(matrix: Any, order: IntArray) -> Any:
    in_order = np.array_equal(order, np.arange(matrix.shape[1]))
    return matrix if in_order else ProbMatrix([matrix], columns=order)


def _join(
    path: Path,
    splits: Sequence[Split],
    loaded: Sequence[LabelledData],
    orders: Sequence[IntArray],
    options: Options,
) -> dict[str, Any]:
    """Return the fields that all splits share, each joined in the order of the splits."""
    first, names = loaded[0], [split.name for split in splits]
    root = path if path.is_dir() else path.parent
    starts = np.cumsum([0, *(each.num_source_rows for each in loaded)])
    shared = {each.name: getattr(first, each.name) for each in fields(LabelledData)}
    return (
        shared
        | _join_classes(loaded, orders)
        | {
            "name": options.name or root.resolve().name,
            "root": root.resolve(),
            "ids": _join_ids(names, loaded),
            "labels": np.concatenate([_own_to_all(o)[d.labels] for d, o in _pairs(loaded, orders)]),
            "content": _join_contents(root.resolve(), loaded),
            "extras": JoinedColumns(names, loaded),
            "source": _join_sources([each.source for each in loaded]),
            "source_rows": np.concatenate(
                [each.source_rows + start for each, start in zip(loaded, starts[:-1], strict=True)]
            ),
            "num_source_rows": int(starts[-1]),
            "named_labels": None,
            "checks": _join_checks(names, loaded, orders),
            "true_labels": _join_true(loaded, orders),
            "settings": options.given() | {"splits": names},
        }
    )


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
        joined.append(np.where(codes < 0, -1, _own_to_all(order)[codes]))
    return np.concatenate(joined)


def _join_checks(
    names: Sequence[str], loaded: Sequence[LabelledData], orders: Sequence[IntArray]
) -> Checks:
    checks = [each.checks for each in loaded]
    absent = _warn_of_absent(names, loaded, orders)
    early = _join_reports(names, [each.latest for each in checks], absent)
    if all(each.done for each in checks):
        return Checks(early)
    return Checks(early, lambda: _join_reports(names, [each.finish() for each in checks], absent))


def _warn_of_absent(
    names: Sequence[str], loaded: Sequence[LabelledData], orders: Sequence[IntArray]
) -> list[Diagnosis]:
    """Return a warning for each split that has no probabilities for some classes."""
    report = ReportBuilder()
    every = _join_classes(loaded, orders)["class_names"]
    for name, order in zip(names, orders, strict=True):
        lacking = [every[place] for place in np.flatnonzero(order == ABSENT)]
        if lacking and isinstance(loaded[0], Dataset):
            report.add_warning(
                code="classes.absent",
                where=name,
                what=f"it has no probabilities for {list_few(lacking)}, of the {len(every)} "
                "classes of all splits: they are 0 there.",
                fix="If its model knows these classes, save their columns as well.",
                why="In this split, none of them is ever suggested as the right label.",
                count=len(lacking),
            )
    return report.diagnoses


def _join_reports(
    names: Sequence[str], reports: Sequence[Report], absent: Sequence[Diagnosis]
) -> Report:
    """Return what was found in any split, with its name, and the checks that all passed."""
    joined = ReportBuilder()
    joined.diagnoses += absent
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
