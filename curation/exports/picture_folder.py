"""pictures.zip: the pictures that stay, with their labels, as a folder for training tools.

    data/000017.jpg     a picture, named by its row in the label file
    labels.json         the labels as FiftyOne reads them (FiftyOneImageClassificationDataset)
    metadata.jsonl      the same as Hugging Face reads them (imagefolder)

Pictures that cannot be read are left out. The archive is the same to the byte for the same files.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

from curation.errors import ContentError
from curation.exports.picture_addresses import name_picture, read_picture
from curation.review.cleaning_plan import Plan

NEVER = (1980, 1, 1, 0, 0, 0)  # the earliest time that an archive can hold
IMPORT_STEPS = """\
With the option `copy_pictures` (`curate export --copy-pictures`):

```python
import zipfile

import datasets
import fiftyone as fo

zipfile.ZipFile("pictures.zip").extractall("pictures")
cleaned = datasets.load_dataset("imagefolder", data_dir="pictures", split="train")
cleaned = cleaned.class_encode_column("label")
shown = fo.Dataset.from_dir("pictures", dataset_type=fo.types.FiftyOneImageClassificationDataset)
```"""


class _Stream(io.RawIOBase):
    """What an archive is written to: bytes that are taken away as soon as they are there."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


def write_picture_folder(plan: Plan) -> Iterator[bytes]:
    """Yield the archive, one picture at a time."""
    stream = _Stream()
    labels: dict[str, Any] = {}
    lines: list[str] = []
    with zipfile.ZipFile(stream, "w") as archive:
        for row in (~plan.out).nonzero()[0].tolist():
            try:
                data, ending = read_picture(plan.dataset, row)
                if not ending:
                    data, ending = _convert(plan, row), ".png"
            except ContentError:
                continue
            name = f"{int(plan.dataset.source_rows[row]):06}"
            about = _describe(plan, row)
            labels[name] = {"label": about["label"], "attributes": _attributes(about)}
            lines.append(json.dumps({"file_name": f"data/{name}{ending}", **about}) + "\n")
            archive.writestr(_member(f"data/{name}{ending}"), data)
            yield stream.take()
        classes = sorted({each["label"] for each in labels.values()})
        told = json.dumps({"classes": classes, "labels": labels}, indent=1)
        archive.writestr(_member("labels.json"), told)
        archive.writestr(_member("metadata.jsonl"), "".join(lines))
    yield stream.take()


def _convert(plan: Plan, row: int) -> bytes:
    """Return a picture of a rare format as a PNG."""
    file = io.BytesIO()
    plan.dataset.content.image(row).image.save(file, "PNG")
    return file.getvalue()


def _describe(plan: Plan, row: int) -> dict[str, str]:
    decision = plan.decision(row)
    return {
        "label": plan.text(row),
        "id": str(plan.dataset.ids[row]),
        "path": name_picture(plan.dataset, row),
        "given_label": plan.dataset.label_values[int(plan.dataset.labels[row])],
        "action": decision.action.word if decision else "",
    }


def _attributes(about: dict[str, str]) -> dict[str, str]:
    """Return what FiftyOne shows with a label; `id` is a name of its own there."""
    others = {key: value for key, value in about.items() if key not in ("label", "id")}
    return {"example_id": about["id"], **others}


def _member(name: str) -> zipfile.ZipInfo:
    """Return an entry that does not depend on the time, the machine or the user."""
    info = zipfile.ZipInfo(name, NEVER)
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info
