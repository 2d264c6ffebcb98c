"""The certificate: one true sentence, and all that is needed to check it."""

from __future__ import annotations

import copy
import json
import math

import numpy as np
import pytest

from curation.errors import InputError
from curation.review.audits import judge_audit
from curation.review.certificate import certify, certify_log, list_figures, make_sentence
from curation.review.certificate_check import read_certificate, verify
from curation.store import from_jsonl, to_jsonl
from tests.audited import SIZE, Audited


@pytest.fixture(scope="module")
def pets(tmp_path_factory):
    return Audited(tmp_path_factory.mktemp("certificate") / "pets")


@pytest.fixture(scope="module")
def log(pets):
    """Five decisions, an audit of 40 of which 30 are judged by two curators, and its close."""
    with pets.open() as store:
        pets.judge(store, pets.findings.issues()[:5].tolist())
        audit = pets.draw(store, size=40)
        pets.judge(store, audit.rows[:20], curator="ana")
        pets.judge(store, audit.rows[20:30], curator="ben")
        store.close_audit(audit.name, curator="ben")
        return store.log()


def make(pets, log):
    return certify(pets.dataset, pets.findings, log)


def check(pets, log, said):
    return verify(said, pets.dataset, pets.findings, log)


def test_it_says_what_the_audit_proves(pets, log):
    certificate = make(pets, log)
    quality, content = certificate.judged.quality, certificate.content
    share = math.ceil(1000 * quality.total_errors.high / SIZE) / 10
    assert certificate.sentence == (
        f"At most {share:g} % of the 300 labels are wrong (95 %), however often it was looked at."
    )
    assert content["figures"]["total_errors"]["high"] == quality.total_errors.high
    assert content["judged_by"] == {"ana": 20, "ben": 10}
    assert content["counts"]["judged"] == 30 and content["counts"]["known_before"] == 5
    assert (content["audit"]["seed"], content["audit"]["closed_by"]) == (7, "ben")
    assert content["dataset"]["fingerprint"] == pets.dataset.fingerprint
    assert content["date"] == log[-1].time


def test_the_ends_of_intervals_are_not_rounded(pets, log):
    certificate = make(pets, log)
    for name, interval in list_figures(certificate.judged.quality).items():
        figure = certificate.content["figures"][name]
        assert (figure["low"], figure["high"]) == (interval.low, interval.high)


def test_before_the_first_verdict_nothing_is_said_to_be_measured(tmp_path):
    pets = Audited(tmp_path / "pets")
    with pets.open() as store:
        pets.judge(store, [0, 1, 2, 3])  # known labels bring the upper end below all labels
        pets.draw(store, size=40)
        content = make(pets, store.log()).content
    assert content["figures"]["total_errors"]["high"] < SIZE
    assert content["sentence"].startswith("Nothing is known about the 300 labels yet")
    assert content["after_cleaning"] == "How many are wrong is not measured yet."


def test_a_closed_audit_lists_who_judged_what(pets, log):
    certificate = make(pets, log)
    sample = certificate.content["sample"]
    assert [each["id"] for each in sample] == certificate.judged.audit.stored["ids"]
    first = certificate.judged.plan.rows[0]
    wrong = pets.true[first] != pets.dataset.labels[first]
    assert sample[0]["verdict"] == ("wrong" if wrong else "right")
    assert [each["curator"] for each in sample[0]["decisions"]] == ["ana"]
    assert sample[30]["verdict"] is None and sample[30]["decisions"] == []


def test_an_open_audit_keeps_its_examples_to_itself(pets, log):
    content = make(pets, log[:-1]).content
    assert content["sample"] is None and content["audit"]["closed_by"] is None
    assert content["counts"]["judged"] == 30


def test_without_an_audit_nothing_is_certified(pets, log):
    certificate = certify_log(pets.dataset, log[:5], pets.findings, "argmax")
    assert certificate.content["audit"] is None
    assert certificate.sentence == "No audit was drawn, so nothing is certified about these labels."


