"""What the experiment found: the sentence, the charts of Figure 5, and the table of Table 7."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from curation.charts import benefit_charts
from curation.charts.benefit_charts import Line, Role
from curation.modelling.benefit_result import (
    WAY_NAMES,
    Benefit,
    Score,
    write_gain,
    write_points,
)
from curation.modelling.benefit_split import AGAINST_NAMES
from curation.modelling.benefit_trial import Way
from curation.ui.overview.overview_charts import QUIET_CHART
from curation.ui.shell.setup import is_dark
from curation.ui.widgets.cards import make_card
from curation.ui.widgets.literal_text import in_markdown
from curation.wording import count_of, shorten

NAMED_CLASSES = 3  # of the noisiest, in the heading of their chart


def show_sentence(benefit: Benefit) -> None:
    """Show what cleaning was worth: in numbers, and in a sentence."""
    given, chosen = benefit.score("given"), benefit.score(benefit.method)
    cards = [
        make_card(_quote(benefit.method), _name_gain(chosen), write_gain(chosen.gain), first=True),
        make_card("As given", f"{100 * given.accuracy:.1f} %", "of held-out examples are right"),
        make_card(
            "Random examples", f"{write_points(benefit.score('random').gain.estimate)} points",
            "if as many of them are removed",
        ),
    ]  # fmt: skip
    if "decisions" in benefit.ways:
        score = benefit.score("decisions")
        cards.insert(1, make_card("Your decisions", _name_gain(score), write_gain(score.gain)))
    st.html(f'<div class="cu-cards cu-{len(cards)}">{"".join(cards)}</div>')
    for said in (benefit.sentence(), benefit.decisions_sentence()):
        if said:
            st.markdown(f"**{in_markdown(said)}**")
    st.caption(in_markdown(benefit.describe()[0]))


def _quote(way: Way) -> str:
    return f"“{WAY_NAMES[way]}”"


def _name_gain(score: Score) -> str:
    if not score.changed:
        return "changes nothing"
    if score.gain.is_up:
        return "helped"
    return "made it worse" if score.gain.is_down else "no measurable gain"


def show_charts(benefit: Benefit) -> None:
    """Show accuracy as more issues are removed, on all classes and on the noisiest."""
    with st.container(key="benefit-charts"):
        every, noisy = st.columns(2, gap="large")
    with every:
        st.subheader("All classes", anchor=False)
        st.caption(f"about {benefit.num_held_out:,.0f} held-out examples in each run")
        _show_chart(benefit, benefit.scores, "benefit-all")
    with noisy:
        names = [in_markdown(shorten(benefit.class_names[each], 24))
                 for each in benefit.noisy_classes[:NAMED_CLASSES].tolist()]  # fmt: skip
        more = len(benefit.noisy_classes) - len(names)
        st.subheader(f"The noisiest {'classes' if more or names[1:] else 'class'}", anchor=False)
        st.caption(f"{', '.join(names)}{f' and {more} more' if more else ''}")
        if benefit.noisy_scores is None:
            st.caption("Some runs held out no example of them.")
        else:
            _show_chart(benefit, benefit.noisy_scores, "benefit-noisy")
    st.caption(
        "The dotted line is the accuracy with the labels as given. Bars are the 95 % interval of "
        "the gain over it: a bar that does not reach the line is more than chance. The other "
        "methods are for comparison: the best of many looks better than it is."
    )


def _show_chart(benefit: Benefit, scores: Sequence[Score], key: str) -> None:
    lines = [_make_line(benefit, scores, way) for way in benefit.ways if way != "given"]
    figure = benefit_charts.accuracy_by_share(scores[0].accuracy, lines, dark=is_dark())
    st.plotly_chart(
        figure, config=QUIET_CHART, key=key,
        alt="Accuracy on held-out examples against the share of issues removed",
    )  # fmt: skip


def _make_line(benefit: Benefit, scores: Sequence[Score], way: Way) -> Line:
    mine = [score for score in scores if score.arm.way == way]
    role: Role = "other"
    if way == benefit.method:
        role = "chosen"
    elif way == "random" or way == "decisions":
        role = way
    before = scores[0].accuracy
    return Line(
        name=WAY_NAMES[way],
        role=role,
        shares=[score.arm.share for score in mine],
        accuracies=[score.accuracy for score in mine],
        lows=[before + score.gain.low for score in mine],
        highs=[before + score.gain.high for score in mine],
    )


def show_table(benefit: Benefit) -> None:
    """Show each way to clean, with all issues removed, as in the paper's Table 7."""
    st.subheader("With all issues removed", anchor=False)
    table = pd.DataFrame([_write_row(benefit.score(way)) for way in benefit.ways])
    right = st.column_config.TextColumn(alignment="right")
    st.dataframe(
        table, hide_index=True, width="stretch", key="benefit-table",
        column_config={name: right for name in table.columns[1:]},
    )  # fmt: skip
    every = pd.DataFrame([_write_numbers(score) for score in benefit.scores])
    st.download_button(
        "Download all figures as CSV", data=every.to_csv(index=False), file_name="benefit.csv",
        mime="text/csv", on_click="ignore", key="benefit-csv",
    )  # fmt: skip


def _write_row(score: Score) -> dict[str, str]:
    as_given = score.arm.way == "given"
    return {
        "trained on": WAY_NAMES[score.arm.way],
        "accuracy": f"{100 * score.accuracy:.1f} ± {100 * score.spread:.1f} %",
        "gain, points": "" if as_given else write_points(score.gain.estimate),
        "95 % interval": ""
        if as_given
        else f"{write_points(score.gain.low)} to {write_points(score.gain.high)}",
        "removed or changed": f"{score.changed:,.0f}",
    }


def _write_numbers(score: Score) -> dict[str, object]:
    return {
        "trained_on": score.arm.way,
        "share": score.arm.share,
        "accuracy": score.accuracy,
        "standard_deviation": score.spread,
        "gain": score.gain.estimate,
        "gain_low": score.gain.low,
        "gain_high": score.gain.high,
        "changed": score.changed,
    }


def show_reading(benefit: Benefit) -> None:
    """Show how it was measured, and what it does not say."""
    with st.expander("How this is measured"):
        against = AGAINST_NAMES[benefit.against]
        st.markdown(
            f"Accuracy is the share of held-out examples whose likeliest class is "
            f"{against.replace('the labels', 'the label').replace('labels', 'label')}. "
            "Pruned classes are weighted by the paper's "
            "$\\hat{Q}_{y^*}[i] / \\hat{Q}_{\\tilde{y},y^*}[i][i]$; with a share $s$ of the issues "
            "removed, by $1 + s\\,(w_i - 1)$."
        )
        for line in benefit.describe()[1:]:
            st.markdown(in_markdown(line))
    st.caption(
        f"{count_of(len(benefit.trials), 'run')} · {benefit.num_trained:,.0f} examples trained on "
        f"· {benefit.num_held_out:,.0f} held out · model {in_markdown(benefit.model)}, from "
        f"{in_markdown(benefit.features)}"
    )
