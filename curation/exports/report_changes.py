"""The report's list of what was changed: each example with its label before and after."""

from __future__ import annotations

from curation.errors import ContentError
from curation.exports.change_list import Change, list_changes
from curation.exports.report_elements import show
from curation.loading.content.data_urls import encode_picture
from curation.review.cleaning_plan import Plan
from curation.wording import count_of, shorten

# A report can be mailed: with so many rows, pictures and bytes it stays below two megabytes.
MAX_ROWS = 300
MAX_PICTURES = 200
MAX_PICTURE_BYTES = 1_200_000  # all pictures together, as text
PICTURE_PIXELS = 96  # on the longer side
EXCERPT_CHARACTERS = 160
NAME_LENGTH = 60


def write_changes(plan: Plan) -> str:
    """Return the section that lists what was changed; empty if nothing was."""
    total = len(plan.changes)
    if not total:
        return ""
    changes = list_changes(plan, MAX_ROWS)
    rest = (
        f" The first {len(changes):,} of {total:,}; corrections.csv and class_map.csv hold the "
        "others."
        if total > len(changes)
        else ""
    )
    heads = "".join(f"<th>{each}</th>" for each in ("", "before → after", "by", "note"))
    body = "".join(_write_rows(plan, changes))
    return (
        f"<h2>What was changed</h2><p>{count_of(total, 'row')}, those that a person decided "
        f"first.{rest}</p>"
        f'<table class="changes"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'
    )


def _write_rows(plan: Plan, changes: list[Change]) -> list[str]:
    room, rows = MAX_PICTURE_BYTES, []
    for place, (row, change) in enumerate(zip(plan.changes.tolist(), changes, strict=False)):
        content = _show_content(plan, row) if place < MAX_PICTURES else ""
        if content.startswith("<img"):
            room -= len(content)
        rows.append(_write_row(change, content if room >= 0 else ""))
    return rows


def _write_row(change: Change, content: str) -> str:
    before, after = (show(shorten(each, NAME_LENGTH)) for each in (change.before, change.after))
    when = f"<br><span class=soft>{show(change.when)} UTC</span>" if change.when else ""
    return (
        f"<tr><td>{content}<code>{show(change.id)}</code></td>"
        f"<td>{before} → <b>{after}</b></td>"
        f"<td>{show(change.by)}{when}</td><td>{show(change.note)}</td></tr>"
    )


def _show_content(plan: Plan, row: int) -> str:
    """Return a small picture, the first words of a text, or why there is none."""
    dataset = plan.dataset
    try:
        if dataset.kind == "text":
            text = dataset.content.text(row)
            more = "…" if len(text) > EXCERPT_CHARACTERS else ""
            return f"<p>{show(text[:EXCERPT_CHARACTERS])}{more}</p>"
        if dataset.kind != "image":
            return ""
        picture = dataset.content.image(row, size=PICTURE_PIXELS)
    except ContentError as error:
        return f'<p class="soft">{show(error.problem)}</p>'
    tiny = max(picture.original_size) <= PICTURE_PIXELS
    source = encode_picture(picture.image, exact=tiny, quality=80)
    return f'<img src="{source}" alt="">'
