"""Predictions as vision and tabular tools save them: the likeliest classes, class lists, arrays."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse
from PIL import Image

from tests.loading.shapes.shape_list import (
    GIVEN,
    GIVEN_2,
    LABELS,
    LABELS_2,
    NAMES,
    P_SPAM,
    PROBS,
    TEXTS,
    N,
    save_probs,
    shape,
    write,
)  # fmt: skip

RANKED = np.argsort(-PROBS, axis=1)
BEST = [NAMES[k] for k in PROBS.argmax(axis=1)]
FILES = [f"img_{k:03}.jpg" for k in range(N)]
OTHER_ORDER = [2, 0, 1]  # of the columns: eel, cat, dog


def table(at: Path, name: str = "data.csv", /, **columns: Any) -> None:
    pd.DataFrame(columns).to_csv(at / name, index=False)


def texts(at: Path, name: str = "data.csv") -> None:
    table(at, name, text=TEXTS, label=LABELS)


def pictures(at: Path, ending: str = ".jpg") -> None:
    (at / "images").mkdir()
    for k, name in enumerate(FILES):
        Image.new("L", (4, 4), k).save(at / "images" / name.replace(".jpg", ending))


# --- Ultralytics


@shape("Ultralytics, to_json with all classes", kind="text", code="table.tool_export")
def _(at: Path) -> None:
    texts(at)
    rows = [[{"name": NAMES[j], "class": int(j), "confidence": PROBS[k, j]} for j in RANKED[k]]
            for k in range(N)]  # fmt: skip
    write(at, "results.json", json.dumps(rows))


@shape("Ultralytics, to_json with the likeliest classes", asks="probs.top_one", says="probs.data")
def _(at: Path) -> None:
    texts(at)
    rows = [[{"name": NAMES[j], "class": int(j), "confidence": PROBS[k, j]} for j in RANKED[k][:2]]
            for k in range(N)]  # fmt: skip
    write(at, "results.json", json.dumps(rows))


@shape("Ultralytics, names and probs", kind="image", code="table.tool_export")
def _(at: Path) -> None:
    pictures(at)
    table(at, image=FILES, label=LABELS)
    names = {number: NAMES[k] for number, k in enumerate(OTHER_ORDER)}
    rows = [{"path": FILES[k], "names": names, "probs": PROBS[k, OTHER_ORDER].tolist()}
            for k in reversed(range(N))]  # fmt: skip
    write(at, "results.json", json.dumps(rows))


@shape("Ultralytics, save_txt", asks="folder.no_probabilities", says="Ultralytics' save_txt")
def _(at: Path) -> None:
    pictures(at)
    table(at, image=FILES, label=LABELS)
    for k, name in enumerate(FILES):
        rows = "".join(f"{PROBS[k, j]:.2f} {NAMES[j]}\n" for j in RANKED[k])
        write(at, f"runs/classify/predict/labels/{name[:-4]}.txt", rows)


@shape(
    "Ultralytics, to_csv", asks="folder.no_probabilities", choices=1, says="'name', 'confidence'"
)
def _(at: Path) -> None:
    texts(at)
    best = PROBS.argmax(axis=1)
    table(at, "results.csv", name=BEST, **{"class": best}, confidence=PROBS.max(axis=1))


# --- the likeliest classes alone


@shape("predicted class and confidence", asks="probs.top_one", says="predict_proba")
def _(at: Path) -> None:
    table(at, text=TEXTS, label=LABELS, prediction=BEST, confidence=PROBS.max(axis=1))


@shape("predicted class and confidence, in another file", asks="probs.top_one", says="of 3 classes")
def _(at: Path) -> None:
    texts(at)
    table(at, "predictions.csv", prediction=BEST, confidence=PROBS.max(axis=1))


@shape(
    "predicted class and confidence of two classes", kind="text", classes=("ham", "spam"),
    code="probs.predicted_class",
)  # fmt: skip
def _(at: Path) -> None:
    said, sure = np.where(P_SPAM > 0.5, "spam", "ham"), np.maximum(P_SPAM, 1 - P_SPAM)
    table(at, text=TEXTS, label=LABELS_2, prediction=said, score=sure)


@shape("predicted class and the score of one of two", asks="probs.binary", choices=2)
def _(at: Path) -> None:
    said = np.where(P_SPAM > 0.5, "spam", "ham")
    table(at, text=TEXTS, label=LABELS_2, prediction=said, score=P_SPAM)


@shape("top1_class to top2_prob", asks="probs.top_one", says="the 2 likeliest, of 3 classes")
def _(at: Path) -> None:
    texts(at)
    ranked = {}
    for rank in range(2):
        ranked[f"top{rank + 1}_class"] = [NAMES[k] for k in RANKED[:, rank]]
        ranked[f"top{rank + 1}_prob"] = PROBS[np.arange(N), RANKED[:, rank]]
    table(at, "predictions.csv", **ranked)


@shape("Hugging Face Trainer, only predicted classes", asks="probs.top_one", says="trainer.predict")
def _(at: Path) -> None:
    texts(at, "test.csv")
    table(at, "predictions.csv", index=range(N), prediction=BEST)
    write(at, "test_results.json", json.dumps({"test_loss": 0.1}))


@shape(
    "timm, the number of each class", kind="image", wrong=(4, 9, 26),
    overrides={"probs": "results.csv"}, code="probs.numbered_classes",
)  # fmt: skip
def _(at: Path) -> None:
    names = [f"{LABELS[k]}/{FILES[k]}" for k in range(N)]  # sorted by class: 4, 11 and 23 move
    for k, name in enumerate(names):
        (at / "val" / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (4, 4), k).save(at / "val" / name)
    ranked: dict[str, Any] = {"filename": names}
    for rank in range(3):
        ranked[f"index_{rank}"] = RANKED[:, rank]
        ranked[f"prob_{rank}"] = PROBS[np.arange(N), RANKED[:, rank]]
    table(at, "results.csv", **ranked)


@shape("a pipeline's two likeliest classes", asks="probs.top_one", says="top_k=None")
def _(at: Path) -> None:
    texts(at)
    rows = [[{"label": NAMES[j], "score": PROBS[k, j]} for j in RANKED[k][:2]] for k in range(N)]
    write(at, "preds.json", json.dumps(rows))


# --- the order of the columns


@shape("Keras, class_indices.json", kind="text", classes=("eel", "cat", "dog"),
       code="classes.found")  # fmt: skip
def _(at: Path) -> None:
    texts(at)
    numbers = {NAMES[k]: number for number, k in enumerate(OTHER_ORDER)}
    write(at, "class_indices.json", json.dumps(numbers))
    np.save(at / "preds.npy", PROBS[:, OTHER_ORDER])


@shape("fastai, vocab.json", kind="text", classes=("eel", "cat", "dog"), code="classes.found")
def _(at: Path) -> None:
    texts(at)
    write(at, "vocab.json", json.dumps([NAMES[k] for k in OTHER_ORDER]))
    np.save(at / "preds.npy", PROBS[:, OTHER_ORDER].astype(np.float32))


@shape("fastai, preds, targs and vocab.txt", code="classes.found")
def _(at: Path) -> None:
    write(at, "vocab.txt", "\n".join(NAMES))
    np.save(at / "preds.npy", PROBS.astype(np.float32))
    np.save(at / "targs.npy", GIVEN)


@shape("a tokenizer's vocab.txt is no list of classes", kind="text")
def _(at: Path) -> None:
    texts(at)
    save_probs(at)
    write(at, "vocab.txt", "\n".join(["[PAD]", "[UNK]", *NAMES, "the"]))
    write(at, "vocab.json", json.dumps({"<s>": 0, "</s>": 1, "cat": 2, "dog": 3}))


@shape("scikit-learn, classes.npy", kind="text", classes=("eel", "cat", "dog"),
       code="classes.found")  # fmt: skip
def _(at: Path) -> None:
    texts(at)
    np.save(at / "classes.npy", np.array(NAMES)[OTHER_ORDER])
    np.save(at / "probs.npy", PROBS[:, OTHER_ORDER])


@shape("scikit-learn, a pickled label encoder", kind="text", code="classes.unread")
def _(at: Path) -> None:
    texts(at)
    save_probs(at)
    (at / "label_encoder.pkl").write_bytes(b"never opened")


@shape("scikit-learn, classes.npy of Python objects", kind="text", code="classes.unread")
def _(at: Path) -> None:
    texts(at)
    save_probs(at)
    np.save(at / "classes.npy", np.array(NAMES, dtype=object), allow_pickle=True)


@shape("Kaggle, label_num_to_disease_map.json", kind="image", code="classes.found")
def _(at: Path) -> None:
    pictures(at)
    table(at, "train.csv", image_id=FILES, label=GIVEN)
    write(at, "label_num_to_disease_map.json", json.dumps(dict(enumerate(NAMES))))
    np.save(at / "oof.npy", PROBS)


@shape("two lists of classes in different orders", asks="folder.ambiguous_classes", choices=2)
def _(at: Path) -> None:
    texts(at)
    save_probs(at)
    write(at, "class_indices.json", json.dumps({"cat": 0, "dog": 1, "eel": 2}))
    write(at, "label_encoder.json", json.dumps({"eel": 0, "cat": 1, "dog": 2}))


@shape("pandas, categories in an order of their own", kind="text", code="labels.category_order")
def _(at: Path) -> None:
    categories = pd.Categorical(LABELS, categories=["eel", "cat", "dog"])
    pd.DataFrame({"text": TEXTS, "label": categories}).to_parquet(at / "data.parquet")
    save_probs(at)


@shape(
    "pandas, categories in an order of their own, answered", kind="text",
    classes=("eel", "cat", "dog"), overrides={"classes": ["eel", "cat", "dog"]},
)  # fmt: skip
def _(at: Path) -> None:
    categories = pd.Categorical(LABELS, categories=["eel", "cat", "dog"])
    pd.DataFrame({"text": TEXTS, "label": categories}).to_parquet(at / "data.parquet")
    np.save(at / "probs.npy", PROBS[:, OTHER_ORDER])


# --- arrays


@shape("scipy.sparse.save_npz", asks="npz.sparse", says=".toarray()")
def _(at: Path) -> None:
    texts(at)
    scipy.sparse.save_npz(at / "probs.npz", scipy.sparse.csr_matrix(PROBS))


@shape("an .npz of three splits next to the labels", asks="npz.no_probabilities", choices=3)
def _(at: Path) -> None:
    texts(at)
    np.savez(at / "preds.npz", train=PROBS[:9], val=PROBS[:5], test=PROBS)


@shape("the chosen split of an .npz", kind="text", overrides={"prob_array": "test"})
def _(at: Path) -> None:
    texts(at)
    np.savez(at / "preds.npz", train=PROBS[:9], val=PROBS[:5], test=PROBS)


@shape("LightGBM, all probabilities one after another", asks="probs.flat",
       says="probs.reshape(36, 3)")  # fmt: skip
def _(at: Path) -> None:
    np.save(at / "labels.npy", GIVEN)
    np.save(at / "preds.npy", PROBS.ravel())


@shape("a compressed array", asks="folder.no_probabilities", says="gunzip")
def _(at: Path) -> None:
    texts(at)
    save_probs(at)
    packed = gzip.compress((at / "probs.npy").read_bytes())
    (at / "probs.npy").unlink()
    (at / "probs.npy.gz").write_bytes(packed)


@shape(
    "Kaggle, an oof.csv whose column is called as the labels are",
    overrides={"probs": "oof.csv", "positive_class": "1"}, kind="text", classes=("0", "1"),
)  # fmt: skip
def _(at: Path) -> None:
    table(at, "train.csv", id=range(N), text=TEXTS, target=GIVEN_2)
    table(at, "oof.csv", id=range(N), target=P_SPAM)


# --- tables and folders


@shape("a workbook without a header", code="table.no_header", written=".csv")
def _(at: Path) -> None:
    frame = pd.DataFrame({"id": range(N), "label": LABELS})
    frame.to_excel(at / "labels.xlsx", index=False, header=False)
    save_probs(at)


@shape("a workbook with probabilities and without a header", asks="table.no_header",
       says="no_header=True")  # fmt: skip
def _(at: Path) -> None:
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS, **dict(zip(NAMES, PROBS.T, strict=True))})
    frame.to_excel(at / "data.xlsx", index=False, header=False)


@shape(
    "a workbook with probabilities and without a header, answered", kind="text",
    overrides={"no_header": True, "prob_columns": ["column 2", "column 3", "column 4"]},
)  # fmt: skip
def _(at: Path) -> None:
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS, **dict(zip(NAMES, PROBS.T, strict=True))})
    frame.to_excel(at / "data.xlsx", index=False, header=False)


@shape("cells that are split by |", asks="table.ragged", says="delimiter='|'")
def _(at: Path) -> None:
    pd.DataFrame({"text": TEXTS, "label": LABELS}).to_csv(at / "labels.csv", sep="|", index=False)
    save_probs(at)


@shape("a title above the names of the columns", asks="table.duplicate_columns", says="a title")
def _(at: Path) -> None:
    rows = pd.DataFrame({"id": range(N), "label": LABELS, "note": ""}).to_csv(index=False)
    write(at, "labels.csv", "Project 7,,\n" + rows)
    save_probs(at)


@shape("pictures whose names end in .JPG", kind="image", code="content.case")
def _(at: Path) -> None:
    pictures(at, ".JPG")
    table(at, image=FILES, label=LABELS)
    save_probs(at)


@shape("recordings in a folder for each class", asks="folder.no_labels", says='Path("audio")')
def _(at: Path) -> None:
    for k in range(N):
        write(at, f"audio/{LABELS[k]}/{k:03}.wav", "RIFF")
    save_probs(at)


@shape("Snorkel, a label matrix", asks="table.no_label_column", says="label_model.predict")
def _(at: Path) -> None:
    table(at, "train.csv", text=TEXTS)
    votes = np.stack([GIVEN, np.full(N, -1), GIVEN], axis=1)
    np.save(at / "L_train.npy", votes)
    save_probs(at)


@shape("Kaggle, labels in the names of pictures", asks="table.no_label_column", says="cat.000.jpg")
def _(at: Path) -> None:
    (at / "train").mkdir()
    names = [f"{LABELS[k]}.{k:03}.jpg" for k in range(N)]
    for k, name in enumerate(names):
        Image.new("L", (4, 4), k).save(at / "train" / name)
    table(at, "oof.csv", id=names, **dict(zip(NAMES, PROBS.T, strict=True)))


@shape("an archive that was unpacked into a folder of its own", asks="folder.no_labels", choices=2,
       says="Open the folder my_data")  # fmt: skip
def _(at: Path) -> None:
    (at / "my_data").mkdir()
    texts(at / "my_data", "labels.csv")
    save_probs(at / "my_data")
    write(at, "README.md", "Unpacked.")


@shape("PyTorch, tensors under a name that says nothing", asks="folder.no_probabilities",
       says="weights_only=True")  # fmt: skip
def _(at: Path) -> None:
    texts(at)
    (at / "outputs.pt").write_bytes(b"PK\x03\x04")


@shape("a zip archive of a dataset", asks="table.format", opens="data.zip", says="unpack it")
def _(at: Path) -> None:
    (at / "data.zip").write_bytes(b"PK\x03\x04")
