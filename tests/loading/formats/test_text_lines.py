"""Text files with one label per line: read, and written back with only decided lines changed."""

import numpy as np
import pytest

from curation.errors import BlockedError

NAMES = ["cat", "dog", "eel"]
LINES = [NAMES[k % 3] for k in range(6)]


@pytest.fixture
def pets(bench):
    return bench.classes(NAMES).probs([0, 1, 2, 0, 1, 2])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_only_decided_lines_change(pets, end, last):
    before = end.join(LINES) + end * last
    pets.write("labels.txt", before.encode())
    assert pets.cleaned() == before.encode()
    assert pets.relabel({1: "eel"}).cleaned() == before.replace("dog", "eel", 1).encode()


def test_header_and_byte_order_mark_stay(pets):
    before = "\ufefflabel\n" + "\n".join(LINES) + "\n"
    pets.write("labels.txt", before.encode())
    assert len(pets.dataset) == 6
    assert pets.relabel({1: "eel"}).cleaned() == before.replace("dog", "eel", 1).encode()


def test_file_names_before_the_labels_stay(pets):
    before = "".join(f"a picture {k}.jpg\t{label}\n" for k, label in enumerate(LINES)).encode()
    pets.write("labels.txt", before)
    assert pets.dataset.kind == "image"
    assert pets.relabel({1: "eel"}).cleaned() == before.replace(b"\tdog", b"\teel", 1)


def test_line_that_is_excluded_is_left_out(pets):
    pets.write("labels.txt", "\n".join(LINES).encode())
    assert pets.decide(1, "exclude").cleaned() == b"cat\neel\ncat\ndog\neel"


def test_other_text_files_are_not_taken_for_labels(whole):
    whole.write("README.txt", "cat\ndog\n")
    whole.write("requirements.txt", "numpy\n")
    assert whole.load().settings["labels"] == "labels.csv"


def test_matrix_of_np_savetxt_is_read(folder):
    folder.write("labels.csv", folder.table())
    np.savetxt(folder.root / "probs.txt", folder.probs, header="cat dog eel")
    np.testing.assert_allclose(np.asarray(folder.load().pred_probs), folder.probs, rtol=1e-6)


def test_line_of_words_among_probabilities_is_named(folder):
    folder.write("labels.csv", folder.table())
    folder.write("probs.txt", "0.1 0.9 0\n0.1 x 0\n")
    assert "line 2" in folder.blocked().problem


def test_texts_after_the_labels_of_fasttext_stay(pets):
    before = "".join(f"__label__{label}  a text of {label}\n" for label in LINES).encode()
    pets.write("train.txt", before)
    assert pets.dataset.kind == "text" and pets.dataset.content.text(1) == "a text of dog"
    assert pets.relabel({1: "eel"}).cleaned() == before.replace(b"__label__dog", b"__label__eel", 1)


def test_two_labels_before_a_text_are_refused(pets):
    pets.write("train.txt", b"".join(b"__label__cat __label__dog a text\n" for _ in LINES))
    with pytest.raises(BlockedError, match="not every line has one __label__"):
        _ = pets.dataset
