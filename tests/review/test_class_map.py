from __future__ import annotations

import io

import numpy as np

NAMES = ["ant", "bee", "cow", "dog"]


def table(labels):
    return b"id,label\n" + b"".join(f"{k},{label}\n".encode() for k, label in enumerate(labels))


def whole(bench):
    bench.write("labels.csv", table(NAMES))
    return bench.probs([0, 1, 2, 3], 4)


def test_merges_are_written_only_on_request(bench):
    whole(bench).decide_classes("merge", "ant", "bee", into="bee")
    assert bench.cleaned() == table(NAMES)
    assert bench.cleaned(apply_merges=True) == table(["bee", "bee", "cow", "dog"])


def test_a_chain_of_merges_ends_in_one_class(bench):
    whole(bench).decide_classes("merge", "ant", "bee", into="bee")
    bench.decide_classes("merge", "bee", "cow", into="cow").relabel({3: "ant"})
    assert bench.cleaned(apply_merges=True) == table(["cow", "cow", "cow", "cow"])


def test_a_circle_of_merges_ends(bench):
    whole(bench).decide_classes("merge", "ant", "bee", into="bee")
    bench.decide_classes("merge", "bee", "cow", into="cow")
    bench.decide_classes("merge", "cow", "ant", into="ant")
    assert bench.cleaned(apply_merges=True) == table(["ant", "ant", "ant", "dog"])


def test_a_new_name_applies_to_all_merged_classes(bench):
    whole(bench).decide_classes("merge", "ant", "bee", into="insect")
    bench.decide_classes("rename", "cow", into="=cattle, all")
    assert bench.cleaned(apply_merges=True) == table(["insect", "insect", '"=cattle, all"', "dog"])
    assert bench.plan().classes.becomes == (0, 0, 2, 3)


def test_two_classes_can_swap_names(bench):
    whole(bench).decide_classes("rename", "ant", into="bee")
    bench.decide_classes("rename", "bee", into="ant")
    assert bench.cleaned(apply_merges=True) == table(["bee", "ant", "cow", "dog"])
    assert bench.plan().classes.warnings == ()


def test_a_new_name_shared_by_two_classes_gives_a_warning(bench):
    whole(bench).decide_classes("rename", "ant", into="bee")
    assert "2 classes are now called 'bee'." in bench.plan().classes.warnings


def test_numeric_labels_stay_numbers_when_classes_are_renamed(bench):
    np.save(bench.root / "labels.npy", np.arange(4, dtype=np.int8))
    bench.probs([0, 1, 2, 3], 4).decide_classes("merge", 1, 3, into="insect")
    after = np.load(io.BytesIO(bench.cleaned(apply_merges=True)))
    assert after.dtype == np.int8 and after.tolist() == [0, 1, 2, 1]


def test_distinct_classes_that_others_merged_give_a_warning(bench):
    whole(bench).decide_classes("distinct", "ant", "cow")
    bench.decide_classes("merge", "ant", "bee", into="bee")
    bench.decide_classes("merge", "bee", "cow", into="cow")
    assert any("called distinct" in each for each in bench.plan().classes.warnings)


def test_the_class_map_says_what_and_why(bench):
    whole(bench).decide_classes("merge", "ant", "bee", into="bee", note="same thing")
    bench.export()
    lines = (bench.out / "class_map.csv").read_text().splitlines()
    assert lines[1] == (
        "0,ant,ant,ant,1,bee,bee,bee,False,merge of 'ant' and 'bee' into 'bee' by ana (same thing)"
    )
    assert lines[3] == "2,cow,cow,cow,2,cow,cow,cow,False,"
    assert any(
        "class_map.csv lists them; the cleaned labels keep the given classes" in note
        for note in bench.manifest["notes"]
    )
