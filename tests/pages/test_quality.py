"""What the Quality page says before, during and after an audit."""

from __future__ import annotations

import re

import numpy as np
import pytest

from curation.ui.quality import quality_state
from curation.ui.shell import curator_name
from tests.audited import SIZE, Audited
from tests.pages.visiting import link, run, seen

PAGE = "pages/5_Quality.py"


@pytest.fixture
def audited(tmp_path, monkeypatch):
    monkeypatch.setattr(curator_name, "_remembered_curator", lambda: "ana")
    return Audited(tmp_path / "audited")


def visit(audited, **parameters):
    page = run(audited.folder, PAGE, **parameters)
    assert not page.exception
    return page


def test_without_decisions_it_explains_and_offers_an_audit(audited):
    page = visit(audited)
    assert "not measured" in seen(page) and "Judge 10 more labels to get advice." in seen(page)
    assert "Confident learning alone, from this model, estimates" in seen(page)
    assert "An audit measures how far off that is." in seen(page)
    assert page.button(key="quality-draw")


def test_figures_that_a_later_visitor_drops_are_shown_all_the_same(audited, monkeypatch):
    class Dropped(dict):
        def __setitem__(self, key, value):
            """Keep nothing, as if another thread had cleared it."""

    keep = quality_state.of_dataset
    monkeypatch.setattr(
        quality_state, "of_dataset", lambda *given: Dropped() if given[2] is dict else keep(*given)
    )
    assert "not measured" in seen(visit(audited))


def test_an_audit_is_drawn_by_the_seed_on_screen_and_stored(audited):
    page = visit(audited)
    page.number_input(key="quality-size").set_value(40)
    page.number_input(key="quality-seed").set_value(7)
    page.button(key="quality-draw").click().run()
    assert not page.exception
    assert "0 of 40 audited, seed 7" in seen(page) and "40 labels left to judge" in seen(page)
    with audited.open() as store:
        (entry,) = store.audits()
    assert (entry.curator, entry.plan["seed"], len(entry.plan["rows"])) == ("ana", 7, 40)


def test_the_typed_size_and_seed_last_while_another_page_is_open(audited):
    page = visit(audited)
    page.number_input(key="quality-size").set_value(41).run()
    page.number_input(key="quality-seed").set_value(77).run()
    page.switch_page("pages/1_Noise.py").run()
    page.switch_page(PAGE).run()
    assert page.number_input(key="quality-size").value == 41
    assert page.number_input(key="quality-seed").value == 77


def test_before_the_first_verdict_nothing_is_measured(audited):
    with audited.open() as store:
        audited.judge(store, [0, 1, 2])
        audited.draw(store)
    page = visit(audited)
    assert "not measured yet" in seen(page) and "At most" not in seen(page)
    assert "The band is a forecast" not in seen(page), "there is none yet"


def test_each_popover_has_a_name_of_its_own_so_that_it_shuts(audited):
    def names(page):
        shown = [each.proto for each in page.get("popover")]
        return {each.id for each in shown if each.popover.label.endswith("audit")}

    page = visit(audited)
    before = names(page)
    page.button(key="quality-draw").click().run()
    after = names(page)
    assert before and after and "" not in before | after and not before & after


def test_what_was_decided_before_is_never_drawn(audited):
    with audited.open() as store:
        audited.judge(store, list(range(10)))
    page = visit(audited)
    page.number_input(key="quality-size").set_value(SIZE)
    page.button(key="quality-draw").click().run()
    with audited.open() as store:
        assert store.audits()[0].plan["known"] == list(range(10))


def test_an_open_audit_shows_figures_and_the_way_on(audited):
    with audited.open() as store:
        audit = audited.draw(store)
        audited.judge(store, audit.rows[:30])
    page = visit(audited)
    words = seen(page)
    assert "At most" in words and "30 of 40 audited, seed 7" in words
    assert "10 labels left to judge, by anybody." in words
    assert "may be wrong (forecast: " in words and "The band is a forecast" in words
    assert "The upper end can only fall as more is judged" in words
    assert "wrong labels that nobody has found" in words
    assert not any(f"<td>{each}</td>" in words for each in audit.stored["ids"])


def test_a_verdict_after_a_gap_is_reported_as_waiting(audited):
    with audited.open() as store:
        audit = audited.draw(store)
        audited.judge(store, audit.rows[1:4])
    assert "3 verdicts will count once the labels drawn before are judged." in seen(visit(audited))


