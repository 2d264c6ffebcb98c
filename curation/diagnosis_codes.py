"""Every code that a diagnosis can have; docs/doctor.md is made from this list.

To add a check, add its code here and run `python docs/build.py`. A diagnosis whose code or
severity is not listed cannot be made.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How much a diagnosis matters; worst first."""

    BLOCK = "BLOCK"  # nothing runs until a person fixes it
    WARN = "WARN"  # everything runs; the warning stays on the pages and in the exports
    AUTO = "AUTO"  # a harmless fix was made, and is reported


class DiagnosisCode(NamedTuple):
    """What a code means, which severities it can have, and the option of `load` that fixes it.

    `why` and `fix` are for docs/doctor.md, if the check only words them when it runs.
    """

    severities: tuple[Severity, ...]
    meaning: str
    option: str = ""  # empty if no option fixes it
    why: str = ""
    fix: str = ""


_BLOCK = (Severity.BLOCK,)
_WARN = (Severity.WARN,)
_AUTO = (Severity.AUTO,)

# Sentences that several codes share.
_NOT_PROBABILITIES = (
    "Confident learning averages probabilities; other numbers give wrong thresholds."
)
_ONE_EACH = "Each example needs one label and one probability for each class."
_UNSEEN = "They can only be decided without seeing them; a placeholder shows the reason."
_OTHER_ROWS = (
    "If labels and probabilities belong to different examples, all findings are meaningless."
)
_PREDICT_AGAIN = "Predict these rows again (in float32), or leave them out."

# The part of a code before the dot, and what its diagnoses are about.
FAMILIES: Mapping[str, str] = {
    "path": "The path that was opened",
    "folder": "The dataset's folder",
    "part": "Files that were named",
    "manifest": "curation.toml and the options of `load`",
    "file": "Files that cannot be read",
    "memory": "Memory",
    "table": "Tables",
    "jsonl": "JSON Lines",
    "npy": "Arrays (.npy)",
    "archive": "Archives (.npz, .xlsx)",
    "xlsx": "Excel workbooks (.xlsx)",
    "npz": "Arrays in an archive (.npz)",
    "array": "Arrays of text",
    "shards": "Tables in several files",
    "labels": "Labels",
    "true_labels": "True labels",
    "classes": "Classes",
    "class_order": "The option `class_order`",
    "columns": "The order of the probability columns",
    "probs": "Probabilities",
    "ids": "Ids",
    "files": "File names as ids",
    "rows": "Rows of labels and probabilities",
    "content": "Pictures and texts",
    "features": "Features of the examples",
}

