"""The names of files and columns that the loader knows. To add a name, add it here.

Names are compared in lower case. In a tuple, the most common name comes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Columns of a table of examples
LABEL_COLUMNS = (
    *("label", "given_label", "target", "y", "class"),
    *("labels", "noisy_label", "noisy_labels", "weak_label", "weak_labels", "targets"),
    *("annotation", "annotations", "accept"),
)
LIST_COLUMNS = ("annotations", "accept")  # labels only if they are lists: doccano and Prodigy
TRUE_COLUMNS = ("true_label", "true_labels", "y_true", "correct_label", "gold_label")
ID_COLUMNS = ("id", "ids", "example_id", "image_id", "uid", "key")
FOLD_COLUMNS = ("fold", "kfold", "cv_fold", "fold_id")
FILE_COLUMNS = ("image", "file_name", "filename", "path", "image_path", "img", "file")
TEXT_COLUMNS = ("text", "sentence", "review", "content", "comment", "data")
# Columns of a table with one row per annotation, in lower case without spaces and punctuation
ANNOTATOR_WORDS = (
    *("annotatorid", "annotator", "annotatorname", "workerid", "worker", "raterid", "rater"),
    *("coderid", "coder", "labelerid", "labeler", "labellerid", "labeller", "judgeid", "judge"),
)
EXAMPLE_WORDS = (
    *("inputhash", "hitid", "taskid", "task", "itemid", "item", "exampleid", "example", "docid"),
    *("sampleid", "imageid", "rowid", "unitid", "id", "uid", "key"),
    *("filename", "file", "image", "path", "text", "sentence"),
)
UNNAMED_COLUMNS = ("", "Unnamed: 0", "__index_level_0__")  # what pandas calls its row numbers
INDEX_COLUMNS = (*UNNAMED_COLUMNS, "index")  # row numbers are never ids
_ID_WORD = re.compile(r"(?:(?:^|[^a-zA-Z])(?i:u?id|uuid|guid|key)|[a-z]I[dD])$")

# Columns of a list of classes
CLASS_NAME_COLUMNS = ("name", "class_name", "class", "label")
CLASS_ID_COLUMNS = ("id", "class_id", "wnid", "synset", "index")

# Columns of probabilities
PROB_LIST_COLUMNS = (
    *("pred_probs", "probs", "probabilities", "probability", "proba", "scores"),
    *("prediction", "predictions", "output", "outputs", "cats", "predicted_label_probs"),
)
PROB_PREFIXES = ("p_", "prob_", "proba_", "probs_", "pred_probs_", "probability_")
PROB_ENDINGS = ("_prob", "_proba", "_probability")
NO_AFFIX = ("", "")
# What may come before and after the name of a known class. The most specific comes first: next
# to p_cat, a column called cat is something else.
PROB_AFFIXES = (
    *((prefix, "") for prefix in PROB_PREFIXES),
    *(("", ending) for ending in PROB_ENDINGS),
    NO_AFFIX,
)
# Names of scores that are not probabilities yet: the doctor offers softmax
LOGIT_WORDS = frozenset("logit logits logprob logprobs log_prob log_probs logp log_p".split())
NUMBERED_AFFIXES = tuple(
    (before, "") for before in (*PROB_PREFIXES, "", "p", "prob", "class_", "class", "LABEL_")
)
NOT_PROB_COLUMNS = frozenset(
    "label labels given_label true_label target y class predict prediction predicted "
    "predicted_label pred y_pred y_true image file_name filename path text "
    "sentence review content split fold".split()
)
# Numbers that models write next to the probabilities, with or without a prefix such as p_.
MODEL_EXTRAS = frozenset(
    "value pvalue p_value confidence score scores max max_prob margin entropy loss weight "
    "uncertainty prob proba probability".split()
)

# A single column of probabilities, of one of two classes, or the file that holds it
SINGLE_PROB_NAMES = frozenset(
    "p prob probs proba probability score scores pred_prob pred_probs pred_proba y_score y_scores "
    "y_prob y_proba y_pred_proba positive_prob prob_positive".split()
)
SINGLE_ENDINGS = ("_probs", "_score", "_scores", "_probabilities")  # besides PROB_ENDINGS

# Arrays in an .npz archive
LABEL_ARRAYS = (
    *("labels", "noisy_labels", "given_labels", "label", "y", "targets"),
    *("target", "y_train", "y_test", "y_val", "y_true"),
)
NAME_ARRAYS = frozenset("class_names classes columns made target_names feature_names".split())
PROB_ARRAYS = (
    *("pred_probs", "probs", "probabilities", "proba", "y_proba", "y_prob", "y_pred_proba"),
    *("predictions", "softmax", "logits"),
)
PICTURE_ARRAYS = (
    *("images", "image", "imgs", "pictures", "pixels", "x", "x_train", "x_test", "x_val"),
    *("train_images", "test_images", "data", "features"),
)

# Numbers that describe an example and that a person can read, unlike embeddings
VALUE_ARRAYS = ("x", "features", "feature", "inputs", "data")

# File names, without their endings and without words such as train and test
LABEL_STEMS = (
    *("labels", "given_labels", "noisy_labels", "label", "targets", "y", "annotations"),
    *("metadata", "data", "dataset", "examples"),
    "",  # what is left of train.csv
)
TRUE_STEMS = ("true_labels", "true_label", "y_true", "gold_labels", "correct_labels")
PREDICTED_STEMS = frozenset(  # predicted labels, which are never the given ones
    "y_pred y_hat pred preds prediction predictions predicted predicted_labels".split()
)
CLASS_STEMS = (
    *("synsets", "label_list"),
    *("classes", "class_names", "classnames", "label_names", "index_to_label"),
    *("id2label", "label2id", "label_map", "class_to_idx", "idx_to_class"),
)
PLAIN_PROB_STEMS = ("pred_probs", "probs", "probabilities", "predicted_probabilities")
PROB_STEMS = (  # the plain ones also match as part of a longer name
    *PLAIN_PROB_STEMS,
    *("predictions", "pred_prob", "proba", "probas", "psx", "softmax", "logits", "scores"),
    *("prob", "score", "y_score", "y_scores", "y_prob", "y_proba", "y_pred_proba"),
)
PROB_WORDS = frozenset(  # these words in a file's name suggest that it holds predictions
    "pred preds prediction predictions prob probs proba probas probability probabilities oof pyx "
    "psx softmax logits".split()
)
FEATURE_STEMS = ("x", "features", "feature", "embeddings", "embedding", "inputs", "data")
FEATURE_WORDS = frozenset("features embeddings embedding".split())  # as part of a longer name
# An array of ids next to the other files: ids.npy, filenames.npy.
ID_STEMS = frozenset(name + end for name in (*ID_COLUMNS, *FILE_COLUMNS) for end in ("", "s"))

# Splits, and where Hugging Face keeps its files
SPLITS = frozenset("train training test testing valid validation val dev eval".split())
SHARD_FOLDERS = ("data", "default", "plain_text")

TEXT_SUFFIXES = (".txt",)  # of files that each hold the text of one example
SOUND_SUFFIXES = (".wav", ".mp3", ".flac", ".ogg", ".m4a")
IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")


def find_id_column(columns: Sequence[str]) -> str | None:
    """Return the column of ids, recognized by its name."""
    return find_column(columns, ID_COLUMNS)


def find_column(columns: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the column with the first of these names that occurs; None if none does.

    >>> find_column(["ID", " Label "], ["label", "id"])
    ' Label '
    """
    lower = {column.strip().lower(): column for column in reversed(columns)}
    return next((lower[name] for name in names if name in lower), None)


def is_id_name(column: str) -> bool:
    """Return whether a column's name says that it holds ids.

    >>> is_id_name("sample_id"), is_id_name("imageId"), is_id_name("orchid")
    (True, True, False)
    """
    return column.strip().lower() in ID_COLUMNS or _ID_WORD.search(column.strip()) is not None


def exact_columns(header: Sequence[str], id_column: str | None) -> set[str]:
    """Return the columns of ids and file names, which are never read as numbers."""
    named = None if id_column is None else id_column.strip()
    return {
        c
        for c in header
        if is_id_name(c) or c.strip().lower() in FILE_COLUMNS or c.strip() == named
    }
