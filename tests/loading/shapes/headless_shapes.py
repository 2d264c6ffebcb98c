"""Tables without a header, and workbooks with several sheets."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    NAMES,
    PROBS,
    TEXTS,
    N,
    csv,
    save_probs,
    shape,
    write,
)  # fmt: skip

IDS = [f"e{k}" for k in range(N)]
CHOSEN = ["column 2", "column 3", "column 4"]


def rows(*columns: object) -> str:
    """Return a table as text, without a header."""
    return csv("", *columns)[1:]


@shape("id and label without a header", code="table.no_header", written=".csv")
def _(at: Path) -> None:
    write(at, "labels.csv", rows(IDS, LABELS))
    save_probs(at)


@shape("label and text without a header", kind="text", code="table.headless_columns")
def _(at: Path) -> None:
    write(at, "train.csv", rows(LABELS, [f'"{text}"' for text in TEXTS]))
    save_probs(at)


@shape("AG News: numbers from 1 and texts, without a header", asks="labels.one_indexed")
def _(at: Path) -> None:
    write(at, "train.csv", rows(GIVEN + 1, [f'"{text}"' for text in TEXTS]))
    write(at, "classes.txt", "\n".join(NAMES))
    save_probs(at)


@shape(
    "AG News, answered", kind="text", overrides={"shift_labels": -1}, code="table.headless_columns"
)
def _(at: Path) -> None:
    write(at, "train.csv", rows(GIVEN + 1, [f'"{text}"' for text in TEXTS]))
    write(at, "classes.txt", "\n".join(NAMES))
    save_probs(at)


@shape("no header, and nothing that shows it", asks="table.no_header", says="no_header=True")
def _(at: Path) -> None:
    write(at, "scored.csv", rows(IDS, LABELS, *PROBS.T))


@shape("no header, with probabilities", asks="folder.no_probabilities", choices=1,
       overrides={"no_header": True})  # fmt: skip
def _(at: Path) -> None:
    write(at, "scored.csv", rows(IDS, LABELS, *PROBS.T))


@shape(
    "no header, with the columns chosen", overrides={"no_header": True, "prob_columns": CHOSEN},
    written=".csv",
)  # fmt: skip
def _(at: Path) -> None:
    write(at, "scored.csv", rows(IDS, LABELS, *PROBS.T))


@shape("probabilities with ids and without a header", asks="table.no_header", says="add up to 1")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", IDS, LABELS))
    write(at, "probs.csv", rows(IDS, *PROBS.T))


@shape("Spark's parts without a header", asks="shards.differ", says="no_header=True",
       overrides={"labels": "part-*.csv"})  # fmt: skip
def _(at: Path) -> None:
    for part in range(3):
        mine = slice(12 * part, 12 * part + 12)
        write(at, f"part-0000{part}-1a2b-c000.csv", rows(IDS[mine], LABELS[mine]))
    save_probs(at)


# --- workbooks


def book(at: Path, **sheets: pd.DataFrame) -> None:
    with pd.ExcelWriter(at / "book.xlsx") as writer:
        for title, frame in sheets.items():
            frame.to_excel(writer, sheet_name=title, index=False)


GIVEN_SHEET = pd.DataFrame({"id": IDS, "label": LABELS})
MODEL_SHEET = pd.DataFrame({"id": IDS}).join(pd.DataFrame(PROBS, columns=list(NAMES)))


@shape("labels and probabilities on two sheets", code="xlsx.prob_sheet", written=".xlsx")
def _(at: Path) -> None:
    book(at, labels=GIVEN_SHEET, model=MODEL_SHEET[::-1])


@shape("the probabilities of two models on two sheets", asks="xlsx.prob_sheet", choices=2)
def _(at: Path) -> None:
    book(at, labels=GIVEN_SHEET, bert=MODEL_SHEET, svm=MODEL_SHEET[::-1])


@shape("the sheet of one of two models", overrides={"sheet": "labels", "prob_sheet": "svm"})
def _(at: Path) -> None:
    book(at, labels=GIVEN_SHEET, bert=MODEL_SHEET, svm=MODEL_SHEET[::-1])


@shape("labels on two sheets", asks="xlsx.sheets", choices=2)
def _(at: Path) -> None:
    book(at, **{"2024": GIVEN_SHEET[::-1], "2025": GIVEN_SHEET})
    save_probs(at)


@shape("the second of two sheets", overrides={"sheet": "2025"}, written=".xlsx")
def _(at: Path) -> None:
    book(at, **{"2024": GIVEN_SHEET[::-1], "2025": GIVEN_SHEET})
    save_probs(at)


@shape("a sheet that is not there", overrides={"sheet": "2023"}, asks="xlsx.no_such_sheet",
       says="'2024', '2025'")  # fmt: skip
def _(at: Path) -> None:
    book(at, **{"2024": GIVEN_SHEET[::-1], "2025": GIVEN_SHEET})
    save_probs(at)