CODES: Mapping[str, DiagnosisCode] = {
    "path.missing": DiagnosisCode(_BLOCK, "There is no file or folder at the path."),
    # The dataset's folder
    "folder.unreadable": DiagnosisCode(_BLOCK, "The folder cannot be read."),
    "folder.no_labels": DiagnosisCode(
        _BLOCK,
        "The folder holds no labels.",
        "labels",
        fix="Name the file labels.csv, or give its name as labels in curation.toml.",
    ),
    "folder.no_probabilities": DiagnosisCode(
        _BLOCK,
        "The folder holds no probabilities.",
        "probs",
        fix="Run `curate probs` to make them; or name the file probs.npy, or give its name as "
        "probs in curation.toml; or add p_<class> columns to the label table.",
    ),
    "folder.no_images": DiagnosisCode(_BLOCK, "The folders of the classes hold no images."),
    "folder.ambiguous_labels": DiagnosisCode(
        _BLOCK,
        "Several files could be the labels.",
        "labels",
        why="Labels from the wrong file are wrong in every row.",
        fix="Pass the file whose labels to check.",
    ),
    "folder.ambiguous_probs": DiagnosisCode(
        _BLOCK, "Several files could be the probabilities.", "probs"
    ),
    "folder.ambiguous_classes": DiagnosisCode(
        _BLOCK, "Several files could be the list of classes.", "classes"
    ),
    "folder.ambiguous_true_labels": DiagnosisCode(
        _BLOCK, "Several files could be the true labels.", "true_labels"
    ),
    "folder.labels_chosen": DiagnosisCode(
        _AUTO, "One of several possible label files was chosen by its name.", "labels"
    ),
    "folder.splits": DiagnosisCode(_AUTO, "Several splits are read as one dataset.", "splits"),
    "folder.no_such_split": DiagnosisCode(_BLOCK, "A split that was named is not there.", "splits"),
    "folder.split_chosen": DiagnosisCode(
        _AUTO, "The labels of one split were chosen out of several.", "labels"
    ),
    "folder.skipped": DiagnosisCode(
        _WARN, "Some folders or files lead outside the dataset, or have no readable name."
    ),
    "part.missing": DiagnosisCode(_BLOCK, "A file that was named does not exist."),
    "part.refused": DiagnosisCode(
        _BLOCK,
        "A file that was named is outside the dataset's folder.",
        fix="Copy the file into the dataset's folder, and name it relative to that folder.",
    ),
    "manifest.broken": DiagnosisCode(_BLOCK, "curation.toml is not valid TOML."),
    "manifest.unknown_key": DiagnosisCode(_BLOCK, "There is no setting with that name."),
    "manifest.value": DiagnosisCode(
        _BLOCK,
        "The value of a setting cannot be used.",
        fix="Write it as the message says; the README shows every setting with a value.",
    ),
    "manifest.no_effect": DiagnosisCode(_BLOCK, "A setting does not apply to these files."),
    "manifest.not_read": DiagnosisCode(
        _AUTO, "A single file was opened, so the curation.toml in its folder is not used."
    ),
    # Files
    "file.changed": DiagnosisCode(_BLOCK, "The file was changed while it was being read."),
    "file.pointer": DiagnosisCode(_BLOCK, "A file is only a pointer of Git LFS or git-annex."),
    "file.cut": DiagnosisCode(_BLOCK, "The file is incomplete: its end is missing."),
    "file.unreadable": DiagnosisCode(
        _BLOCK, "The file cannot be read in the format of its ending."
    ),
    "memory.limit": DiagnosisCode(
        _BLOCK, "Reading the file needs more memory than the limit allows.", "memory_limit_gb"
    ),
    "table.empty": DiagnosisCode(_BLOCK, "The file is empty."),
    "table.no_rows": DiagnosisCode(_BLOCK, "The table has a header but no rows."),
    "folder.versions": DiagnosisCode(
        _BLOCK, "The folder is a versioned table, such as Delta Lake's."
    ),
    "table.blank_columns": DiagnosisCode(
        _AUTO, "Columns without a name and without cells are not read."
    ),
    "table.no_header": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO),
        "The first line looks like a row, not a header.",
        "no_header",
    ),
    "table.headless_columns": DiagnosisCode(
        _AUTO, "Without a header, the columns are recognized by their values."
    ),
    "table.format": DiagnosisCode(
        _BLOCK,
        "Files of this kind cannot be read as tables.",
        fix="Save it in one of the formats in the README, such as CSV, JSON Lines or Parquet.",
    ),
    "table.encoding": DiagnosisCode(
        _BLOCK, "The text is not in the expected encoding.", "encoding"
    ),
    "table.one_column": DiagnosisCode(
        _BLOCK, "The cells are separated by an unexpected character.", "delimiter"
    ),
    "table.open_quote": DiagnosisCode(_BLOCK, "A quote is opened and never closed."),
    "table.ragged": DiagnosisCode(_BLOCK, "A row has more or fewer cells than the header."),
    "table.too_wide": DiagnosisCode(_BLOCK, "The table has too many columns."),
    "table.duplicate_columns": DiagnosisCode(_BLOCK, "Two columns have the same name."),
    "table.no_such_column": DiagnosisCode(_BLOCK, "There is no column with the given name."),
    "table.no_label_column": DiagnosisCode(
        _BLOCK,
        "No column has a name that labels usually have.",
        "label_column",
        fix="Pass the name of the column, or rename it to label.",
    ),
    "table.label_columns": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO), "Several columns could be the labels.", "label_column"
    ),
    "table.spaces": DiagnosisCode(_AUTO, "Spaces around column names are ignored."),
    "table.comment_mark": DiagnosisCode(_AUTO, "The # before the first column name is ignored."),
    "table.tool_export": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO),
        "The file is the export of a labelling tool, whose labels are nested.",
    ),
    "table.true_as_given": DiagnosisCode(
        _AUTO, "Labels that are called true are checked: there are no others.", "label_column"
    ),
    "jsonl.broken": DiagnosisCode(_BLOCK, "A line is not valid JSON."),
    "jsonl.broken_text": DiagnosisCode(_BLOCK, "A text holds an incomplete character."),
    "jsonl.duplicate_keys": DiagnosisCode(_BLOCK, "A name occurs twice in one object."),
    "jsonl.not_an_object": DiagnosisCode(_BLOCK, "A line holds something other than an object."),
    "npy.broken": DiagnosisCode(_BLOCK, "The file is not a valid .npy file."),
    "npy.objects": DiagnosisCode(_BLOCK, "The array holds Python objects, stored as a pickle."),
    "npy.type": DiagnosisCode(
        _BLOCK,
        "The array holds values of a type that cannot be read.",
        fix="Save plain numbers or text; of a structured array, each field by itself.",
    ),
    "archive.members": DiagnosisCode(_BLOCK, "The archive has too many entries."),
    "archive.outside": DiagnosisCode(_BLOCK, "The archive has entries that point outside it."),
    "archive.growth": DiagnosisCode(_BLOCK, "The archive would unpack to many times its size."),
    "xlsx.sheets": DiagnosisCode(
        (Severity.BLOCK, Severity.WARN),
        "Several sheets hold tables: you are asked which to use, or the first one is read.",
        "sheet",
    ),
    "xlsx.no_such_sheet": DiagnosisCode(_BLOCK, "The workbook has no sheet of that name.", "sheet"),
    "xlsx.prob_sheet": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO),
        "Labels and probabilities are on two sheets of a workbook.",
        "prob_sheet",
    ),
    "xlsx.encrypted": DiagnosisCode(_BLOCK, "The workbook is protected by a password."),
    "xlsx.old_format": DiagnosisCode(_BLOCK, "The file is in the format of Excel 97-2003 (.xls)."),
    "xlsx.not_installed": DiagnosisCode(
        _BLOCK, "openpyxl, which reads Excel files, is not installed."
    ),
    "npz.sparse": DiagnosisCode(_BLOCK, "The archive is a sparse matrix."),
    "npz.no_labels": DiagnosisCode(
        _BLOCK, "No array in the archive has a name that labels usually have.", "label_column"
    ),
    "npz.no_probabilities": DiagnosisCode(
        _BLOCK, "No array in the archive has a name that probabilities usually have."
    ),
    "npz.label_arrays": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO), "Several arrays could be the labels.", "label_column"
    ),
    "array.text": DiagnosisCode(_BLOCK, "An array of ids or names does not hold text."),
    "shards.missing": DiagnosisCode(_BLOCK, "Some of the files that make up a table are missing."),
    "shards.empty": DiagnosisCode(_AUTO, "Some of the files that make up a table hold no rows."),
    "shards.order": DiagnosisCode(
        _BLOCK, "The files that make up a table are in no order that is known."
    ),
    "shards.differ": DiagnosisCode(
        _BLOCK,
        "The files that make up a table differ in columns.",
        fix="Save all files with the same columns, or pass no_header if the first line is a row.",
    ),
    # Labels
    "labels.category_order": DiagnosisCode(
        _WARN,
        "The labels are categories in another order than the alphabet's.",
        "classes",
        fix="If the model learned from the codes of the categories, list them in that order.",
    ),
    "labels.none": DiagnosisCode(_BLOCK, "No row has a label.", "label_column"),
    "labels.no_rows": DiagnosisCode(_BLOCK, "The array of labels is empty."),
    "labels.unlabelled": DiagnosisCode(_WARN, "Some rows have no label; they are left out."),
    "labels.rejected": DiagnosisCode(
        (Severity.BLOCK, Severity.WARN),
        "Some rows were rejected in the annotation tool.",
        "label_column",
    ),
    "labels.unknown": DiagnosisCode(_BLOCK, "Some labels are not in the list of classes."),
    "labels.outside": DiagnosisCode(
        _BLOCK, "Some labels are numbers beyond the last class.", "classes"
    ),
    "labels.one_indexed": DiagnosisCode(
        (Severity.BLOCK, Severity.WARN), "Labels seem to be counted from 1.", "shift_labels"
    ),
    "labels.written_lists": DiagnosisCode(
        _AUTO, "Lists of one label, written as text, are read as labels."
    ),
    "labels.spelling": DiagnosisCode(
        _AUTO, "Labels differ from the classes only in capitals or in how accents are stored."
    ),
    "labels.minus_one": DiagnosisCode(
        _BLOCK,
        "The label -1 may be a class, or mean no label.",
        "labels_are",
        fix="If -1 is a class, list the classes or shift the labels; if it means no label, pass "
        'labels_are="index".',
    ),
    "labels.shift": DiagnosisCode(_BLOCK, "shift_labels was given, but the labels are words."),
    "labels.style": DiagnosisCode(
        _BLOCK, "Labels are not written as labels_are says.", "labels_are"
    ),
    "labels.ambiguous": DiagnosisCode(_BLOCK, "Some labels could mean several classes."),
    "labels.classes_unknown": DiagnosisCode(
        _BLOCK,
        "There are not as many different labels as probability columns.",
        "classes",
        fix="List the classes in classes.txt, one per line, in the order of the columns.",
    ),
    "labels.order_guessed": DiagnosisCode(
        _WARN, "The sorted labels are assigned to the probability columns, in order.", "classes"
    ),
    "labels.positions": DiagnosisCode(
        (Severity.WARN, Severity.AUTO),
        "Labels are numbers, and are read as positions in the list of classes.",
        "labels_are",
    ),
    "labels.fraction": DiagnosisCode(_BLOCK, "Some labels are numbers with a fraction."),
    "labels.whole": DiagnosisCode(_AUTO, "Labels such as 1.0 are read as 1."),
    "labels.spaces": DiagnosisCode(_AUTO, "Spaces around labels are ignored."),
    "labels.boolean": DiagnosisCode(_AUTO, "The labels false and true are read as 0 and 1."),
    "labels.bytes": DiagnosisCode(_BLOCK, "The labels are bytes that are not UTF-8 text."),
    "labels.lists": DiagnosisCode(_BLOCK, "Examples have several labels each."),
    "labels.annotators": DiagnosisCode(
        _BLOCK, "Several annotators have a column of labels each.", "majority_of"
    ),
    "labels.majority": DiagnosisCode(
        _AUTO, "The label of an example is what most annotators say.", "majority_of"
    ),
    "labels.ties": DiagnosisCode(
        _WARN, "Some examples have no majority among their annotators.", "majority_of"
    ),
    "labels.onehot": DiagnosisCode(_BLOCK, "The labels are one-hot rows of 0 and 1.", "labels_are"),
    "labels.column": DiagnosisCode(_AUTO, "An array of one column is read as labels."),
    "labels.shape": DiagnosisCode(_BLOCK, "The array of labels has too many dimensions."),
    "labels.shards": DiagnosisCode(_AUTO, "Several files are read as one table."),
    "labels.type": DiagnosisCode(_BLOCK, "The labels are neither text nor whole numbers."),
    "true_labels.column": DiagnosisCode(_BLOCK, "The table has no column of true labels."),
    "true_labels.row_count": DiagnosisCode(
        _BLOCK, "There are not as many true labels as labels, and no ids to join them by."
    ),
    "true_labels.partial": DiagnosisCode(_AUTO, "Some examples have no true label."),
    "true_labels.unknown": DiagnosisCode(_WARN, "Some true labels are not in the list of classes."),
    "true_labels.unmatched": DiagnosisCode(_WARN, "Some true labels belong to no example."),
    # Classes
    "classes.unread": DiagnosisCode(
        _WARN, "A file that seems to list the classes is not read.", "classes"
    ),
    "classes.found": DiagnosisCode(
        _AUTO, "A file that lists as many classes as there are columns is read.", "classes"
    ),
    "classes.none": DiagnosisCode(_BLOCK, "The list of classes is empty."),
    "classes.differ": DiagnosisCode(_BLOCK, "The splits have different classes.", "classes"),
    "classes.absent": DiagnosisCode(_WARN, "A split lacks classes that another split has."),
    "classes.one": DiagnosisCode(
        _BLOCK, "There is only one class.", fix="Add examples of a second class."
    ),
    "classes.blank": DiagnosisCode(_BLOCK, "A class in the list has no name."),
    "classes.broken": DiagnosisCode(_BLOCK, "The list of classes is not valid JSON."),
    "classes.broken_text": DiagnosisCode(_BLOCK, "A class name holds an invalid character."),
    "classes.columns": DiagnosisCode(_BLOCK, "The table of classes has no column of names."),
    "classes.shape": DiagnosisCode(_BLOCK, "The list of classes has an unknown form."),
    "classes.duplicate": DiagnosisCode(_BLOCK, "A class is listed more than once."),
    "classes.duplicate_ids": DiagnosisCode(_BLOCK, "Two classes have the same id."),
    "classes.same_name": DiagnosisCode(_WARN, "Different classes have the same name."),
    "classes.near_duplicate": DiagnosisCode(_WARN, "Two classes have nearly the same name."),
    "classes.empty": DiagnosisCode(_WARN, "A class has no examples."),
    "classes.rare": DiagnosisCode(_WARN, "A class has too few examples for a reliable threshold."),
    "class_order": DiagnosisCode(_BLOCK, "class_order does not name each class once."),
    "columns.permuted": DiagnosisCode(
        _WARN, "The columns seem to be in a different order than the classes.", "class_order"
    ),
    # Probabilities
    "probs.format": DiagnosisCode(
        _BLOCK,
        "Files of this kind cannot be read as probabilities.",
        fix="Save them as .npy, .npz, .csv or .parquet.",
    ),
    "probs.no_rows": DiagnosisCode(_BLOCK, "The file of probabilities is empty."),
    "probs.nan": DiagnosisCode(
        _BLOCK,
        "Some probabilities are NaN.",
        "drop_rows",
        why="A NaN hides some of the label errors without any notice.",
        fix=_PREDICT_AGAIN,
    ),
    "probs.infinite": DiagnosisCode(
        _BLOCK,
        "Some probabilities are infinite.",
        "drop_rows",
        why="An infinity makes every average infinite. A softmax in float16 overflows above 11.",
        fix=_PREDICT_AGAIN,
    ),
    "probs.zero": DiagnosisCode(
        _BLOCK,
        "Some rows hold only zeros.",
        "drop_rows",
        why="Such a row favours no class.",
        fix=_PREDICT_AGAIN,
    ),
    "probs.dropped": DiagnosisCode(_WARN, "Rows without usable probabilities are left out."),
    "probs.not_a_number": DiagnosisCode(_BLOCK, "A cell among the probabilities is not a number."),
    "probs.logits": DiagnosisCode(
        _BLOCK,
        "The numbers look like logits.",
        "convert",
        why=_NOT_PROBABILITIES,
        fix="Apply softmax to each row before saving, or have it applied on load.",
    ),
    "probs.percent": DiagnosisCode(
        _BLOCK,
        "The numbers look like percentages.",
        "convert",
        why=_NOT_PROBABILITIES,
        fix="Divide them by 100.",
    ),
    "probs.scaled": DiagnosisCode(
        _BLOCK,
        "The numbers look like counts or scores.",
        "convert",
        why=_NOT_PROBABILITIES,
        fix="Divide each row by its sum.",
    ),
    "probs.range": DiagnosisCode(
        _BLOCK,
        "Some numbers are below 0 or above 1.",
        "convert",
        why=_NOT_PROBABILITIES,
        fix="Clip the values to 0 and 1 and divide each row by its sum, then save again.",
    ),
    "probs.sums": DiagnosisCode(
        (Severity.BLOCK, Severity.WARN), "Some rows do not add up to 1.", "convert"
    ),
    "probs.conversion": DiagnosisCode(
        _WARN,
        "The requested conversion does not fit the numbers.",
        "convert",
        why="Numbers converted twice, or in the wrong way, give wrong thresholds.",
        fix="Leave convert out, or pass the conversion that fits.",
    ),
    "probs.just_above_one": DiagnosisCode(_AUTO, "Rounding left values a little above 1."),
    "probs.float16": DiagnosisCode(_AUTO, "The probabilities are stored in half precision."),
    "probs.type": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO), "The values are not of a floating-point type."
    ),
    "probs.long": DiagnosisCode(_BLOCK, "Each row holds the probability of one class only."),
    "probs.dimensions": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO), "The array does not have two dimensions."
    ),
    "probs.binary": DiagnosisCode(
        _BLOCK, "There is one probability per example, for one of two classes.", "positive_class"
    ),
    "probs.binary_named": DiagnosisCode(
        _AUTO, "The name of the only column says which class it is for.", "positive_class"
    ),
    "probs.top_one": DiagnosisCode(_BLOCK, "Only the likeliest classes have a score."),
    "probs.predicted_class": DiagnosisCode(
        _AUTO, "Of two classes, the score of the predicted one is read.", "positive_class"
    ),
    "probs.numbered_classes": DiagnosisCode(
        _AUTO, "Scores are assigned by the number of the class next to each.", "classes"
    ),
    "probs.tokens": DiagnosisCode(_AUTO, "A language model's tokens are read as the classes."),
    "probs.top_tokens": DiagnosisCode(
        _BLOCK, "A language model's answer does not list the token of every class."
    ),
    "probs.no_logprobs": DiagnosisCode(
        _BLOCK, "A language model's answers have no probabilities of tokens."
    ),
    "probs.unordered": DiagnosisCode(
        _BLOCK, "The rows are in any order, and there are no ids to join them by."
    ),
    "probs.transposed": DiagnosisCode(
        _BLOCK,
        "Rows and columns seem to be swapped.",
        why=_ONE_EACH,
        fix="Save the transpose, `probs.T`: one row for each example.",
    ),
    "probs.rows": DiagnosisCode(
        _BLOCK,
        "There are not as many rows as labels.",
        why=_ONE_EACH,
        fix="Save both for the same examples, or give both an id column.",
    ),
    "probs.row_count": DiagnosisCode(
        _BLOCK, "There are not as many rows as labels, and no ids to join them by."
    ),
    "probs.flat": DiagnosisCode(_BLOCK, "The probabilities of all examples are in one long row."),
    "probs.ragged": DiagnosisCode(_BLOCK, "A row has more or fewer probabilities than the others."),
    "probs.columns": DiagnosisCode(
        _BLOCK,
        "There is not one column for each class.",
        why=_ONE_EACH,
        fix="Save one row for each example and one column for each class, named by class or "
        "p_<class>.",
    ),
    "probs.column_count": DiagnosisCode(_BLOCK, "There are not as many columns as classes."),
    "probs.column_names": DiagnosisCode(_BLOCK, "The columns are not named after the classes."),
    "probs.column_not_a_class": DiagnosisCode(
        _BLOCK, "One of the columns does not seem to be a class.", "classes"
    ),
    "probs.columns_reordered": DiagnosisCode(
        _AUTO, "The columns were put in the order of the classes, by name.", "class_order"
    ),
    "probs.numbered_columns": DiagnosisCode(
        _AUTO, "Numbered columns are assigned to the classes, in order.", "classes"
    ),
    "probs.other_columns": DiagnosisCode(_AUTO, "Some columns are not read as probabilities."),
    "probs.list_column": DiagnosisCode(_AUTO, "The only column of lists is read.", "probs"),
    "probs.scored_cells": DiagnosisCode(
        _AUTO, "The scores of all classes are read from one column's cells.", "probs"
    ),
    "probs.written_lists": DiagnosisCode(_AUTO, "Lists written as text are read as numbers."),
    "probs.decimal_comma": DiagnosisCode(_AUTO, "Numbers such as 0,5 are read as 0.5."),
    "probs.shards": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO), "The probabilities are in several files."
    ),
    "probs.shards_missing": DiagnosisCode(_BLOCK, "Some of the files are missing."),
    "probs.two_sets": DiagnosisCode(
        (Severity.BLOCK, Severity.AUTO), "There are two sets of probabilities.", "probs"
    ),
    "probs.inside_unused": DiagnosisCode(
        _AUTO, "Probabilities in the label table are not read.", "probs"
    ),
    "probs.made": DiagnosisCode(_AUTO, "The probabilities were made by `curate probs`."),
    "probs.personal": DiagnosisCode(
        _AUTO, "The probabilities are in your own data folder, because the dataset is read-only."
    ),
    "probs.joined": DiagnosisCode(_AUTO, "Rows were joined to the labels by id or file name."),
    "probs.missing_ids": DiagnosisCode(
        (Severity.BLOCK, Severity.WARN),
        "Some examples have no probabilities.",
        "drop_rows",
        fix="Predict them too, or leave these examples out.",
    ),
    "probs.extra_ids": DiagnosisCode(_WARN, "Some rows of probabilities have no label."),
    "probs.in_sample": DiagnosisCode(
        _WARN, "The model seems to have been trained on the examples it predicts."
    ),
    "probs.hard": DiagnosisCode(
        _WARN, "All probabilities are 0 or 1, as predicted classes are.", "probs"
    ),
    "probs.constant": DiagnosisCode(_WARN, "The model predicts the same for every example."),
    # Ids and rows
    "ids.missing": DiagnosisCode(
        _BLOCK,
        "Some rows have no id.",
        "id_column",
        fix="Give every row an id, or delete blank rows at the end.",
    ),
    "ids.duplicate": DiagnosisCode(_BLOCK, "An id occurs more than once."),
    "ids.near_duplicate": DiagnosisCode(_WARN, "Two ids are nearly the same."),
    "ids.array": DiagnosisCode(
        (Severity.WARN, Severity.AUTO), "The folder holds a separate array of ids."
    ),
    "files.duplicate": DiagnosisCode(_BLOCK, "A file name occurs twice, so it cannot join rows."),
    "rows.none": DiagnosisCode(
        _BLOCK,
        "No row has both a label and probabilities.",
        why="There is nothing to check.",
        fix="Check that labels and probabilities belong to the same dataset.",
    ),
    "rows.one": DiagnosisCode(_WARN, "There is only one row."),
    "rows.misaligned": DiagnosisCode(
        _WARN,
        "Labels and predictions agree no more than by chance.",
        why=_OTHER_ROWS,
        fix="Save labels and probabilities in the same order, or give both an id column.",
    ),
    "rows.shifted": DiagnosisCode(
        _WARN,
        "The probabilities seem to be shifted by some rows.",
        why=_OTHER_ROWS,
        fix="Look for a missing or an extra row in one of the files.",
    ),
    "rows.index_join": DiagnosisCode(
        _BLOCK, "Row numbers show that one of the files was shuffled.", "id_column"
    ),
    "rows.shared_column": DiagnosisCode(
        _BLOCK, "A column that both files have differs between them.", "id_column"
    ),
    "rows.contradicted": DiagnosisCode(
        (Severity.BLOCK, Severity.WARN),
        "Another column shows that joined rows belong to different examples.",
        "id_column",
        fix="Give both files an id column, or pass id_column.",
    ),
    "rows.labels_differ": DiagnosisCode(
        _WARN, "The labels in the file of probabilities differ from the labels."
    ),
    "rows.order": DiagnosisCode(_WARN, "Row numbers in one of the files are not in order."),
    "rows.index": DiagnosisCode(
        (Severity.WARN, Severity.AUTO), "A column of row numbers is not used as ids."
    ),
    "rows.key_columns": DiagnosisCode(_AUTO, "Rows are joined by columns with different names."),
    "rows.by_position": DiagnosisCode(_AUTO, "Rows are joined by position."),
    "rows.predicted": DiagnosisCode(_AUTO, "A column is treated as the model's predictions."),
    "rows.two_labels": DiagnosisCode(_WARN, "The same picture or text has different labels."),
    "rows.identical": DiagnosisCode(_WARN, "The same picture or text occurs more than once."),
    # Pictures and texts
    "content.pixels": DiagnosisCode(_AUTO, "An array or columns of numbers are shown as pictures."),
    "content.encoding": DiagnosisCode(
        _WARN, "Text files are not in the encoding that they are read in.", "encoding"
    ),
    "content.suffix": DiagnosisCode(
        _AUTO, "The beginnings of picture paths are ignored, to find the files.", "image_root"
    ),
    "content.case": DiagnosisCode(
        _AUTO, "Pictures are found although their names differ in capitals."
    ),
    "content.elsewhere": DiagnosisCode(
        _AUTO, "Pictures are read from a folder outside the dataset, which was named.", "image_root"
    ),
    "content.missing": DiagnosisCode(
        _WARN,
        "Some pictures or texts are missing.",
        "image_root",
        why=_UNSEEN,
        fix="Put the files there, or correct their names in the table.",
    ),
    "content.empty": DiagnosisCode(
        _WARN,
        "Some pictures or texts are empty.",
        why=_UNSEEN,
        fix="Fetch or fill them in again.",
    ),
    "content.corrupt": DiagnosisCode(
        _WARN,
        "Some pictures are damaged.",
        why=_UNSEEN,
        fix="Fetch them again from their source.",
    ),
    "content.not_allowed": DiagnosisCode(
        _WARN,
        "Some pictures are in a format that cannot be opened.",
        why=_UNSEEN,
        fix="Save them as JPEG or PNG.",
    ),
    "content.too_large": DiagnosisCode(
        _WARN,
        "Some pictures are too large to open safely.",
        why=_UNSEEN,
        fix="Save smaller copies.",
    ),
    "content.outside": DiagnosisCode(
        _WARN,
        "Some pictures are outside the dataset's folder.",
        "image_root",
        why=_UNSEEN,
        fix="Copy them into the dataset's folder and name them relative to it, or name their "
        "folder yourself: --image-root on the command line, or image_root in curation.toml.",
    ),
    "content.unreadable": DiagnosisCode(
        (Severity.BLOCK, Severity.WARN),
        "Some pictures or texts cannot be read.",
        why=_UNSEEN,
        fix="Check the permissions of the files.",
    ),
    # Features of the examples
    "features.unusable": DiagnosisCode(
        (Severity.BLOCK, Severity.WARN),
        "The features are not one row of numbers per example; this blocks if they were named.",
        "features",
    ),
    "features.elsewhere": DiagnosisCode(
        _AUTO, "Features are read from a file outside the dataset, which was named.", "features"
    ),
}
