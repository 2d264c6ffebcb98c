"""What was in memory is written once, where the same data finds it again."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from curation.errors import InputError
from tests.session.conftest import open_data


def stamps(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}


def test_same_data_finds_its_folder_and_writes_nothing_large_again(memory, capsys):
    first = open_data(memory.texts, memory.probs, memory.labels)
    assert f"were written to {first.folder}." in capsys.readouterr().out
    before = stamps(first.folder)
    again = open_data(list(memory.texts), memory.probs.copy(), memory.labels)
    assert again.folder == first.folder and capsys.readouterr().out == ""
    after = stamps(first.folder)
    assert {n: after[n] for n in ("examples.parquet", "probs.npy")} == {
        n: before[n] for n in ("examples.parquet", "probs.npy")
    }
    assert not [path for path in first.folder.parent.iterdir() if path != first.folder]


@pytest.mark.parametrize("change", ["text", "label", "class", "picture", "index"])
def test_other_data_has_a_folder_of_its_own(memory, change):
    def open_frame(**other):
        frame = pd.DataFrame({"text": memory.texts, "label": memory.labels})
        frame["image"] = [Image.fromarray(each) for each in memory.pixels]
        for name, value in other.items():
            frame.at[7, name] = value
        return frame

    frames = {
        "text": open_frame(text="another"),
        "label": open_frame(label="eel"),
        "picture": open_frame(image=Image.new("RGB", (4, 6))),
        "index": open_frame().set_index(pd.RangeIndex(100, 160)),
    }
    names = ["cat", "dog", "eel"]
    first = open_data(open_frame(), memory.probs, class_names=names).folder
    names = ["cat", "dog", "eel" if change != "class" else "eel "]
    if change == "class":
        other = open_data(memory.texts, memory.probs, memory.codes, class_names=names).folder
        first = open_data(memory.texts, memory.probs, memory.codes, class_names="abc").folder
    else:
        other = open_data(frames[change], memory.probs, class_names=names).folder
    assert other != first


def test_decisions_stay_with_the_probabilities_of_another_model(memory):
    first = open_data(memory.texts, memory.probs, memory.labels)
    other = memory.probs[:, [1, 0, 2]]
    second = open_data(memory.texts, other, memory.labels)
    assert second.folder == first.folder
    assert np.array_equal(np.array(second.dataset.pred_probs), other)


def test_folder_of_ones_own_choice(memory, tmp_path, user_data):
    prepared = open_data(memory.texts, memory.probs, memory.labels, folder=tmp_path / "mine")
    assert prepared.folder == tmp_path / "mine" and not user_data.exists()
    open_data(memory.texts[:50], memory.probs[:50], memory.labels[:50], folder=tmp_path / "mine")


def test_folder_with_other_files_is_left_alone(memory, tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "labels.csv").write_text("precious")
    with pytest.raises(InputError, match="it is not the folder of a session"):
        open_data(memory.texts, memory.probs, memory.labels, folder=tmp_path / "theirs")
    assert (tmp_path / "theirs" / "labels.csv").read_text() == "precious"
    assert len(list((tmp_path / "theirs").iterdir())) == 1


def test_error_of_the_callers_own_dataset_is_not_blamed_on_the_folder(memory):
    class Broken:
        def __len__(self):
            return 2

        def __getitem__(self, row):
            if row:
                raise FileNotFoundError(2, "No such file", "/their/picture.png")
            return memory.pixels[0], 0

    with pytest.raises(FileNotFoundError):
        open_data(Broken(), memory.probs[:2])
