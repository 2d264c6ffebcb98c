"""A dataset that changed under its decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import curation
from curation.store import Store
from devtools.store_dataset import StoreDataset, Texts


@pytest.fixture
def decided(store: Store) -> Store:
    """e0 (cat) to dog, e1 (dog) kept, e2 (cat) between cat and eel."""
    store.decide("e0", "relabel", label="dog", curator="ana")
    store.decide("e1", "keep", curator="ana")
    store.decide("e2", "ambiguous", labels=["cat", "eel"], curator="ana")
    return store


def test_an_unchanged_dataset_fits(decided: Store, dataset: StoreDataset) -> None:
    matched = decided.match(dataset)
    assert (len(matched.fitting), matched.misfits, matched.changed) == (3, [], ())


@pytest.mark.fault(77, "HOLDS")
def test_decisions_fit_by_id_after_rows_are_reordered(
    decided: Store, dataset: StoreDataset
) -> None:
    turned = replace(
        dataset,
        ids=dataset.ids[::-1],
        labels=dataset.labels[::-1],
        content=Texts(dataset.content.texts[::-1]),
    )
    matched = decided.match(turned)
    assert [each.example_id for each in matched.fitting] == ["e0", "e1", "e2"]
    assert matched.changed == ("content", "ids", "labels")


def test_decisions_fit_new_probabilities_without_reading_any_content(
    decided: Store, dataset: StoreDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    better = replace(dataset, probabilities="p2")
    monkeypatch.delattr(Texts, "digest")
    matched = decided.match(better)
    assert len(matched.fitting) == 3 and matched.changed == ("probabilities",)


@pytest.mark.fault(77, "HOLDS")
def test_each_misfit_is_listed_with_its_reason(decided: Store, dataset: StoreDataset) -> None:
    changes = {
        "id gone": replace(dataset, ids=("new", *dataset.ids[1:])),
        "content changed": replace(dataset, content=Texts(("other", *dataset.content.texts[1:]))),
        "given label changed": replace(dataset, labels=np.array([1, 1, 0, 1, 0, 1])),
    }
    for cause, changed in changes.items():
        matched = decided.match(changed)
        (misfit,) = matched.misfits
        assert (misfit.cause, misfit.decision.example_id) == (cause, "e0")
        assert [each.example_id for each in matched.fitting] == ["e1", "e2"]
    assert misfit.reason == "it was 'cat' when judged and is 'dog' now, as was decided"


@pytest.mark.fault(77, "HOLDS")
def test_a_class_that_is_gone_is_a_misfit(decided: Store, dataset: StoreDataset) -> None:
    fewer = replace(dataset, class_names=("cat", "dog"), class_ids=("cat", "dog"))
    (misfit,) = decided.match(fewer).misfits
    assert (misfit.cause, misfit.reason) == ("class gone", "the class 'eel' no longer exists")


@pytest.mark.fault(77, "HOLDS")
def test_swapped_rows_are_never_matched_by_row_number(
    decided: Store, dataset: StoreDataset
) -> None:
    swapped = replace(dataset, ids=("e1", "e0", *dataset.ids[2:]))
    assert {each.cause for each in decided.match(swapped).misfits} == {"content changed"}


def test_a_renamed_class_with_an_id_of_its_own_keeps_its_decisions(
    dataset: StoreDataset, url: str, opened: Callable[..., Store]
) -> None:
    ids = ("n1", "n2", "n3")
    store = opened(replace(dataset, class_ids=ids), url)
    store.decide("e0", "relabel", label="dog", curator="ana")
    store.decide("e2", "ambiguous", labels=["dog", "eel"], curator="ana")
    renamed = replace(dataset, class_ids=ids, class_names=("cat", "hound", "eel"))
    first, second = store.match(renamed).fitting
    assert first.label == "hound" and second.labels == ("hound", "eel")


def test_a_store_opened_on_a_changed_dataset_applies_only_what_fits(
    decided: Store, dataset: StoreDataset, url: str, opened: Callable[..., Store]
) -> None:
    changed = replace(dataset, content=Texts(("other", *dataset.content.texts[1:])))
    store = opened(changed, url)
    assert [each.example_id for each in store.current()] == ["e1", "e2"]
    assert [each.decision.example_id for each in store.misfits()] == ["e0"]
    assert store.counts()["relabel"] == 0 and store.counts()["keep"] == 1
    store.decide("e0", "keep", curator="ana")
    assert store.misfits() == [] and len(store.current()) == 3


@pytest.mark.fault(43, "HOLDS")
def test_content_that_cannot_be_read_can_still_be_decided(
    local_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Texts, row: int) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Texts, "digest", fail)
    assert local_store.decide("e0", "exclude", curator="ana").content_hash == "unreadable"


def test_a_class_whose_name_moved_to_another_id_loses_its_decisions(
    decided: Store, dataset: StoreDataset
) -> None:
    numbered = replace(dataset, class_ids=("0", "1", "2"))
    decided.dataset = numbered
    decided.decide("e3", "relabel", label="eel", curator="ana")
    swapped = replace(numbered, class_names=("cat", "eel", "dog"))
    misfits = {each.decision.example_id: each for each in decided.match(swapped).misfits}
    assert misfits["e3"].cause in ("class renumbered", "given label changed")
    assert "'eel'" in misfits["e3"].reason or "'dog'" in misfits["e3"].reason


def test_a_class_that_is_only_renamed_keeps_its_decisions(
    store: Store, dataset: StoreDataset
) -> None:
    numbered = replace(dataset, class_ids=("0", "1", "2"))
    store.dataset = numbered
    store.decide("e0", "relabel", label="dog", curator="ana")
    matched = store.match(replace(numbered, class_names=("cat", "hound", "eel")))
    assert [each.label for each in matched.fitting] == ["hound"] and not matched.misfits


def write_table(path: Path, labels: list[str]) -> Path:
    """Write examples that have neither ids nor content: labels and probabilities alone."""
    rows = "".join(f"{label},0.3,0.7\n" for label in labels)
    path.write_text(f"label,p_cat,p_dog\n{rows}")
    return path


@pytest.mark.fault(77, "HOLDS")
def test_decisions_by_row_number_do_not_apply_to_another_table(tmp_path: Path) -> None:
    train = curation.load(write_table(tmp_path / "train.csv", ["cat", "dog"] * 10))
    test = curation.load(write_table(tmp_path / "test.csv", ["cat", "dog", "dog"] * 7))
    with curation.open_store(train) as store:
        store.decide("0", "relabel", label="dog", curator="ana")  # a cat there as well
        assert len(store.current()) == 1
    with curation.open_store(test) as other:
        assert other.current() == []
        (misfit,) = other.misfits()
        assert "only its row number is known" in misfit.reason
        exported = curation.export(test, other, tmp_path / "out")
    assert exported.counts["labels_changed"] == 0 and exported.counts["misfits"] == 1


def test_other_probabilities_keep_decisions_by_row_number(tmp_path: Path) -> None:
    path = write_table(tmp_path / "all.csv", ["cat", "dog"] * 10)
    with curation.open_store(curation.load(path)) as store:
        store.decide("0", "relabel", label="dog", curator="ana")
    path.write_text(path.read_text().replace("0.3,0.7", "0.2,0.8"))
    dataset = curation.load(path)
    with curation.open_store(dataset) as store:
        assert len(store.current()) == 1
        assert curation.export(dataset, store, tmp_path / "out").counts["labels_changed"] == 1


def test_an_added_class_fits_until_its_example_changes(store: Store, dataset: StoreDataset) -> None:
    store.decide("e0", "relabel", new_class="Zebra", curator="ana")
    more = replace(
        dataset, class_names=("cat", "dog", "eel", "fox"), class_ids=("c", "d", "e", "f")
    )
    assert store.match(
        replace(dataset, class_ids=("cat", "dog", "eel"), probabilities="p2")
    ).fitting
    assert [each.cause for each in store.match(more).misfits] == ["given label changed"]


def test_a_dataset_that_gained_the_added_class_takes_it_as_its_own(
    store: Store, dataset: StoreDataset
) -> None:
    store.decide("e0", "relabel", new_class="Zebra", curator="ana")
    names = ("cat", "dog", "eel", "zebra")
    grown = replace(dataset, class_names=names, class_ids=names)
    (decision,) = store.match(grown).fitting
    assert (decision.label, decision.label_id) == ("zebra", "zebra")
    relabelled = replace(grown, labels=np.array([3, 1, 0, 1, 0, 1]))
    (misfit,) = store.match(relabelled).misfits
    assert misfit.reason == "it was 'cat' when judged and is 'zebra' now, as was decided"
    store.decide("e1", "ambiguous", labels=["dog"], new_class="Zebra", curator="ana")
    both = store.match(grown).fitting[-1]
    assert (both.labels, both.label_ids) == (("dog", "zebra"), ("dog", "zebra"))
