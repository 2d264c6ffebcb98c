"""The exports of labelling tools that are recognized in JSON. A new one is a module and a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from curation.loading.formats.answer_records import BatchAnswers, ModelAnswers
from curation.loading.formats.argilla_records import ArgillaRecords
from curation.loading.formats.base import Peek, TableFile
from curation.loading.formats.fiftyone_records import FiftyOneSamples
from curation.loading.formats.ground_truth_records import GroundTruth
from curation.loading.formats.json_columns import held_by, make_columns
from curation.loading.formats.label_studio_records import LabelStudioTasks
from curation.loading.formats.labelbox_records import LabelboxRows
from curation.loading.formats.pipeline_records import PipelineOutput
from curation.loading.formats.record_form import LABEL, Flattened, RecordForm
from curation.loading.formats.table import Table
from curation.loading.formats.ultralytics_records import UltralyticsResults
from curation.loading.formats.vertex_records import VertexPredictions
from curation.loading.report_builder import ReportBuilder, Stop, stop

RECORD_FORMS: tuple[RecordForm, ...] = (
    LabelStudioTasks(),
    ArgillaRecords(),
    PipelineOutput(),
    GroundTruth(),
    LabelboxRows(),
    VertexPredictions(),
    FiftyOneSamples(),
    UltralyticsResults(),
    BatchAnswers(),
    ModelAnswers(),
)


def find_form(record: Any) -> RecordForm | None:
    """Return the tool that wrote a record; None for a plain object."""
    return next((form for form in RECORD_FORMS if form.fits(record)), None)


def is_record(value: Any) -> bool:
    """Return whether a JSON value can be a row: an object, or the scores of a pipeline."""
    return isinstance(value, dict) or find_form(value) is not None


def peek_records(records: Sequence[Any]) -> Peek:
    """Return the columns that the first records will have."""
    form = find_form(records[0])
    try:
        first = (records if form is None else form.flatten(records, "").rows)[0]
    except Stop:
        first = {LABEL: None}  # the first records have no label; reading reports it if none has
    return Peek(tuple(first), {key: held_by(value) for key, value in first.items()})


def flatten_first(records: Sequence[Any]) -> Sequence[Any]:
    """Return the first records of a file as the rows that they will be, for a preview."""
    form = find_form(records[0])
    return records if form is None else form.flatten(records, "").rows


def _flatten(form: RecordForm, records: Sequence[Any], name: str) -> Flattened:
    """Return the records as rows; stop if some have another form than the first."""
    try:
        return form.flatten(records, name)
    except Stop:
        raise
    except Exception as error:  # records of other programs may differ from their form in any way
        raise not_of_form(name, form.tool, error) from error


def not_of_form(name: str, tool: str, error: Exception) -> Exception:
    """Return the stop for records that do not have the form in which a tool writes them."""
    return stop(
        code="table.tool_export",
        where=name,
        what=f"it looks like an export of {tool}, but some records have another form: "
        f"{type(error).__name__}, {str(error)[:120]}.",
        fix="Export it again, or save a plain table, such as CSV.",
        why="Records that cannot be understood would be lost.",
    )


def make_table(
    records: Sequence[Any],
    read_as_written: Callable[[], Sequence[Any]],
    file: TableFile,
    format_name: str,
    report: ReportBuilder,
    *,
    bom: bool = False,
) -> Table:
    """Return the table in a list of JSON values, flattened if a labelling tool wrote them."""
    form = find_form(records[0]) if records else None
    found = Flattened(list(records))
    if form is not None:
        found = _flatten(form, records, file.name)
        format_name = form.name
        report.add_auto_fix(
            code="table.tool_export",
            where=file.name,
            what=f"it is read as the export of {form.tool}.",
            fix="If another program wrote it, save it as a plain table, such as CSV.",
            why="Its labels are nested; the cleaned labels are a CSV table of ids and labels.",
            count=len(records),
        )
    again = read_as_written if form is None else lambda: found.rows
    columns, kinds = make_columns(found.rows, again, file.name)
    return Table(
        file.path,
        file.name,
        format_name,
        pa.table(columns),
        bom=bom,
        kinds=kinds,
        annotators=found.annotators,
        questions=found.questions,
        class_names={LABEL: found.class_names} if found.class_names else {},
    )
