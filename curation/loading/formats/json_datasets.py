"""Whole datasets in one JSON object: COCO's, Datumaro's, and FiftyOne's classes with labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.loading.formats.record_form import LABEL
from curation.loading.report_builder import stop

Rows = list[dict[str, Any]]
COCO = frozenset({"images", "annotations", "categories"})


def read_dataset_object(found: Any, where: str) -> tuple[Rows, tuple[str, ...]] | None:
    """Return the rows of a dataset in a JSON object, and its classes; None for other objects."""
    if not isinstance(found, dict):
        return None
    if _is_coco(found):
        names = tuple(str(each.get("name")) for each in found["categories"])
        return _read_coco(found, where), names
    if (classes := _datumaro_classes(found)) is not None:
        return [_read_item(item, classes, where) for item in found["items"]], classes
    if _is_fiftyone(found):
        names = tuple(map(str, found["classes"]))
        return [{"id": key, LABEL: _name(y, names)} for key, y in found["labels"].items()], names
    return None


def _is_coco(found: Mapping[str, Any]) -> bool:
    """Return whether a JSON object has COCO's three tables."""
    return found.keys() >= COCO and all(isinstance(found[key], list) for key in COCO)


def _read_coco(found: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    """Return a row for each picture, with its file name and its only category."""
    names = {each.get("id"): each.get("name") for each in found["categories"]}
    labels: dict[Any, list[Any]] = {}
    for each in found["annotations"]:
        labels.setdefault(each.get("image_id"), []).append(names.get(each.get("category_id")))
    several = [image for image, given in labels.items() if len(given) > 1]
    boxes = sum(bool(each.get("bbox") or each.get("segmentation")) for each in found["annotations"])
    if several or boxes:
        raise stop(
            code="labels.lists",
            where=where,
            what=f"{len(several)} of {len(found['images'])} pictures have several annotations, and "
            f"{boxes} annotations are boxes or masks.",
            fix="Export labels of whole pictures, one for each.",
            why="Confident learning assumes one given label and one true label per example.",
            count=max(len(several), boxes),
        )
    return [
        {
            "id": image.get("id"),
            "file_name": image.get("file_name"),
            LABEL: labels.get(image.get("id"), [None])[0],
        }
        for image in found["images"]
    ]


def _datumaro_classes(found: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the classes of a Datumaro dataset, in the order of their numbers."""
    try:
        labels = found["categories"]["label"]["labels"]
        names = tuple(str(each["name"]) for each in labels)
    except (KeyError, TypeError):
        return None
    items = found.get("items")
    return names if isinstance(items, list) and all(isinstance(i, dict) for i in items) else None


def _read_item(item: Mapping[str, Any], classes: tuple[str, ...], where: str) -> dict[str, Any]:
    said = [each for each in item.get("annotations") or () if isinstance(each, dict)]
    labels = [each.get("label_id") for each in said if each.get("type") == "label"]
    if len(labels) > 1 or len(labels) < len(said):
        raise stop(
            code="labels.lists",
            where=where,
            what=f"item {item.get('id')!r} has {len(said)} annotations, and {len(labels)} of them "
            "are labels of the whole picture.",
            fix="Export labels of whole pictures, one for each.",
            why="Confident learning assumes one given label and one true label per example.",
        )
    media = item.get("image") or item.get("media") or {}
    path = media.get("path") if isinstance(media, dict) else None
    shown = {"image": path} if path else {}
    return {"id": item.get("id"), **shown, LABEL: _name(labels[0], classes) if labels else None}


def _is_fiftyone(found: Mapping[str, Any]) -> bool:
    return (
        isinstance(found.get("classes"), list)
        and isinstance(found.get("labels"), dict)
        and all(isinstance(each, str | int | None) for each in found["labels"].values())
    )


def _name(label: Any, classes: tuple[str, ...]) -> str | None:
    """Return the name of a class, from its name or its number."""
    if label is None or isinstance(label, str):
        return label
    if isinstance(label, int) and 0 <= label < len(classes):
        return classes[label]
    return str(label)  # without a class: reading the labels reports it