def test_an_audit_with_other_settings_is_analysed_with_its_own(pets, log):
    import curation

    other = curation.analyze(
        pets.dataset.labels, pets.dataset.pred_probs, pets.dataset.class_names, threshold=90
    )
    assert certify_log(pets.dataset, log, other, "argmax").content == make(pets, log).content


def test_it_is_made_again_from_the_exported_log(pets, log):
    certificate = json.loads(json.dumps(make(pets, log).content))
    found = check(pets, from_jsonl(to_jsonl(log)), certificate)
    assert found.is_true and not found.added and found.sentence == certificate["sentence"]


def test_later_entries_do_not_count_in_it(pets, log):
    early = make(pets, log[:-8]).content
    found = check(pets, log, early)
    assert found.is_true and found.added == 8


def edited(content, *path, value):
    changed = copy.deepcopy(content)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("audit", "seed"), 8, "The seed was changed: the certificate says 8, the log 7."),
        (("audit", "method"), "both", "The method was changed"),
        (("figures", "total_errors", "high"), 3, "The figures were changed: total errors, high"),
        (("sentence",), "At most 1 % of the 300 labels are wrong.", "its sentence is not what"),
        (("confidence",), 0.5, "The figures were changed"),
        (("judged_by",), {"eve": 30}, "its judged by is not what the log gives"),
        (("dataset", "fingerprint"), "0" * 64, "The data was changed"),
        (("log", "sha256"), "0" * 64, "The log was changed: its first 37 entries"),
        (("log", "entries"), 3, "The log was changed: it has 37 entries"),
    ],
)  # fmt: skip
def test_what_was_changed_in_it_is_named(pets, log, path, value, words):
    found = check(pets, log, edited(make(pets, log).content, *path, value=value))
    assert not found.is_true and any(words in problem for problem in found.problems)


def test_a_changed_verdict_in_the_log_is_found(pets, log):
    said = make(pets, log).content
    lines = to_jsonl(log).splitlines()
    place = next(k for k, line in enumerate(lines) if k > 6 and '"action": "keep"' in line)
    lines[place] = lines[place].replace('"action": "keep"', '"action": "exclude"')
    found = check(pets, from_jsonl("\n".join(lines)), said)
    assert "The log was changed: its first 37 entries are not those" in found.problems[0]
    assert any("The figures were changed: total errors" in each for each in found.problems)


def test_a_seed_changed_in_the_log_is_found(pets, log):
    said = make(pets, log).content
    changed = from_jsonl(to_jsonl(log).replace('"seed": 7', '"seed": 8'))
    problems = " ".join(check(pets, changed, said).problems)
    assert "The seed was changed: the certificate says 7, the log 8." in problems
    assert "The stored rows are not the ones that seed 8 draws." in problems


def test_changed_labels_are_found(pets, log, tmp_path):
    said = make(pets, log).content
    other = Audited(tmp_path / "other")
    labels = np.load(other.folder / "labels.npy")
    labels[0] = (labels[0] + 1) % 3
    np.save(other.folder / "labels.npy", labels)
    other.load()
    problems = check(other, log, said).problems
    assert "The data was changed: the labels of this dataset are not" in problems[0]
    assert "It cannot be made again" in problems[-1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "cannot be read: it is not JSON"),
        ("[]", "certifies nothing: it has no certificate_version"),
        ('{"audit": null}', "certifies nothing: it has no certificate_version"),
    ],
)
def test_a_file_that_is_not_a_certificate_is_refused(tmp_path, text, words):
    file = tmp_path / "certificate.json"
    file.write_text(text)
    with pytest.raises(InputError) as error:
        read_certificate(file)
    assert words in error.value.problem


def test_all_labels_judged_are_counted_and_not_estimated(tmp_path):
    pets = Audited(tmp_path / "pets")
    with pets.open() as store:
        audit = pets.draw(store, size=SIZE)
        pets.judge(store, audit.rows)
        quality = judge_audit(audit, pets.dataset, pets.findings, store.log()).quality
    assert make_sentence(quality, SIZE) == (
        f"Exactly {pets.num_wrong} of the 300 labels are wrong: all of them were judged."
    )
