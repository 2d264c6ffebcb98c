"""Splits and folds: one of them, or all as one dataset."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from tests.loading.shapes.shape_list import (
    GIVEN,
    LABELS,
    NAMES,
    PROBS,
    N,
    csv,
    shape,
    write,
)  # fmt: skip

COLUMNS = [PROBS[:, k] for k in range(3)]
TRAIN, TEST = slice(0, 21), slice(21, N)
FOLDS = [slice(start, start + 12) for start in (0, 12, 24)]
HEADER = "id,label,p_cat,p_dog,p_eel"


def rows(part: slice) -> str:
    return csv(HEADER, range(N)[part], LABELS[part], *(column[part] for column in COLUMNS))


def split_files(at: Path) -> None:
    write(at, "train.csv", rows(TRAIN))
    write(at, "test.csv", rows(TEST))


@shape("train.csv and test.csv", asks="folder.ambiguous_labels", choices=3)
def _(at: Path) -> None:
    split_files(at)


@shape("train.csv of two", overrides={"splits": "train"}, n=21, wrong=(4, 11), written=".csv")
def _(at: Path) -> None:
    split_files(at)


@shape(
    "train.csv and test.csv as one", overrides={"splits": ["train", "test"]}, code="folder.splits",
    written=".csv",
)  # fmt: skip
def _(at: Path) -> None:
    split_files(at)


@shape("arrays of two splits", asks="folder.ambiguous_probs", choices=3)
def _(at: Path) -> None:
    for name, part in (("train", TRAIN), ("test", TEST)):
        np.save(at / f"y_{name}.npy", GIVEN[part])
        np.save(at / f"probs_{name}.npy", PROBS[part])


@shape(
    "arrays of two splits as one", overrides={"splits": ["train", "test"]}, classes=("0", "1", "2")
)
def _(at: Path) -> None:
    for name, part in (("train", TRAIN), ("test", TEST)):
        np.save(at / f"y_{name}.npy", GIVEN[part])
        np.save(at / f"probs_{name}.npy", PROBS[part])


@shape("folders train and test with files of their own", asks="folder.ambiguous_labels", choices=3)
def _(at: Path) -> None:
    write(at, "train/labels.csv", rows(TRAIN))
    write(at, "test/labels.csv", rows(TEST))


@shape("folders train and test as one", overrides={"splits": ["train", "test"]})
def _(at: Path) -> None:
    write(at, "train/labels.csv", rows(TRAIN))
    write(at, "test/labels.csv", rows(TEST))


@shape(
    "class folders in train and test, as one", overrides={"splits": "all"}, kind="image",
    code="folder.splits", wrong=None,
)  # fmt: skip
def _(at: Path) -> None:
    tables = {"train": ["path,cat,dog,eel"], "test": ["path,cat,dog,eel"]}
    for k in range(N):
        split = "train" if k < 21 else "test"
        name = f"{split}/{LABELS[k]}/{k:02}.png"
        (at / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (4, 4), k).save(at / name)
        tables[split].append(",".join([name, *map(str, PROBS[k])]))
    for split, lines in tables.items():
        write(at, f"{split}_preds.csv", "\n".join(lines) + "\n")


@shape("five folds, each with labels and probabilities", asks="folder.ambiguous_labels", choices=4)
def _(at: Path) -> None:
    for k, part in enumerate(FOLDS):
        write(at, f"fold_{k}.csv", rows(part))


@shape("all folds as one", overrides={"splits": "all"}, code="folder.splits")
def _(at: Path) -> None:
    for k, part in enumerate(FOLDS):
        write(at, f"fold_{k}.csv", rows(part))


@shape("predictions of three folds as arrays", asks="folder.ambiguous_probs", choices=4)
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    for k, part in enumerate(FOLDS):
        np.save(at / f"oof_fold{k}.npy", PROBS[part])


@shape(
    "predictions of three folds as arrays, in order",
    overrides={"probs": [f"oof_fold{k}.npy" for k in range(3)]}, code="probs.shards",
)  # fmt: skip
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    for k, part in enumerate(FOLDS):
        np.save(at / f"oof_fold{k}.npy", PROBS[part])


@shape(
    "predictions of three folds, placed by the column fold",
    overrides={"probs": [f"oof_fold{k}.npy" for k in range(3)]}, code="probs.joined",
)  # fmt: skip
def _(at: Path) -> None:
    fold = np.random.default_rng(2).permutation(N) % 3
    write(at, "labels.csv", csv("id,label,fold", range(N), LABELS, fold))
    for k in range(3):
        np.save(at / f"oof_fold{k}.npy", PROBS[fold == k])


@shape("predictions of three folds as CSV, joined by id", overrides={
    "probs": [f"preds_fold_{k}.csv" for k in range(3)]
})  # fmt: skip
def _(at: Path) -> None:
    order = np.random.default_rng(3).permutation(N)
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    for k, part in enumerate(FOLDS):
        mine = order[part]
        write(at, f"preds_fold_{k}.csv", csv("id," + ",".join(NAMES), mine, *PROBS[mine].T))


@shape(
    "a split that is not there", overrides={"splits": "dev"}, asks="folder.no_such_split", choices=3
)
def _(at: Path) -> None:
    split_files(at)


@shape("two shards of one table", code="probs.shards")
def _(at: Path) -> None:
    write(at, "labels.csv", csv("id,label", range(N), LABELS))
    np.save(at / "probs-00000-of-00002.npy", PROBS[:20])
    np.save(at / "probs-00001-of-00002.npy", PROBS[20:])


def rows_of_some(part: slice, classes: str) -> str:
    """Return the rows of a split that a model with some of the classes predicted."""
    kept = [k for k in range(N)[part] if NAMES[GIVEN[k]] in classes.split()]
    known = [NAMES.index(each) for each in classes.split()]
    probs = PROBS[np.ix_(kept, known)]
    probs = probs / probs.sum(axis=1, keepdims=True)
    header = "id,label," + ",".join(f"p_{each}" for each in classes.split())
    return csv(header, kept, [LABELS[k] for k in kept], *probs.T)


@shape(
    "a split that lacks a class of the other", overrides={"splits": ["train", "test"]}, n=32,
    code="classes.absent", wrong=(4, 11, 23),
)  # fmt: skip
def _(at: Path) -> None:
    write(at, "train.csv", rows(slice(0, 24)))
    write(at, "test.csv", rows_of_some(slice(24, N), "cat eel"))


@shape(
    "splits whose classes differ and are only numbered", overrides={"splits": ["train", "test"]},
    asks="classes.differ",
)  # fmt: skip
def _(at: Path) -> None:
    np.save(at / "y_train.npy", GIVEN[:24])
    np.save(at / "probs_train.npy", PROBS[:24])
    np.save(at / "y_test.npy", GIVEN[24:] % 2)
    np.save(at / "probs_test.npy", PROBS[24:, :2] / PROBS[24:, :2].sum(axis=1, keepdims=True))


def parts(at: Path, name: str, ending: str) -> None:
    """Write the dataset in three files, as Spark and its kind do."""
    whole = pd.DataFrame({"id": range(N), "label": LABELS})
    whole = whole.join(pd.DataFrame(PROBS, columns=[f"p_{each}" for each in NAMES]))
    for k, part in enumerate(FOLDS):
        path = at / f"{name.format(k)}.{ending}"
        if ending.endswith("csv"):
            whole[part].to_csv(path, index=False)
        elif ending == "json":
            whole[part].to_json(path, orient="records", lines=True)
        else:
            whole[part].to_parquet(path, index=False)


SPARK = "part-0000{}-0c1d2e3f-4a5b-4c6d-8e7f-001122334455-c000"


@shape("Spark, CSV in parts", code="labels.shards", written=".csv")
def _(at: Path) -> None:
    parts(at, SPARK, "csv")
    write(at, "_SUCCESS", "")


@shape("Spark, JSON in parts", code="labels.shards", written=".csv")
def _(at: Path) -> None:
    parts(at, SPARK, "json")
    write(at, "_SUCCESS", "")


@shape("Spark, Parquet in parts", code="labels.shards", written=".parquet")
def _(at: Path) -> None:
    parts(at, SPARK, "snappy.parquet")


@shape("Dask, part.0.parquet", code="labels.shards", written=".parquet")
def _(at: Path) -> None:
    parts(at, "part.{}", "parquet")


@shape("a folder of Parquet shards", code="labels.shards", written=".parquet")
def _(at: Path) -> None:
    parts(at, "shard_{}", "parquet")


@shape("slices of a table that pandas saved with their row numbers", code="labels.shards")
def _(at: Path) -> None:
    whole = pd.DataFrame({"label": LABELS})
    whole = whole.join(pd.DataFrame(PROBS, columns=[f"p_{each}" for each in NAMES]))
    for k, part in enumerate(FOLDS):
        whole[part].to_parquet(at / f"chunk{k}.parquet")


@shape("numbered files that may be parts", asks="folder.ambiguous_labels", choices=4)
def _(at: Path) -> None:
    parts(at, "export{}", "csv")


@shape("numbered files that are parts", overrides={"labels": "export*.csv"}, code="labels.shards")
def _(at: Path) -> None:
    parts(at, "export{}", "csv")
