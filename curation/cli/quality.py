"""`curate quality`: how good the labels are, as an audit measures it, and the certificate of it."""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.cli.check import add_load_flags, on_one_line, read_load_flags
from curation.errors import InputError
from curation.wording import METHOD_NAMES, count_of

if TYPE_CHECKING:
    from curation.analysis.findings import Findings
    from curation.dataset import Dataset
    from curation.review.certificate import Certificate
    from curation.store import Entry, Store

NOT_TRUE = 1  # the exit code for a certificate that does not follow from the data and the log
SEEDS = 1_000_000  # one of so many is taken if none is given
FIGURE_WIDTH = 46


def add_parser(commands: Any) -> None:
    """Add the command and its flags."""
    parser = commands.add_parser("quality", help="measure how good the labels are by an audit")
    parser.add_argument("path", metavar="PATH", help="a folder, a table, or a curation.toml")
    parser.add_argument(
        "--store", metavar="URL", help="where the decisions are, if not next to the dataset"
    )
    parser.add_argument("--log", type=Path, help="read the audit.jsonl of an export, not a store")
    parser.add_argument("--draw", action="store_true", help="draw an audit; needs --curator")
    parser.add_argument("--size", type=int, default=200, help="labels to draw (200)")
    parser.add_argument("--seed", type=int, help="the seed to draw by; a random one by default")
    parser.add_argument("--method", help="whose flags the audit is about (confident_joint)")
    parser.add_argument("--close", action="store_true", help="close the audit; needs --curator")
    parser.add_argument("--curator", help="who draws or closes the audit")
    parser.add_argument("--confidence", type=float, default=0.95, help="of each interval (0.95)")
    parser.add_argument(
        "--certificate", type=Path, metavar="FILE", help="write it to a .json or .html file"
    )
    parser.add_argument(
        "--verify", type=Path, metavar="FILE", help="check a certificate.json against the log"
    )
    parser.add_argument("--json", action="store_true", help="print the certificate as JSON")
    add_load_flags(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw or close an audit if asked to, then print, write or check what it says."""
    from curation.loading import load

    dataset = load(options.path, **read_load_flags(options))
    if options.draw or options.close:
        _change_audit(options, dataset)
    log = _read_log(options, dataset)
    if options.verify:
        return _verify(options.verify, dataset, log)
    certificate = _certify(dataset, log, options.confidence)
    if options.certificate:
        _write(certificate, options.certificate)
    if options.json:
        print(json.dumps(certificate.content, indent=1))
    else:
        for line in render(certificate):
            print(on_one_line(line))
    return 0


def _open(options: argparse.Namespace, dataset: Dataset) -> Store:
    from curation.store import open_store

    return open_store(dataset, options.store)


def _read_log(options: argparse.Namespace, dataset: Dataset) -> Sequence[Entry]:
    """Return the log: from the named file, the store, or the folder of the certificate."""
    from curation.store import from_jsonl, has_store

    nearby = options.verify.parent / "audit.jsonl" if options.verify else None
    has_decisions = has_store(dataset, options.store)
    file = options.log or (nearby if nearby and nearby.is_file() and not has_decisions else None)
    if file is None:
        if not has_decisions:  # nothing is written by asking
            return []
        with _open(options, dataset) as store:
            return store.log()
    try:
        return from_jsonl(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file.name} cannot be read: {getattr(error, 'strerror', None) or error}.",
            "Name the audit.jsonl of an export, unchanged.",
        ) from error


def _change_audit(options: argparse.Namespace, dataset: Dataset) -> None:
    if not options.curator:
        raise InputError("It is not said who draws or closes the audit.", "Add --curator NAME.")
    if options.log:
        raise InputError("An audit is drawn in a store, not in a file.", "Leave out --log.")
    with _open(options, dataset) as store:
        if options.draw:
            _draw(options, dataset, store)
        if options.close:
            _close(options, store)


def _draw(options: argparse.Namespace, dataset: Dataset, store: Store) -> None:
    from curation.review.audits import draw_audit, find_decided, replay_examples

    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    audit = draw_audit(
        store,
        _analyze(dataset),
        known=find_decided(dataset, replay_examples(store.log())),
        seed=seed,
        size=options.size,
        method=options.method or "confident_joint",
        curator=options.curator,
    )
    print(f"Drawn: {count_of(len(audit.rows), 'label')}, seed {audit.seed}. Judge them on Review.")


def _close(options: argparse.Namespace, store: Store) -> None:
    from curation.review.audits import find_audits

    audits = find_audits(store.audits())
    if not audits or audits[-1].closed:
        raise InputError("No audit is open.", "Draw one with --draw.")
    store.close_audit(audits[-1].name, curator=options.curator)
    print("Closed. Its examples are listed in the certificate.")


def _analyze(dataset: Dataset) -> Findings:
    from curation.analysis.saved_findings import analyze_dataset

    return analyze_dataset(dataset)


def _certify(dataset: Dataset, log: Sequence[Entry], confidence: float) -> Certificate:
    from curation.review.audits import find_audits
    from curation.review.certificate import certify, find_findings

    audits = find_audits(log)
    if not audits:
        raise InputError(
            "No audit was drawn, so nothing is measured yet.",
            "Draw one on the Quality page, or with: curate quality --draw --curator NAME PATH.",
        )
    findings = find_findings(audits[-1], dataset, None, "argmax")
    return certify(dataset, findings, log, confidence=confidence)


def _verify(path: Path, dataset: Dataset, log: Sequence[Entry]) -> int:
    from curation.review.audits import find_audits
    from curation.review.certificate import find_findings
    from curation.review.certificate_check import read_certificate, verify

    certificate = read_certificate(path)
    audits = [each for each in find_audits(log) if each.drawn.seq <= certificate["log"]["last"]]
    findings = find_findings(audits[-1], dataset, None, "argmax") if audits else _analyze(dataset)
    found = verify(certificate, dataset, findings, log)
    if found.is_true:
        print("TRUE: the log and the data give the same figures.")
        print(on_one_line(found.sentence))
        if found.added:
            print(f"{count_of(found.added, 'entry', 'entries')} of the log came later.")
        return 0
    print(f"NOT TRUE: {on_one_line(found.sentence)}")
    for problem in found.problems:
        print(f"  {on_one_line(problem)}")
    return NOT_TRUE


def _write(certificate: Certificate, path: Path) -> None:
    from curation.exports.certificate_page import to_json, to_page

    kinds = {".json": to_json, ".html": to_page}
    if path.suffix.lower() not in kinds:
        raise InputError(f"{path.name} is neither .json nor .html.", "Name such a file.")
    try:
        path.write_bytes(kinds[path.suffix.lower()](certificate))
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}.", "Name another file."
        ) from error
    print(f"Written: {path}")


def render(certificate: Certificate) -> Iterator[str]:
    """Yield the lines that say how good the labels are."""
    from curation.exports.certificate_page import BY_ITSELF, FIGURE_NAMES, format_figure

    content = certificate.content
    yield certificate.sentence
    if content["audit"] is None:
        return
    yield content["after_cleaning"]
    yield ""
    for name, words in FIGURE_NAMES.items():
        estimate, interval = format_figure(name, content["figures"][name])
        yield f"  {words:<{FIGURE_WIDTH}} {estimate:>10}   {interval}"
    yield ""
    yield BY_ITSELF.format(sure=f"{100 * content['confidence']:g} %")
    audit, counts = content["audit"], content["counts"]
    state = f"closed by {audit['closed_by']}" if audit["closed_by"] else "open"
    yield ""
    yield (
        f"Audit: {counts['judged']:,} judged of {counts['planned']:,} drawn by "
        f"{audit['drawn_by']} on {audit['drawn_at'][:10]}, seed {audit['seed']}; {state}. "
        f"Flags: {METHOD_NAMES[audit['method']]}."
    )
