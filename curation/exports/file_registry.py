"""The list of the files of an export, used by the export, its manifest and the Export page.

To add a file, write a module with a function that yields its bytes from a `Plan`, and add one
line to `FILES`. Everything else follows: the file is written, hashed, listed in the manifest,
offered on the Export page, and removed together with the others when an export is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from curation.exports.argilla import write_argilla
from curation.exports.audit_log import write_audit
from curation.exports.certificate_page import write_certificate, write_certificate_page
from curation.exports.class_tables import (
    write_class_map,
    write_class_weights,
    write_joint,
    write_noise_matrix,
)
from curation.exports.destination import MANIFEST
from curation.exports.example_tables import write_corrections, write_issues
from curation.exports.html_report import write_report
from curation.exports.label_studio import write_label_config, write_label_studio
from curation.exports.picture_folder import write_picture_folder
from curation.exports.prodigy import write_prodigy
from curation.review.cleaning_plan import Plan

CLEANED_LABELS = "cleaned_labels"  # with the suffix of the label file
KEEP_MASK = "keep_mask.npy"
PICTURES = "pictures.zip"
TOOL_FILES = ("prodigy.jsonl", "argilla.json", "label_studio.json")


@dataclass(frozen=True)
class ExportFile:
    """A file of an export: its name, its contents in one line, and how its bytes are made.

    Three files have no `write`, because they need more than the plan: the cleaned labels are
    copied from the label file, the mask needs its number of rows, and the manifest the hash of
    every other file.
    """

    name: str
    holds: str
    write: Callable[[Plan], Iterator[bytes]] | None = None
    is_wanted: Callable[[Plan], bool] = lambda plan: True  # others are not written


FILES = (
    ExportFile(CLEANED_LABELS, "your label file, with only the decided cells changed"),
    ExportFile(
        "issues.csv", "every flagged example with its scores, suggestion and decision", write_issues
    ),
    ExportFile("corrections.csv", "every decided example, flagged or not", write_corrections),
    ExportFile(
        "audit.jsonl", "the whole log; `curate replay` writes all files again from it", write_audit
    ),
    ExportFile(
        "class_map.csv",
        "what each class becomes, and the classes that curators added",
        write_class_map,
    ),
    ExportFile(
        "class_weights.csv",
        "weights for training without the errors (the paper's reweighting)",
        write_class_weights,
    ),
    ExportFile("joint.csv", "the estimated joint of given and true labels", write_joint),
    ExportFile("noise_matrix.csv", "p(given | true)", write_noise_matrix),
    ExportFile(KEEP_MASK, "for each row of the label file, whether it stays"),
    ExportFile("prodigy.jsonl", "tasks for Prodigy", write_prodigy),
    ExportFile("argilla.json", "records for Argilla 2", write_argilla),
    ExportFile("label_studio.json", "tasks for Label Studio", write_label_studio),
    ExportFile("label_studio.xml", "the labelling interface for them", write_label_config),
    ExportFile(
        PICTURES,
        "the pictures that stay, with their labels, for FiftyOne and Hugging Face; on request",
        write_picture_folder,
        lambda plan: plan.settings.copy_pictures and plan.dataset.kind == "image",
    ),
    ExportFile(
        "report.html", "what was found, decided and measured; opens in any browser", write_report
    ),
    ExportFile(
        "certificate.json",
        "what the last audit proves about the labels; `curate quality --verify` checks it",
        write_certificate,
    ),
    ExportFile("certificate.html", "the same on one page, to print", write_certificate_page),
    ExportFile(MANIFEST, "fingerprint, counts, hashes, settings and what was left out"),
)


def list_files(plan: Plan) -> list[ExportFile]:
    """Return the files of one export, in order."""
    return [file for file in FILES if file.is_wanted(plan)]


def describe_files() -> str:
    """Return the files as a Markdown table."""
    lines = ["| file | what it holds |", "|---|---|"]
    for file in FILES:
        name = f"{file.name}.*" if file.name == CLEANED_LABELS else file.name
        holds = file.holds.replace("|", "\\|")
        lines.append(f"| `{name}` | {holds} |")
    return "\n".join(lines)
