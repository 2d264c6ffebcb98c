"""Tables under the column names that people give them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
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

QUOTED = [f'"{text}"' for text in TEXTS]
COLUMNS = [PROBS[:, k] for k in range(3)]


@shape("y_true, y_pred and proba_0 to proba_2", classes=("0", "1", "2"), code="table.true_as_given")
def _(at: Path) -> None:
    predicted = PROBS.argmax(axis=1)
    header = "y_true,y_pred,proba_0,proba_1,proba_2"
    write(at, "results.csv", csv(header, GIVEN, predicted, *COLUMNS))


@shape("y_true and proba_<class>")
def _(at: Path) -> None:
    write(at, "results.csv", csv("y_true,proba_cat,proba_dog,proba_eel", LABELS, *COLUMNS))


@shape("pandas to_json, records", kind="text", written=".json")
def _(at: Path) -> None:
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS})
    frame.to_json(at / "labels.json", orient="records")
    save_probs(at)


@shape("pandas to_json, by column", kind="text", written=".csv")
def _(at: Path) -> None:
    pd.DataFrame({"text": TEXTS, "label": LABELS}).to_json(at / "labels.json")
    save_probs(at)


@shape("pandas to_json, split", kind="text")
def _(at: Path) -> None:
    pd.DataFrame({"text": TEXTS, "label": LABELS}).to_json(at / "labels.json", orient="split")
    save_probs(at)


@shape("a JSON array with probabilities inside", kind="text", written=".json")
def _(at: Path) -> None:
    rows = [
        {"text": TEXTS[k], "label": LABELS[k], "probs": dict(zip(NAMES, PROBS[k], strict=True))}
        for k in range(N)
    ]
    write(at, "data.json", json.dumps(rows))


@shape("a JSON object of ids and labels")
def _(at: Path) -> None:
    write(at, "labels.json", json.dumps({f"e{k}": label for k, label in enumerate(LABELS)}))
    save_probs(at)


@shape("a JSON list of labels", written=".json")
def _(at: Path) -> None:
    write(at, "labels.json", json.dumps(LABELS))
    save_probs(at)


@shape("a .feather file", kind="text", written=".csv")
def _(at: Path) -> None:
    pd.DataFrame({"text": TEXTS, "label": LABELS}).to_feather(at / "labels.feather")
    save_probs(at)


@shape("Parquet with one-element lists", kind="text", written=".parquet")
def _(at: Path) -> None:
    frame = pd.DataFrame({"text": TEXTS, "label": [[label] for label in LABELS]})
    frame.to_parquet(at / "labels.parquet")
    save_probs(at)


def other(k: int) -> str:
    return NAMES[(GIVEN[k] + 1) % 3]


THIRD = [other(k) if k % 6 == 0 else LABELS[k] for k in range(N)]


@shape("three annotators in three columns", asks="labels.annotators", choices=4)
def _(at: Path) -> None:
    header = "id,annotator_1,annotator_2,annotator_3"
    write(at, "labels.csv", csv(header, range(N), LABELS, LABELS, THIRD))
    save_probs(at)


@shape("one of three annotators", overrides={"label_column": "label_ana"}, written=".csv")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label_ana,label_bo,label_cy", range(N), LABELS, LABELS, THIRD))
    save_probs(at)


@shape(
    "what most of three annotators say", written=".csv", code="labels.majority",
    overrides={"majority_of": ["label_ana", "label_bo", "label_cy"]},
)  # fmt: skip
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label_ana,label_bo,label_cy", range(N), LABELS, LABELS, THIRD))
    save_probs(at)


@shape(
    "two annotators, who differ in six rows", written=".csv", code="labels.ties",
    overrides={"majority_of": ["rater1", "rater2"]},
)  # fmt: skip
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,rater1,rater2", range(N), LABELS, THIRD))
    save_probs(at)


@shape("columns that could each be the labels", asks="table.no_label_column", choices=2)
def _(at: Path) -> None:
    moods = np.where(np.arange(N) % 2, "calm", "angry")
    write(at, "reviews.csv", csv("text,animal,mood", QUOTED, LABELS, moods))
    save_probs(at)


@shape("two columns that are named like labels", asks="table.label_columns", choices=2)
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label,target", range(N), LABELS, THIRD))
    save_probs(at)


@shape("JSON by id, with the probability of each class")
def _(at: Path) -> None:
    write(at, "labels.json", json.dumps({f"a{k}": label for k, label in enumerate(LABELS)}))
    by_id = {f"a{k}": dict(zip(NAMES, PROBS[k], strict=True)) for k in reversed(range(N))}
    write(at, "predictions.json", json.dumps(by_id))


@shape("JSON by id, with a list of numbers")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", [f"a{k}" for k in range(N)], LABELS))
    by_id = {f"a{k}": PROBS[k].tolist() for k in reversed(range(N))}
    write(at, "probs.json", json.dumps(by_id))


@shape("JSON, a list of lists", kind="text")
def _(at: Path) -> None:
    pd.DataFrame({"text": TEXTS, "label": LABELS}).to_csv(at / "labels.csv", index=False)
    write(at, "probs.json", json.dumps(PROBS.tolist()))


@shape("pandas Series to_json, split")
def _(at: Path) -> None:
    pd.Series(LABELS, name="label").to_json(at / "labels.json", orient="split")
    save_probs(at)


@shape("Parquet with a range as its index, one of them backwards", code="probs.joined")
def _(at: Path) -> None:
    pd.DataFrame({"label": LABELS}).rename_axis("id").to_parquet(at / "labels.parquet")
    probs = pd.DataFrame(PROBS, columns=list(NAMES)).rename_axis("id")
    probs.iloc[::-1].to_parquet(at / "probs.parquet")


@shape("a workbook whose first sheet holds notes", kind="text", code="xlsx.sheets")
def _(at: Path) -> None:
    data = pd.DataFrame({"text": TEXTS, "label": LABELS}).join(pd.DataFrame(PROBS, columns=NAMES))
    with pd.ExcelWriter(at / "book.xlsx") as book:
        notes = pd.DataFrame({"who": ["ana", "bo"], "what": ["made", "checked"]})
        notes.to_excel(book, sheet_name="notes", index=False)
        data.to_excel(book, sheet_name="data", index=False)


@shape("the probabilities of two models", asks="probs.two_sets", choices=2)
def _(at: Path) -> None:
    header = "id,label,bert_cat,bert_dog,bert_eel,svm_cat,svm_dog,svm_eel"
    turned = [column[::-1] for column in COLUMNS]
    write(at, "scored.csv", csv(header, range(N), LABELS, *COLUMNS, *turned))


@shape("columns of 0 and 1 that are no labels", asks="table.no_label_column", choices=3)
def _(at: Path) -> None:
    even = np.arange(N) % 2
    write(at, "data.csv", csv("id,animal,is_train,is_test", range(N), LABELS, even, 1 - even))
    save_probs(at)


@shape("labels.txt that lists the classes, by number", written=".csv")
def _(at: Path) -> None:
    write(at, "labels.txt", "0 cat\n1 dog\n2 eel\n")
    write(at, "train.csv", csv("id,target", range(N), GIVEN))
    save_probs(at)


@shape("a spreadsheet's blank columns", code="table.blank_columns", written=".csv")
def _(at: Path) -> None:
    blank = [""] * N
    write(at, "labels.csv", csv("id,label,,", range(N), LABELS, blank, blank))
    header = "id,cat,dog,eel,,"
    write(at, "probs.csv", csv(header, range(N), *COLUMNS, blank, blank))


@shape("blank rows at the end", asks="ids.missing", says="Delete the blank rows at the end")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS) + ",\n,\n")
    save_probs(at)


@shape("labels in lower case, columns in capitals", classes=("Cat", "Dog", "Eel"))
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    write(at, "probs.csv", csv("id,Cat,Dog,Eel", range(N), *COLUMNS))


@shape("accents as macOS has them", code="labels.spelling", classes=("cafe\u0301", "lait", "the"))
def _(at: Path) -> None:
    names = ["caf\u00e9", "lait", "the"]
    write(at, "labels.csv", csv("id,label", range(N), [names[k] for k in GIVEN]))
    write(at, "probs.csv", csv("id,cafe\u0301,lait,the", range(N), *COLUMNS))


@shape("ids of which none is in both files", asks="probs.missing_ids", says="have '000', '001'")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", [f"{k:03}" for k in range(N)], LABELS))
    frame = pd.DataFrame(PROBS, columns=list(NAMES)).assign(id=range(100, 100 + N))
    frame.to_parquet(at / "probs.parquet")


# --- one text file per example


def text_files(at: Path, folder: str = "") -> list[int]:
    """Write a text file for each example, and return the examples in the order of the folders."""
    for k in range(N):
        write(at, f"{folder}{LABELS[k]}/{k:02}_7.txt", TEXTS[k])
    return sorted(range(N), key=lambda k: (LABELS[k], k))


@shape("texts in a folder for each class", kind="text", wrong=(4, 9, 26), written=".csv")
def _(at: Path) -> None:
    np.save(at / "probs.npy", PROBS[text_files(at)])


@shape("the IMDB reviews, train and test", asks="folder.ambiguous_labels", choices=3)
def _(at: Path) -> None:
    for split in ("train", "test"):
        text_files(at, f"{split}/")
    write(at, "README", "Large Movie Review Dataset v1.0")
    write(at, "train/urls_pos.txt", "https://example.org/1\n")


@shape("the IMDB reviews, train", kind="text", wrong=None, overrides={"labels": "train"})
def _(at: Path) -> None:
    order = text_files(at, "train/")
    text_files(at, "test/")
    np.save(at / "probs.npy", PROBS[order])


@shape("a table that names text files", kind="text", written=".csv")
def _(at: Path) -> None:
    for k in range(N):
        write(at, f"texts/{k:02}.txt", TEXTS[k])
    write(at, "labels.csv", csv("file,label", [f"texts/{k:02}.txt" for k in range(N)], LABELS))
    save_probs(at)


# --- what is elsewhere, or has another name


@shape(
    "a table two folders below", asks="folder.no_labels", choices=1,
    says="media/table/preds_1.table.json",
)  # fmt: skip
def _(at: Path) -> None:
    rows = [[TEXTS[k], LABELS[k], *PROBS[k].tolist()] for k in range(N)]
    columns = ["text", "label", "p_cat", "p_dog", "p_eel"]
    write(at, "media/table/preds_1.table.json", json.dumps({"columns": columns, "data": rows}))


@shape(
    "Weights & Biases, a table two folders below", kind="text",
    overrides={"labels": "media/table/preds_1.table.json"},
)  # fmt: skip
def _(at: Path) -> None:
    rows = [[TEXTS[k], LABELS[k], *PROBS[k].tolist()] for k in range(N)]
    columns = ["text", "label", "p_cat", "p_dog", "p_eel"]
    write(at, "media/table/preds_1.table.json", json.dumps({"columns": columns, "data": rows}))


@shape("a table without an ending", asks="folder.no_labels", says="SMSSpamCollection.tsv")
def _(at: Path) -> None:
    write(at, "SMSSpamCollection", "".join(f"{LABELS[k]}\t{TEXTS[k]}\n" for k in range(N)))
    save_probs(at)


@shape("SageMaker's .out", asks="folder.no_probabilities", says="rename it to")
def _(at: Path) -> None:
    write(at, "train.csv", csv("id,label", range(N), LABELS))
    write(at, "train.csv.out", "".join(f"{','.join(map(str, row))}\n" for row in PROBS))


@shape("labels in the names of the pictures", asks="folder.no_labels", says="cat.0.jpg")
def _(at: Path) -> None:
    for k in range(N):
        write(at, f"train/{LABELS[k]}.{k}.jpg", "")
    save_probs(at)


@shape("a table split into folders by its labels", asks="folder.no_labels", says="read_parquet",
       choices=3)  # fmt: skip
def _(at: Path) -> None:
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS})
    frame.to_parquet(at, partition_cols=["label"])


@shape("a decision function", asks="folder.no_probabilities", says="predict_proba")
def _(at: Path) -> None:
    scores = 4 * np.sin(np.arange(N))
    write(at, "data.csv", csv("id,label,score", range(N), np.where(scores > 0, "a", "b"), scores))


@shape("PyTorch's own file", asks="folder.no_probabilities", says="torch.load")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    write(at, "probs.pt", "PK")


@shape("columns named Probability Cat", classes=("Cat", "Dog", "Eel"), code="labels.spelling")
def _(at: Path) -> None:
    header = "id,label,Probability Cat,Probability Dog,Probability Eel"
    write(at, "scored.csv", csv(header, range(N), LABELS, *COLUMNS))
