"""certificate.json and certificate.html: what an audit proves, for programs and for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from curation.exports.report_elements import page, show, table
from curation.review.certificate import Certificate
from curation.review.cleaning_plan import Plan
from curation.wording import METHOD_NAMES, count_of, percent, percent_range

FIGURE_NAMES = {  # in this order
    "total_errors": "wrong labels",
    "flagged_errors": "wrong labels that are flagged",
    "missed_errors": "wrong labels that are not flagged",
    "errors_left": "wrong labels that nobody has found yet",
    "precision": "share of the flagged labels that are wrong",
    "recall": "share of the wrong labels that are flagged",
    "label_accuracy": "share of the labels that are right",
    "accuracy_after_cleaning": "the same, once the errors found are corrected",
}
SHARES = ("precision", "recall", "label_accuracy", "accuracy_after_cleaning")
CLAIM = (
    "The truth is inside each interval at every look with a chance of at least {sure}, however "
    "often somebody looks and whenever they stop. The chance is over the seed. Nothing is assumed "
    "about the labels, the noise or the model. The figures are about what the people who judged "
    "would say of every label."
)
BY_ITSELF = (
    "Each line holds by itself, with its own {sure}; several lines together hold with less. Each "
    "is measured by its own bets, so the upper end of a part may lie above that of the whole, "
    "although the part itself cannot."
)
CHECK = (
    "Anybody who has the dataset and its log can check this page: curate quality --verify "
    "certificate.json PATH makes every figure again and says what differs."
)


def write_certificate(plan: Plan) -> Iterator[bytes]:
    """Yield certificate.json as one piece."""
    yield to_json(plan.certificate)


def write_certificate_page(plan: Plan) -> Iterator[bytes]:
    """Yield certificate.html as one piece."""
    yield to_page(plan.certificate)


def to_json(certificate: Certificate) -> bytes:
    """Return a certificate as a program reads it."""
    return json.dumps(certificate.content, indent=1, allow_nan=False).encode() + b"\n"


def to_page(certificate: Certificate) -> bytes:
    """Return a certificate as one page to print."""
    content = certificate.content
    if content["audit"] is None:
        body = f"<h1>Label quality</h1><p>{show(content['sentence'])}</p>"
        return page("Label quality", body).encode()
    title = f"Label quality of {content['dataset']['name']}"
    parts = [
        f'<h1>{show(content["sentence"])}</h1><p class="soft">{show(title)}</p>',
        f"<p>{show(content['after_cleaning'])}</p>",
        _figures(content),
        _audit(content),
        _sample(content),
        f'<p class="soft">{show(CHECK)}</p>',
    ]
    return page(title, "\n".join(parts)).encode()


def _figures(content: Mapping[str, Any]) -> str:
    sure = f"{100 * content['confidence']:g} %"
    said = "".join(f"<p>{show(each.format(sure=sure))}</p>" for each in (BY_ITSELF, CLAIM))
    return f"<h2>What was measured</h2>{table_of_figures(content)}{said}"


def table_of_figures(content: Mapping[str, Any]) -> str:
    """Return the figures of a certificate with their intervals."""
    rows = [
        (words, *format_figure(name, content["figures"][name]))
        for name, words in FIGURE_NAMES.items()
    ]
    heads = ["", "about", f"{100 * content['confidence']:g} % interval"]
    return table(heads, rows, numbers=2)


def format_figure(name: str, figure: Mapping[str, float]) -> tuple[str, str]:
    """Return a figure and its interval in words.

    >>> format_figure("recall", {"estimate": 0.5, "low": 0.25, "high": 0.75})
    ('50 %', '25 to 75 %')
    >>> format_figure("total_errors", {"estimate": 412.4, "low": 300, "high": 1200})
    ('412', '300 to 1,200')
    """
    if name in SHARES:
        return percent(figure["estimate"]), percent_range(figure["low"], figure["high"])
    return f"{figure['estimate']:,.0f}", f"{figure['low']:,.0f} to {figure['high']:,.0f}"


def _audit(content: Mapping[str, Any]) -> str:
    audit, counts, dataset = content["audit"], content["counts"], content["dataset"]
    by = ", ".join(f"{who} ({number:,})" for who, number in content["judged_by"].items())
    closed = (
        f"by {audit['closed_by']}, {_date(audit['closed_at'])}"
        if audit["closed_at"]
        else "not yet; the sample is listed here once it is"
    )
    facts = {
        "dataset": f"{dataset['name']}: {count_of(dataset['examples'], 'example')}, "
        f"{count_of(dataset['classes'], 'class', 'classes')}",
        "fingerprint": dataset["fingerprint"],
        "date": _date(content["date"]),
        "seed": audit["seed"],
        "sample": f"{counts['judged']:,} judged of {counts['planned']:,} drawn, by the rule "
        f"{audit['rule']}; {counts['known_before']:,} were decided before and not drawn",
        "flags": f"{METHOD_NAMES[audit['method']]}, threshold {audit['threshold']}, "
        f"collisions {audit['collisions']}",
        "drawn": f"by {audit['drawn_by']}, {_date(audit['drawn_at'])}",
        "judged": f"by {by}" if by else "by nobody yet",
        "closed": closed,
        "log": f"{content['log']['entries']:,} entries, SHA-256 {content['log']['sha256']}",
    }
    listed = "".join(f"<dt>{show(k)}</dt><dd>{show(v)}</dd>" for k, v in facts.items())
    return f"<h2>How</h2><dl>{listed}</dl>"


def _date(time: str) -> str:
    return f"{time[:16].replace('T', ' ')} UTC"


def _sample(content: Mapping[str, Any]) -> str:
    if not content["sample"]:
        return ""
    rows = [
        (
            each["place"],
            each["id"],
            each["given"],
            each["verdict"] or "not judged",
            "; ".join(f"{by['curator']}: {by['decision']}" for by in each["decisions"]),
        )
        for each in content["sample"]
    ]
    heads = ["draw", "example", "given label", "verdict", "who said what"]
    return f"<h2>The sample, in the order it was drawn</h2>{table(heads, rows)}"
