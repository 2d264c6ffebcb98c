"""What the name of a file says: what it holds, and of which split or fold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from curation.loading.formats.registry import remove_suffix
from curation.loading.vocabulary import SPLITS

TABLE_SHARD = re.compile(
    r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<total>\d{5})\.(?P<ending>parquet|arrow)", re.IGNORECASE
)
ALL_SHARDS = "-*."  # in a name such as train-*.parquet, which stands for all shards of a table
FOLD = re.compile(r"(?:(?<=[_\-. ])|^)(?:fold|cv|kfold|split)[_\-. ]?(?P<number>\d{1,3})(?!\d)")


@dataclass(frozen=True)
class FileName:
    """A file's name split into its parts: `train_labels.csv` is the labels of train.

    >>> FileName.of("data/train_labels.csv"), FileName.of("test-00000-of-00001.parquet")
    (FileName(stem='labels', split='train'), FileName(stem='', split='test'))
    >>> FileName.of("train/metadata.csv")
    FileName(stem='metadata', split='train')
    """

    stem: str
    split: str | None

    @classmethod
    def of(cls, name: str) -> FileName:
        last = PurePosixPath(name).name
        if last.startswith("part-*") and (written := PurePosixPath(name).parent.name):
            return cls.of(written)  # Spark's folder labels.csv
        if shard := TABLE_SHARD.fullmatch(last):
            stem = shard["stem"]
        else:
            stem = last.partition(ALL_SHARDS)[0] if ALL_SHARDS in last else remove_suffix(last)
        stem, fold = _take_fold(stem.lower())
        words = re.split(r"[_\-.\s]+", stem)
        splits = [word for word in words if word in SPLITS]
        rest = "_".join(word for word in words if word not in SPLITS)
        folder = PurePosixPath(name).parent.name.lower()
        splits = splits or [folder] * (folder in SPLITS)
        return cls(rest, fold or (splits[0] if len(splits) == 1 else None))


def plain_stem(name: str) -> str:
    """Return a file's name in lower case, without its suffix and with _ for -.

    >>> plain_stem("Pred-Probs.csv.gz")
    'pred_probs'
    """
    return remove_suffix(name).lower().replace("-", "_")


def _take_fold(stem: str) -> tuple[str, str | None]:
    """Return a name without its fold, and the fold.

    >>> _take_fold("preds_fold_3"), _take_fold("fold0"), _take_fold("labels")
    (('preds', 'fold3'), ('', 'fold0'), ('labels', None))
    """
    match = FOLD.search(stem)
    if match is None:
        return stem, None
    rest = stem[: match.start()] + stem[match.end() :]
    return rest.strip("_-. "), f"fold{int(match['number'])}"
