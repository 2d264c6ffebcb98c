"""Predictions and labels as statistics programs, cloud services and model hubs write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image

from tests.loading.shapes.shape_list import (
    GIVEN,
    GIVEN_2,
    LABELS,
    NAMES,
    P_SPAM,
    PROBS,
    TEXTS,
    WRONG,
    N,
    csv,
    lines,
    save_probs,
    shape,
    write,
)  # fmt: skip

COLUMNS = [PROBS[:, k] for k in range(3)]
PREDICTED = [NAMES[k] for k in PROBS.argmax(axis=1)]
NUMBERS = ("0", "1", "2")


def examples(**more: Any) -> pd.DataFrame:
    return pd.DataFrame({"text": TEXTS, "label": LABELS, **more})


def scores(before: str = "", after: str = "") -> dict[str, Any]:
    """Return the probabilities as columns that are named by class."""
    return {f"{before}{name}{after}": PROBS[:, k] for k, name in enumerate(NAMES)}


# --- statistics programs


@shape("R, write.csv with row names", kind="text", code="rows.index")
def _(at: Path) -> None:
    frame = examples().set_axis(range(1, N + 1))
    frame.to_csv(at / "labels.csv", quoting=2)
    pd.DataFrame(PROBS, frame.index, NAMES).to_csv(at / "probs.csv", quoting=2)


@shape("R, write.csv2 with decimal commas", kind="text", code="probs.decimal_comma")
def _(at: Path) -> None:
    frame = examples(**scores()).set_axis(range(1, N + 1))
    frame.to_csv(at / "data.csv", sep=";", decimal=",", quoting=2)


@shape("R, write.table to a .txt", asks="table.format")
def _(at: Path) -> None:
    rows = "".join(f'"{k + 1}" "{TEXTS[k]}" "{LABELS[k]}"\n' for k in range(N))
    write(at, "labels.txt", '"text" "label"\n' + rows)
    save_probs(at)


@shape("KNIME, P (label=cat)", kind="text")
def _(at: Path) -> None:
    frame = examples(**scores("P (label=", ")"), **{"Prediction (label)": PREDICTED})
    frame.to_csv(at / "scored.csv", index=False)


@shape("H2O, predict, p0 and p1", classes=("0", "1"))
def _(at: Path) -> None:
    write(at, "data.csv", csv("x,label", range(N), GIVEN_2))
    write(at, "preds.csv", csv("predict,p0,p1", P_SPAM.round().astype(int), 1 - P_SPAM, P_SPAM))


@shape("AutoGluon, predict_proba with its index", kind="text", code="rows.index")
def _(at: Path) -> None:
    examples().rename(columns={"label": "class"}).to_csv(at / "train.csv", index=False)
    pd.DataFrame(scores()).to_csv(at / "predict_proba.csv")


@shape("Kaggle, with a sample submission and out-of-fold predictions", kind="text")
def _(at: Path) -> None:
    examples(id=range(N)).rename(columns={"label": "target"}).to_csv(at / "train.csv", index=False)
    pd.DataFrame({"id": range(100, 120), "text": TEXTS[:20]}).to_csv(at / "test.csv", index=False)
    sample = pd.DataFrame({"id": range(100, 120), **dict.fromkeys(NAMES, 0.25)})
    sample.to_csv(at / "sample_submission.csv", index=False)
    pd.DataFrame({"id": range(N), **scores()}).to_csv(at / "oof.csv", index=False)


@shape("pandas, a header of two lines", asks="table.duplicate_columns")
def _(at: Path) -> None:
    both = {"data": examples(), "proba": pd.DataFrame(scores())}
    pd.concat(both, axis=1).to_csv(at / "results.csv", index=False)


@shape("probabilities written as 97.2%", asks="probs.percent", choices=0)
def _(at: Path) -> None:
    written = {name: [f"{100 * p:.3f}%" for p in column] for name, column in scores().items()}
    examples(**written).to_csv(at / "data.csv", index=False)


@shape("log-probabilities, answered", kind="text", overrides={"convert": "softmax"})
def _(at: Path) -> None:
    logs = {name: np.log(column) for name, column in scores("logprob_").items()}
    examples(**logs).to_csv(at / "data.csv", index=False)


@shape("a row for each example and class", asks="probs.long")
def _(at: Path) -> None:
    examples(id=range(N)).to_csv(at / "labels.csv", index=False)
    rows = [(k, name, PROBS[k, j]) for k in range(N) for j, name in enumerate(NAMES)]
    write(at, "probs.csv", csv("id,class,probability", *zip(*rows, strict=True)))


@shape("Excel's line sep=;", asks="table.no_header")
def _(at: Path) -> None:
    write(at, "labels.csv", "sep=;\r\n" + csv("id,label", range(N), LABELS).replace(",", ";"))
    save_probs(at)


# --- labels as columns of 0 and 1


@shape("get_dummies", asks="labels.onehot")
def _(at: Path) -> None:
    pd.get_dummies(pd.DataFrame({"label": LABELS})).to_csv(at / "labels.csv", index=False)
    save_probs(at)


@shape("get_dummies, answered", overrides={"labels_are": "onehot"}, written=".csv")
def _(at: Path) -> None:
    pd.get_dummies(pd.DataFrame({"label": LABELS})).to_csv(at / "labels.csv", index=False)
    save_probs(at)


@shape("Roboflow's _classes.csv", kind="image", overrides={"labels_are": "onehot"})
def _(at: Path) -> None:
    ones = np.eye(3, dtype=int)[GIVEN]
    write(at, "_classes.csv", csv("filename, cat, dog, eel", [f"{k}.jpg" for k in range(N)],
                                  *ones.T))  # fmt: skip
    for k in range(N):
        Image.new("RGB", (4, 4), (k, 0, 0)).save(at / f"{k}.jpg")
    save_probs(at)


@shape("spaCy's cats, as given", kind="text", overrides={"labels_are": "onehot"}, written=".csv")
def _(at: Path) -> None:
    given = [{name: float(name == LABELS[k]) for name in NAMES} for k in range(N)]
    lines(at, "train.jsonl", [{"text": TEXTS[k], "cats": given[k]} for k in range(N)])
    save_probs(at)


@shape("spaCy's cats, as predicted", kind="text")
def _(at: Path) -> None:
    cats = [dict(zip(NAMES, map(float, PROBS[k]), strict=True)) for k in range(N)]
    rows = [{"text": TEXTS[k], "label": LABELS[k], "cats": cats[k]} for k in range(N)]
    lines(at, "docs.jsonl", rows)


# --- fastText


@shape("fastText's training file", kind="text", written=".txt")
def _(at: Path) -> None:
    write(at, "train.txt", "".join(f"__label__{LABELS[k]} {TEXTS[k]}\n" for k in range(N)))
    save_probs(at)


@shape("fastText, with what predict-prob printed", kind="text")
def _(at: Path) -> None:
    write(at, "train.txt", "".join(f"__label__{LABELS[k]} {TEXTS[k]}\n" for k in range(N)))
    best = [sorted(zip(PROBS[k], NAMES, strict=True), reverse=True) for k in range(N)]
    said = [" ".join(f"__label__{name} {p:.6f}" for p, name in row) for row in best]
    write(at, "predictions.txt", "\n".join(said) + "\n")


# --- services


@shape("Weights & Biases, a table", kind="text")
def _(at: Path) -> None:
    columns = ["id", "text", "label", *(f"score_{name}" for name in NAMES)]
    rows = [[k, TEXTS[k], LABELS[k], *PROBS[k]] for k in range(N)]
    write(at, "predictions.table.json", json.dumps({"columns": columns, "data": rows, "ncols": 6}))


@shape("MLflow, eval_results_table.json", kind="text")
def _(at: Path) -> None:
    columns = ["text", "label", "prediction", "proba"]
    rows = [[TEXTS[k], LABELS[k], PREDICTED[k], PROBS[k].tolist()] for k in range(N)]
    write(at, "eval_results_table.json", json.dumps({"columns": columns, "data": rows}))
    write(at, "classes.txt", "cat\ndog\neel\n")


@shape("Spark, JSON with vectors", kind="text", classes=NUMBERS)
def _(at: Path) -> None:
    rows = [
        {"text": TEXTS[k], "label": int(GIVEN[k]),
         "probability": {"type": 1, "values": PROBS[k].tolist()}}
        for k in range(N)
    ]  # fmt: skip
    lines(at, "part-00000.json", rows)


@shape("BigQuery ML, ML.PREDICT", kind="text")
def _(at: Path) -> None:
    def predicted(k: int) -> list[dict[str, Any]]:
        return [{"label": name, "prob": float(PROBS[k, j])} for j, name in enumerate(NAMES)]

    rows = [
        {"text": TEXTS[k], "label": LABELS[k], "predicted_label": PREDICTED[k],
         "predicted_label_probs": predicted(k)}
        for k in range(N)
    ]  # fmt: skip
    lines(at, "predictions.jsonl", rows)


def ground_truth(k: int, source: dict[str, Any], order: tuple[str, ...] = NAMES) -> dict[str, Any]:
    about = {"class-name": LABELS[k], "confidence": 0.9, "type": "groundtruth/classification"}
    return {**source, "pets": order.index(LABELS[k]), "pets-metadata": about}


@shape("SageMaker Ground Truth, texts", kind="text", code="table.tool_export", written=".csv")
def _(at: Path) -> None:
    lines(at, "output.manifest", [ground_truth(k, {"source": TEXTS[k]}) for k in range(N)])
    save_probs(at)


@shape("SageMaker Ground Truth, in the order of its classes", kind="text",
       classes=("eel", "cat", "dog"))  # fmt: skip
def _(at: Path) -> None:
    order = ("eel", "cat", "dog")
    lines(at, "output.manifest", [ground_truth(k, {"source": TEXTS[k]}, order) for k in range(N)])
    np.save(at / "probs.npy", PROBS[:, [2, 0, 1]])


def coco(**more: Any) -> str:
    """Return COCO's three tables; its classes are numbered in another order than sorted."""
    names = ("eel", "cat", "dog")
    return json.dumps({
        "images": [{"id": k, "file_name": f"{k}.jpg"} for k in range(N)],
        "categories": [{"id": j + 1, "name": name} for j, name in enumerate(names)],
        "annotations": [
            {"id": k, "image_id": k, "category_id": names.index(LABELS[k]) + 1, **more}
            for k in range(N)
        ],
    })  # fmt: skip


