"""curation.toml names the parts; it says what arguments say, and gives way to them."""

import inspect
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import curation
from curation.errors import InputError
from curation.loading.overrides import HELP, Options, parse_options, write_manifest
from curation.loading.report_builder import Stop


def test_manifest_names_the_parts(whole):
    (whole.root / "labels.csv").rename(whole.root / "a.csv")
    (whole.root / "probs.npy").rename(whole.root / "b.npy")
    whole.write("other.csv", "id,label\n")
    whole.write("curation.toml", 'name = "mine"\nlabels = "a.csv"\nprobs = "b.npy"\n')
    for path in (whole.root, whole.root / "curation.toml"):
        dataset = curation.load(path)
        assert (dataset.name, dataset.settings["labels"]) == ("mine", "a.csv")


def test_help_of_load_names_every_override():
    assert [key for key in HELP if f"`{key}`: {HELP[key]}" not in curation.load.__doc__] == []


def test_arguments_override_the_manifest(whole):
    whole.write("curation.toml", 'labels = "nowhere.csv"\n')
    assert "there is no such file" in whole.blocked().problem
    assert len(whole.load(labels="labels.csv")) == 30


def test_unknown_setting_is_named_with_the_known_ones(whole):
    whole.write("curation.toml", 'lables = "a.csv"\n')
    error = whole.blocked()
    assert "curation.toml: unknown settings: 'lables'" in error.problem
    assert "labels, probs, classes" in error.remedy
    (whole.root / "curation.toml").unlink()
    assert "unknown settings: 'lable'" in whole.blocked(lable="x").problem


def test_broken_manifest_is_reported(whole):
    whole.write("curation.toml", "labels = \n")
    assert "not valid TOML" in whole.blocked().problem
    whole.write("curation.toml", b"\xff\xfe")
    assert "not valid TOML" in whole.blocked().problem


def test_manifest_cannot_reach_outside(whole):
    np.save(whole.root.parent / "secret.npy", whole.probs)
    whole.write("curation.toml", 'probs = "../secret.npy"\n')
    assert "outside the dataset's folder" in whole.blocked().problem


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("convert", "logits"),
        ("labels_are", "names"),
        ("shift_labels", "1"),
        ("shift_labels", True),
        ("delimiter", "::"),
        ("delimiter", '"'),
        ("probs", []),
        ("probs", [1]),
        ("drop_rows", "yes"),
        ("memory_limit_gb", -1),
        ("labels", 3),
    ],
)
def test_values_that_mean_nothing_are_refused(key, value):
    with pytest.raises(Stop, match=f"{key} = .* cannot be used"):
        parse_options({key: value}, "overrides")


def test_every_option_is_explained():
    assert set(HELP) == set(Options.__dataclass_fields__)


def test_settings_that_were_found_can_be_saved_and_read_again(whole):
    dataset = whole.load(class_order=["cat", "dog", "eel"], drop_rows=True)
    write_manifest(whole.root / "curation.toml", dataset.settings)
    again = whole.load()
    assert dict(again.settings) == dict(dataset.settings)
    assert again.fingerprint == dataset.fingerprint


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_a_manifest(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("toml") / "curation.toml"
    write_manifest(path, {"name": text, "probs": [text, "b"]})
    assert tomllib.loads(path.read_bytes().decode()) == {"name": text, "probs": [text, "b"]}


def test_manifest_with_equal_settings_in_another_layout_is_left_alone(tmp_path):
    path = tmp_path / "curation.toml"
    path.write_text('probs = ["a.npy", "b.npy"]  # my own note\nname = "mine"\n')
    before = path.read_bytes()
    write_manifest(path, {"name": "mine", "probs": ["a.npy", "b.npy"]})
    assert path.read_bytes() == before


def test_manifest_with_other_settings_is_never_overwritten(tmp_path):
    path = tmp_path / "curation.toml"
    for text in ('name = "other"\n', "name = \n"):
        path.write_text(text)
        with pytest.raises(InputError, match="already exists with other settings"):
            write_manifest(path, {"name": "mine"})
        assert path.read_text() == text


def test_help_names_every_override():
    told = (inspect.getdoc(curation.load) or "").replace("`", "")
    assert [name for name in HELP if f"{name}: {HELP[name]}" not in told] == []
