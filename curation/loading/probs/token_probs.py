"""The probability of each class, from those of the tokens that an answer could begin with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from curation.loading.formats.answer_records import TOKENS, BatchAnswers, ModelAnswers, read_cell
from curation.loading.formats.table import Table
from curation.loading.join.row_matching import Match
from curation.loading.report_builder import ReportBuilder, list_few, stop
from curation.loading.row_keys import Keys

FORMATS = (ModelAnswers.name, BatchAnswers.name)
ASK_AGAIN = "Ask again with logprobs=True and top_logprobs=20, the most there are."
MOST_REST = 0.05  # of the probability, that may belong to other tokens without being asked about
Tokens = Mapping[str, float]


def spread_tokens(table: Table, classes: Sequence[str], report: ReportBuilder) -> Table | None:
    """Return a table with a column for each class, from the answers of a language model.

    None for any other table. A class is known by its token, in any case and with or without a space
    before it. Nothing is filled in: a class whose token is not listed could be as likely as the
    last one that is.
    """
    if table.format not in FORMATS or TOKENS not in table.data.column_names or len(classes) < 2:
        return None
    answers = _read_answers(table)
    named = [_add_up(tokens, classes) for tokens in answers]
    _refuse_unlisted(table, answers, named, classes)
    rest = max(1 - sum(each.values()) for each in named)
    if rest <= MOST_REST:
        named = [_rescale(each) for each in named]
    report.add_auto_fix(
        code="probs.tokens",
        where=table.name,
        what=f"the probability of each class is that of the token {list_few(classes)} at the "
        f"beginning of the answer; other tokens have at most {max(rest, 0):.2g}"
        f"{', and are left out' if rest <= MOST_REST else ''}.",
        fix="If the class is named later in the answer, have it named first, and ask again.",
        why="A language model gives probabilities to tokens, and not to classes.",
        count=len(named),
    )
    columns = {name: pa.array([each[name] for each in named], pa.float64()) for name in classes}
    return replace(table, data=pa.table(columns), kinds={})


def _read_answers(table: Table) -> list[Tokens]:
    cells = table.data.column(TOKENS).to_pylist()
    missing = [row for row, cell in enumerate(cells) if not cell]
    if missing:
        raise stop(
            code="probs.no_logprobs",
            where=table.name,
            what=f"{len(missing)} of {len(cells)} answers have no logprobs, or failed.",
            fix=ASK_AGAIN,
            why="The answer alone does not tell how sure the model is of each class.",
            count=len(missing),
            first_rows=(f"row {row}" for row in missing),
        )
    read = [read_cell(cell) for cell in cells]
    cut = [row for row, (_, goes_on) in enumerate(read) if goes_on]
    if cut:
        raise stop(
            code="probs.top_tokens",
            where=f"{table.name}, row {cut[0]}",
            what="the word goes on after the first token, which may begin several classes.",
            fix="Have the model answer with a single token for each class, such as A, B and C.",
            why="The probability of a class that takes several tokens is not in the answer.",
            count=len(cut),
            first_rows=(f"row {row}" for row in cut),
        )
    return [tokens for tokens, _ in read]


def _add_up(tokens: Tokens, classes: Sequence[str]) -> dict[str, float]:
    """Return the probability of each class that is among the tokens.

    >>> _add_up({"cat": math.log(0.5), " cat": math.log(0.25), "The": -3.0}, ["cat", "dog"])
    {'cat': 0.75}
    """
    folded = {name.casefold(): name for name in classes}
    alike = len(folded) < len(classes)  # classes that differ only in case are told by case
    found: dict[str, float] = {}
    for token, logprob in tokens.items():
        word = token.strip()
        name = word if alike else folded.get(word.casefold())
        if name is not None and name in classes:
            found[name] = found.get(name, 0.0) + math.exp(logprob)
    return found


def _rescale(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the probability of each class, given that the answer begins with one of them."""
    total = sum(scores.values())
    return {name: score / total for name, score in scores.items()}


def _refuse_unlisted(
    table: Table,
    answers: Sequence[Tokens],
    named: Sequence[Mapping[str, float]],
    classes: Sequence[str],
) -> None:
    few = [row for row, each in enumerate(named) if len(each) < len(classes)]
    if not few:
        return
    row = few[0]
    lacking = [name for name in classes if name not in named[row]]
    raise stop(
        code="probs.top_tokens",
        where=f"{table.name}, row {row}",
        what=f"{list_few(lacking)} {'is' if len(lacking) == 1 else 'are'} not among the "
        f"{len(answers[row])} likeliest tokens, {list_few(answers[row])} ({len(few)} of "
        f"{len(named)} rows are so).",
        fix="Ask again with top_logprobs=20, the most there are, for answers of one token per "
        "class, such as A, B and C. With more than 20 classes, run `curate probs` instead.",
        why="A token that is not listed has some probability, but which one is not known.",
        count=len(few),
        first_rows=(f"row {each}" for each in few),
    )


def refuse_unordered(keys: Keys, match: Match | None) -> None:
    """Stop at the output of a batch that is not joined by id: its lines are in any order."""
    if match is not None or keys.table is None or keys.table.format != BatchAnswers.name:
        return
    raise stop(
        code="probs.unordered",
        where=keys.table.name,
        what="the answers of a batch are in any order, and their custom_id is not in the labels.",
        fix="Give the label table a column custom_id, with the id of the request for each example.",
        why="Joined by position, answers would belong to other examples.",
        count=len(keys.table),
    )
