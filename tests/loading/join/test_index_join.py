"""Row numbers in both files that show which one was shuffled, and options without effect."""

import numpy as np
import pandas as pd
import pytest

import curation
from curation.report import Severity
from tests.problems import noisy_problem

NAMES = np.array(["ant", "bee", "cow"])


@pytest.fixture
def problem():
    labels, probs, _ = noisy_problem(np.random.default_rng(0), n=200, m=3, noise=0.05, sharpness=9)
    texts = [f"text {row}" for row in range(200)]
    examples = pd.DataFrame({"label": NAMES[labels], "text": texts})
    return examples, pd.DataFrame(probs, columns=[f"p_{name}" for name in NAMES])


def shuffle(table, seed=0):
    return table.sample(frac=1, random_state=seed)


@pytest.mark.fault(
    27,
    "BLOCK",
    says="The first columns of both files (… and …) hold the same numbers in different "
    "orders. Joined by position, the model agrees with … % of the labels; joined by "
    "these numbers, with 88 %. Join by these numbers: id_column=…",
)
@pytest.mark.parametrize(
    ("mine", "theirs"), [("", ""), ("Unnamed: 0", "Unnamed: 0"), ("nr", "zeile"), ("index", "")]
)
@pytest.mark.parametrize("both", [False, True])
def test_shuffled_file_is_joined_by_the_row_numbers_if_asked(tmp_path, problem, mine, theirs, both):
    examples, probs = problem
    (shuffle(examples, 1) if both else examples).to_csv(tmp_path / "labels.csv", index_label=mine)
    shuffle(probs).to_csv(tmp_path / "probs.csv", index_label=theirs)
    report = curation.check(tmp_path)
    (found,) = report.of(Severity.BLOCK)
    assert found.code == "rows.index_join" and found.override == {"id_column": mine}
    assert f"({mine!r} and {theirs!r}) hold the same numbers in different orders" in found.what
    dataset = curation.load(tmp_path, **found.override)
    for row in range(0, 200, 7):
        number = int(dataset.content.text(row).split()[1])
        assert dataset.pred_probs[row].tolist() == pytest.approx(probs.iloc[number].tolist())
    assert "rows.index_join" not in {each.code for each in dataset.report.diagnoses}


def test_row_numbers_that_would_not_restore_agreement_are_left_alone(tmp_path, problem):
    examples, probs = problem
    together = shuffle(examples.join(probs))
    together[["label", "text"]].to_csv(tmp_path / "labels.csv")  # shuffled row numbers
    together[probs.columns].reset_index(drop=True).to_csv(tmp_path / "probs.csv")  # new ones
    report = curation.check(tmp_path)
    assert not report.blocked and "rows.index" in {each.code for each in report.diagnoses}


def test_other_numbers_in_the_first_column_are_no_row_numbers(tmp_path, problem):
    examples, probs = problem
    examples.insert(0, "age", np.arange(200) % 50)
    probs.insert(0, "seconds", np.arange(200)[::-1] % 40)
    examples.to_csv(tmp_path / "labels.csv", index=False)
    probs.to_csv(tmp_path / "probs.csv", index=False)
    assert not curation.check(tmp_path).blocked


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"id_column": ""}, "there is no column ''"),
        ({"positive_class": "ant"}, "positive_class='ant' has no effect: there are 3 columns of"),
    ],
)
def test_an_option_without_effect_is_refused(tmp_path, problem, options, words):
    examples, probs = problem
    examples.to_csv(tmp_path / "labels.csv", index=False)
    probs.to_csv(tmp_path / "probs.csv", index=False)
    report = curation.check(tmp_path, **options)
    assert report.blocked and words in report.of(Severity.BLOCK)[0].what


@pytest.mark.parametrize("option", ["id_column", "image_column", "text_column", "delimiter"])
def test_an_option_about_a_table_is_refused_where_there_is_none(tmp_path, problem, option):
    examples, probs = problem
    np.save(tmp_path / "labels.npy", examples["label"].to_numpy().astype("U3"))
    probs.to_csv(tmp_path / "probs.csv", index=False)
    assert not curation.check(tmp_path).blocked
    (found,) = curation.check(tmp_path, **{option: ";"}).of(Severity.BLOCK)
    assert found.code == "manifest.no_effect" and f"{option}=';' has no effect" in found.what