@shape("COCO, a category per picture", kind="image", classes=("eel", "cat", "dog"), written=".csv")
def _(at: Path) -> None:
    write(at, "annotations.json", coco())
    np.save(at / "probs.npy", PROBS[:, [2, 0, 1]])


@shape("COCO with boxes", asks="labels.lists")
def _(at: Path) -> None:
    write(at, "annotations.json", coco(bbox=[0, 0, 2, 2]))
    save_probs(at)


@shape("labels called LABEL_0, with the names in config.json", kind="text")
def _(at: Path) -> None:
    write(
        at, "data.csv", csv("text,label", [f'"{t}"' for t in TEXTS], [f"LABEL_{k}" for k in GIVEN])
    )
    write(at, "config.json", json.dumps({"id2label": dict(enumerate(NAMES))}))
    save_probs(at)


@shape("Azure's label_orig and label_predicted", asks="table.no_label_column", choices=2)
def _(at: Path) -> None:
    write(at, "scored.csv", csv("id,label_orig,label_predicted", range(N), LABELS, PREDICTED))
    save_probs(at)


@shape("class_to_idx.json in another order than sorted", kind="image", wrong=None,
       classes=("eel", "cat", "dog"))  # fmt: skip
def _(at: Path) -> None:
    for k in range(N):
        path = at / "images" / LABELS[k] / f"{k:02}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (4, 4), (5 * k, 0, 90)).save(path)
    order = sorted(range(N), key=lambda k: f"{LABELS[k]}/{k:02}")
    write(at, "class_to_idx.json", json.dumps({"eel": 0, "cat": 1, "dog": 2}))
    np.save(at / "probs.npy", PROBS[order][:, [2, 0, 1]])


@shape("a pointer of Git LFS instead of the array", asks="file.pointer")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    write(at, "probs.npy", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")


@shape("cleanlab's files, with the issues that it found", classes=NUMBERS)
def _(at: Path) -> None:
    np.save(at / "pred_probs.npy", PROBS)
    np.save(at / "labels.npy", GIVEN)
    np.save(at / "ranked_label_issues.npy", np.array(WRONG))