def test_closing_is_stored_and_another_audit_can_be_drawn(audited):
    with audited.open() as store:
        audit = audited.draw(store, curator="ben")
        audited.judge(store, audit.rows)
    page = visit(audited)
    page.button(key="quality-close").click().run()
    assert not page.exception
    assert "closed by ana" in seen(page) and page.button(key="quality-draw")
    with audited.open() as store:
        assert store.audits()[-1].target == audit.name


def test_errors_found_after_the_close_are_no_longer_left(audited):
    with audited.open() as store:
        audit = audited.draw(store)
        audited.judge(store, audit.rows)
        store.close_audit(audit.name, curator="ana")
        audited.judge(store, sorted(set(range(SIZE)) - set(audit.rows)))
    words = seen(visit(audited))
    assert f">{audited.num_wrong}<" in words, "all errors are found"
    assert "40 of 40 audited" in words


def read_table(page, place):
    """Return the cells of one of the small tables of the page, its head first."""
    table = re.findall(r'<table class="cu-table">(.*?)</table>', seen(page), re.DOTALL)[place]
    rows = re.findall(r"<tr>(.*?)</tr>", table)
    return [
        [re.sub("<.*?>", " ", cell).strip() for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)]
        for row in rows
    ]


def test_the_methods_are_compared_once_enough_is_judged(audited):
    with audited.open() as store:
        audit = audited.draw(store)
        audited.judge(store, audit.rows[:19])
    page = visit(audited)
    assert "Of what you have judged so far." in seen(page)
    assert read_table(page, 0)[0] == [
        "method", "flagged", "judged", "of these wrong", "share of errors found",
    ]  # fmt: skip
    with audited.open() as store:
        audited.judge(store, audit.rows[19:])
    page = visit(audited)
    assert "No recommendation: the intervals overlap" in seen(page)
    head, *rows = read_table(page, 0)
    assert head == ["method", "flagged", "of these wrong", "share of errors found"]
    assert rows[1][0] == "Confident joint" and " to " in rows[0][3]


def test_what_an_error_is_worth_is_kept_in_the_link_and_changes_the_advice(audited):
    with audited.open() as store:
        audited.judge(store, audited.findings.issues()[:30].tolist())
    page = visit(audited, worth="100")
    assert link(page)["worth"] == "100" and "worth 100 reviews to you" in seen(page)
    assert "worth 10 reviews to you" in seen(visit(audited))


def test_precision_is_shown_by_pair(audited):
    rows = audited.findings.issues()[:12]
    with audited.open() as store:
        audited.judge(store, rows.tolist())
    page = visit(audited)
    assert "Of 12 flagged labels judged right or wrong." in seen(page)
    _, *pairs = read_table(page, -1)
    assert sum(int(judged) for _, _, judged, _, _ in pairs) == 12
    wrong = (audited.true != audited.dataset.labels)[rows].sum()
    assert sum(int(each) for _, _, _, each, _ in pairs) == wrong


def test_settings_that_differ_from_the_audits_are_reported_and_fixed_with_a_click(audited):
    with audited.open() as store:
        audit = audited.draw(store)
        audited.judge(store, audit.rows)
    page = visit(audited, threshold="90")
    assert "other settings are chosen now" in seen(page)
    page.button(key="quality-settings").click().run()
    assert "40 of 40 audited, seed 7" in seen(page) and "threshold" not in link(page)


def test_a_dataset_that_changed_since_the_audit_is_reported(audited):
    with audited.open() as store:
        audited.draw(store)
    labels = np.load(audited.folder / "labels.npy")
    labels[0] = (labels[0] + 1) % 3
    np.save(audited.folder / "labels.npy", labels)
    words = seen(visit(audited)).replace("\\", "")
    assert "The audit no longer fits the dataset: the labels have changed" in words
    assert "not measured" in words


def test_everything_decided_is_exact_and_nothing_can_be_drawn(audited):
    with audited.open() as store:
        audited.judge(store, list(range(SIZE)))
    page = visit(audited)
    assert "Every label is judged; nothing is left to review." in seen(page)
    page.button(key="quality-draw").click().run()
    assert "nothing is left to draw" in seen(page)


def test_the_certificate_can_be_downloaded(audited):
    with audited.open() as store:
        audited.draw(store)
    page = visit(audited)
    assert [each.label for each in page.get("download_button")] == [
        "Download certificate.html", "Download certificate.json",
    ]  # fmt: skip
