"""report.html: what was found, decided and measured, on one self-contained page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from curation.analysis.class_pairs import describe_pairs
from curation.analysis.focus import find_most_confused
from curation.analysis.model_strength import WORTH, find_miscalibrated
from curation.core.overlap import rank_overlaps
from curation.exports.certificate_page import table_of_figures
from curation.exports.class_tables import describe_added
from curation.exports.example_tables import QUALITY
from curation.exports.reader_notes import make_notes
from curation.exports.reading_code import write_reading_code
from curation.exports.report_changes import write_changes
from curation.exports.report_elements import bars, list_as_code, page, show, table, tile
from curation.exports.report_heatmap import MAX_CLASSES, draw_heatmap
from curation.report import Diagnosis, Severity
from curation.review.cleaning_plan import Plan
from curation.review.extended_classes import name_classes
from curation.store.actions import Action
from curation.wording import METHOD_HELP, METHOD_NAMES, count_of, name_estimate, percent

UNDECIDED = "flagged, undecided"
SIDE_BY_SIDE = 6  # up to this many classes, both matrices are side by side
PAIRS = 12  # most confused pairs that are listed
ACTION_NAMES = {
    Action.KEEP: "label kept",
    Action.RELABEL: "relabelled",
    Action.AMBIGUOUS: "both labels",
    Action.EXCLUDE: "excluded",
    Action.SKIP: "skipped",
    Action.NEEDS_REVIEW: "second look",
}


def write_report(plan: Plan) -> Iterator[bytes]:
    """Yield the whole page."""
    title = str(plan.dataset.settings.get("name") or "Curation report")
    parts = [_head(plan, title), _tiles(plan), _notes(plan), _decided(plan), _measured(plan)]
    parts += [write_changes(plan), _found(plan), _classes(plan), _left_out(plan)]
    parts += [_warnings(plan), write_reading_code(plan), _formulas(plan)]
    yield page(title, "\n".join(parts)).encode()


def _head(plan: Plan, title: str) -> str:
    dataset = plan.dataset
    facts = [
        dataset.source.called or "one folder per class",
        count_of(len(dataset), "example"),
        count_of(len(dataset.class_names), "class", "classes"),
        f"fingerprint {dataset.fingerprint[:12]}",
    ]
    if plan.outcome.last_time:
        facts.append(f"last decision {plan.outcome.last_time[:16].replace('T', ' ')} UTC")
    return f'<h1>{show(title)}</h1><p class="soft">{show(" · ".join(facts))}</p>'


def _tiles(plan: Plan) -> str:
    findings, counts = plan.findings, plan.counts
    gone = counts["excluded"] + counts["pruned"]
    return (
        '<div class="tiles">'
        + tile(f"{findings.estimated_errors:,.0f}",
               f"wrong labels: {name_estimate(findings.threshold)}, from this model")
        + tile(percent(findings.strength.agreement), "of the labels agree with the model")
        + tile(f"{counts['flagged']:,}", f"flagged by {METHOD_NAMES[plan.settings.method]}")
        + tile(f"{counts['decided']:,}", "decided by a person")
        + tile(f"{counts['labels_changed']:,}", "labels changed")
        + tile(f"{gone:,}", "rows left out" if plan.settings.excluded == "drop" else "rows marked")
        + "</div>"
    )  # fmt: skip


def _notes(plan: Plan) -> str:
    notes = [*plan.findings.strength.warnings(), *make_notes(plan)]
    return "".join(f'<div class="note">{show(note)}</div>' for note in notes)


def _decided(plan: Plan) -> str:
    counts = plan.counts
    if not plan.outcome.log:
        return "<h2>What was decided</h2><p>Nothing yet; the labels are unchanged.</p>"
    rows = [(ACTION_NAMES[each], counts[each]) for each in Action if counts[each]]
    rows.append((UNDECIDED, counts["flagged_undecided"]))
    if counts["suggestions_taken"]:
        rows.append(("suggestion taken without review", counts["suggestions_taken"]))
    elif plan.settings.undecided in METHOD_NAMES:
        by = METHOD_NAMES[plan.settings.undecided].lower()
        rows.append((f"pruned without review, by {by}", counts["pruned"]))
    return "".join(
        [
            "<h2>What was decided</h2>",
            bars(rows, rest=UNDECIDED),
            _precision(plan),
            _curators(plan),
        ],
    )


def _precision(plan: Plan) -> str:
    """Return how many of the flags were real errors, according to the decisions."""
    judged = [plan.decision(row) for row in plan.issues.tolist()]
    settled = [each for each in judged if each and each.answer[0].judges_label]
    if not settled:
        return ""
    wrong = sum(each.answer[0] is not Action.KEEP for each in settled)
    return (
        f"<p>Of {count_of(len(settled), 'flagged example')} that were kept, relabelled or "
        f"excluded, {wrong:,} ({percent(wrong / len(settled))}) had a wrong label.</p>"
    )


def _curators(plan: Plan) -> str:
    outcome = plan.outcome
    rows = [
        (who, *(f"{actions.get(each, 0):,}" for each in Action if each.is_opinion))
        for who, actions in outcome.curators.items()
    ]
    heads = ["curator", *(each.word for each in Action if each.is_opinion)]
    pairs = [
        (" and ".join(each.curators), f"{each.examples:,}", percent(each.agreed / each.examples),
         "undefined" if each.kappa is None else f"{each.kappa:.2f}")
        for each in outcome.agreement
    ]  # fmt: skip
    parts = ["<h3>By curator</h3>", table(heads, rows, numbers=len(heads) - 1)]
    if pairs:
        columns = ["", "both decided", "same answer", "kappa"]
        parts += ["<h3>Agreement</h3>", table(columns, pairs, numbers=3)]
    if plan.counts["disputed"]:
        parts.append(
            f"<p>Curators disagree on {count_of(plan.counts['disputed'], 'example')}; the policy "
            f"is <code>{show(plan.settings.policy)}</code>.</p>"
        )
    return "".join(parts)


def _measured(plan: Plan) -> str:
    """Return what an audit proves about all labels, if there was one."""
    content = plan.certificate.content
    if content["audit"] is None:
        return ""
    audit, counts = content["audit"], content["counts"]
    sample = f"{counts['judged']:,} of {counts['planned']:,} drawn labels judged"
    return (
        f"<h2>What an audit measured</h2><p><b>{show(content['sentence'])}</b> "
        f"{show(content['after_cleaning'])}</p>{table_of_figures(content)}"
        f'<p class="soft">{show(sample)}, seed {show(audit["seed"])}; how: certificate.html</p>'
    )


def _found(plan: Plan) -> str:
    findings = plan.findings
    names = name_classes(plan.dataset)
    shown = find_most_confused(findings.joint, MAX_CLASSES)
    which = "All classes." if len(shown) == len(names) else _share_shown(plan, shown)
    labels = [names[each] for each in shown]
    block = np.ix_(shown, shown)
    total = len(plan.dataset)
    joint = draw_heatmap(
        findings.joint[block] * total, labels, lambda v: f"{v:,.0f}" if v >= 0.95 else f"{v:.1g}",
        "about {value} examples given {given} are truly {true}",
    )  # fmt: skip
    noise = draw_heatmap(
        findings.noise_matrix[block], labels, lambda v: percent(v, digits=0 if v >= 0.1 else 1),
        "of what is truly {true}, {value} were given {given}",
    )  # fmt: skip
    return (
        f"<h2>What was found</h2>{_strength(plan, names)}{_pairs(plan, names)}"
        f'<div class="{"pair" if len(shown) <= SIDE_BY_SIDE else ""}">'
        f"<div><h3>Joint of given and true labels</h3><figure>{joint}<figcaption>In examples: "
        f"n × joint. {show(which)} The diagonal, in grey, is what is right; errors are darker "
        "with the square root of their number.</figcaption></figure></div>"
        f"<div><h3>Noise matrix</h3><figure>{noise}<figcaption>p(given | true): each column adds "
        f"up to 1. {show(which)}</figcaption></figure></div></div>"
    )


def _strength(plan: Plan, names: tuple[str, ...]) -> str:
    """Return how well the model fits the labels, and the classes it is least calibrated for."""
    strength = plan.findings.strength
    by_class = strength.by_class
    rows = [
        (names[each], f"{by_class.examples[each]:,}", percent(by_class.mean_confidence[each]),
         percent(by_class.agreement[each]), f"{strength.class_calibration_error[each]:.2f}")
        for each in find_miscalibrated(strength)[:PAIRS].tolist()
    ]  # fmt: skip
    heads = ["likeliest class", "examples", "sure on average", "labelled so", "calibration error"]
    return (
        f"<h3>The model</h3><p>{show(strength.describe())}</p>"
        f"{table(heads, rows, numbers=len(heads) - 1)}"
    )


def _share_shown(plan: Plan, shown: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    joint = plan.findings.joint
    inside = joint[np.ix_(shown, shown)]
    errors = float(joint.sum() - joint.trace())
    share = float(inside.sum() - inside.trace()) / errors if errors else 1.0
    return (
        f"The {len(shown)} classes most confused with each other, of {len(joint):,}: "
        f"{percent(share)} of the estimated errors are between them."
    )


def _pairs(plan: Plan, names: tuple[str, ...]) -> str:
    findings = plan.findings
    given, true = (each[:PAIRS] for each in rank_overlaps(findings.confident_joint))
    rows = [
        (names[row.given], names[row.true], f"{row.counted:,}", f"{row.estimated:,.0f}")
        for row in describe_pairs(findings, given, true)
    ]
    if not rows:
        return "<p>No example is confidently of a class other than its label.</p>"
    heads = ["given label", "probably", "counted", "estimated"]
    return f"<h3>Most confused pairs</h3>{table(heads, rows, numbers=2)}"


def _classes(plan: Plan) -> str:
    classes, names = plan.classes, name_classes(plan.dataset)
    rows = [(names[each], classes.names[each], classes.why[each]) for each in classes.changed]
    parts = []
    if rows:
        done = "" if plan.settings.apply_merges else "not "
        parts += [
            f"<p>Merged or renamed, and {done}written into the labels.</p>",
            table(["class", "becomes", "why"], rows[:100]),
        ]
    every = plan.every_class
    added = [
        (every.names[label], every.texts[label], describe_added(plan, label))
        for label in every.list_added()
    ]
    if added:
        heads = ["new class", "in the label file", "by whom"]
        parts += ["<p>Added by curators.</p>", table(heads, added[:100])]
    return f"<h2>Classes</h2>{''.join(parts)}" if parts else ""


def _left_out(plan: Plan) -> str:
    outcome = plan.outcome
    parts = []
    if outcome.left_out:
        parts.append(
            f"<h3>Curators disagree</h3><p>Under the policy no decision counts for "
            f"{count_of(len(outcome.left_out), 'example')}, left as given: "
            f"{list_as_code(outcome.left_out)}</p>"
        )
    if outcome.misfits or outcome.class_misfits:
        rows = [(m.decision.example_id, m.decision.summary, m.reason) for m in outcome.misfits[:50]]
        rows += [(f"class {c.given}", c.action, "a class is gone") for c in outcome.class_misfits]
        parts.append(
            "<h3>Decisions that no longer fit the dataset</h3>"
            + table(["example", "decision", "why it is not applied"], rows)
        )
    both = plan.ids(plan.with_action(Action.AMBIGUOUS))
    if both:
        left = "left as they were" if plan.settings.ambiguous == "leave" else "excluded"
        parts.append(f"<h3>Both labels, {left}</h3><p>{list_as_code(both)}</p>")
    waiting = plan.ids([row for row in plan.with_action(Action.NEEDS_REVIEW)])
    if waiting:
        parts.append(f"<h3>Waiting for a second look</h3><p>{list_as_code(waiting)}</p>")
    return "<h2>What was left out</h2>" + "".join(parts) if parts else ""


def _warnings(plan: Plan) -> str:
    found = "".join(map(_diagnosis, plan.dataset.report.of(Severity.WARN)))
    fixed = "".join(map(_diagnosis, plan.dataset.report.fixes))
    notes = "".join(map(_diagnosis, plan.dataset.report.notes))
    if found:
        found = f"<h2>Warnings about the input</h2>{found}"
    else:
        found = "<h2>The input</h2><p>The doctor has no warnings.</p>"
    found += f"<h3>Harmless fixes that were made</h3>{fixed}" if fixed else ""
    return found + (f"<h3>Notes</h3>{notes}" if notes else "")


def _diagnosis(each: Diagnosis) -> str:
    more = f" ({each.count:,} in all)" if each.count > len(each.first_rows) else ""
    rows = f"<br>First: {show(', '.join(each.first_rows))}{more}" if each.first_rows else ""
    return (
        f'<div class="note"><b>{show(each.where)}</b>: {show(each.what)}{rows}<br>'
        f'<span class="soft">{show(each.why)} {show(each.fix)}</span></div>'
    )


def _formulas(plan: Plan) -> str:
    settings = plan.settings
    threshold = "mean" if settings.threshold == "mean" else f"{settings.threshold:g}th percentile"
    items = {
        "threshold": f"t_j = {threshold} of p(j; x) over the examples given j",
        "confident joint": "C[i, j] = examples given i whose p(j; x) reaches t_j, the likeliest "
        "such j" if settings.collisions == "confident" else "C[i, j] = examples given i whose "
        "likeliest class is j, with p(j; x) of at least t_j",
        "joint": "Q[i, j] = C[i, j] / sum_j C[i, j] × (examples given i) / n; it sums to 1",
        "wrong labels": f"n × (1 − trace Q). {WORTH}",
        "log loss": "mean of −log p(given; x); guessing: by the share of each given label",
        "calibration error": "sum over ten bins of c = largest p(x) of |sum of c − examples whose "
        "label is the likeliest class| / n; by class, among the examples with that likeliest class",
        "noise matrix": "p(given i | true j) = Q[i, j] / sum_i Q[i, j]",
        "class weight": "latent prior[i] / Q[i, i], with latent prior[j] = sum_i Q[i, j]",
        "normalized margin": "p(given; x) − largest p of another class; low is suspect",
        "log margin": "log p(given; x) − log of the largest p of another class; a p of 0 counts "
        "as 2.2e-308",
        "label quality": QUALITY.split(" = ", 1)[1],
        f"flagged by {METHOD_NAMES[settings.method].lower()}": METHOD_HELP[settings.method],
        "kappa": "(agreement − chance) / (1 − chance), Cohen's, for two curators",
    }  # fmt: skip
    listed_settings = ", ".join(f"{key} {value}" for key, value in settings.to_dict().items())
    listed = "".join(f"<dt>{show(k)}</dt><dd>{show(v)}</dd>" for k, v in items.items())
    return (
        f"<h2>How the figures are made</h2><dl>{listed}</dl>"
        f'<p class="soft">Settings: {show(listed_settings)}. '
        f"{count_of(plan.counts['decided'], 'example')} decided, by a log of "
        f"{len(plan.outcome.log):,} entries. "
        "manifest.json holds the hash of every file; curate replay writes them again.</p>"
    )
