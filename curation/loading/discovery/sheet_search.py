"""Which sheets of a workbook hold the labels and the probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curation.loading.dataset_parts import Parts
from curation.loading.formats.excel import Excel
from curation.loading.formats.excel_sheets import find_sheet_roles
from curation.loading.formats.registry import find_format
from curation.loading.numbered_files import is_shard_set
from curation.loading.overrides import Options
from curation.loading.report_builder import ReportBuilder, list_few, stop


def find_sheets(parts: Parts, options: Options, report: ReportBuilder) -> Parts:
    """Return the parts, with their sheets if a workbook holds labels and probabilities apart."""
    own = parts.labels
    if own is None or is_shard_set(own) or not isinstance(find_format(own), Excel):
        return parts
    roles = find_sheet_roles(parts.path(own), own, options.memory_limit)
    if options.sheet is None and len(roles.labels) > 1:
        raise _ask_for_sheet(own, "labels", roles.labels, "sheet")
    if parts.probs not in ((), (own,)):
        return parts
    sheet = options.sheet or (*roles.labels, None)[0]
    if options.prob_sheet is not None:
        return replace(parts, probs=(own,), sheet=sheet)
    if not roles.probs:
        return parts
    if len(roles.probs) > 1:
        raise _ask_for_sheet(own, "probabilities", roles.probs, "prob_sheet")
    report.add_auto_fix(
        code="xlsx.prob_sheet",
        where=own,
        what=f"the labels are read from sheet {sheet!r}, the probabilities from sheet "
        f"{roles.probs[0]!r}.",
        fix="If other sheets are meant, pass them as sheet and prob_sheet.",
        why="The first names a column of labels; on the other, the rows add up to 1.",
    )
    return replace(parts, probs=(own,), sheet=sheet, prob_sheet=roles.probs[0])


def _ask_for_sheet(where: str, noun: str, titles: Sequence[str], option: str) -> Exception:
    return stop(
        code="xlsx.sheets" if option == "sheet" else "xlsx.prob_sheet",
        where=where,
        what=f"several sheets could hold the {noun}: {list_few(titles)}.",
        fix=f'Pass the right one, such as {option}="{titles[0]}".',
        why="The wrong sheet would give wrong findings without a warning.",
        count=len(titles),
        choices=[{option: each} for each in titles],
    )
