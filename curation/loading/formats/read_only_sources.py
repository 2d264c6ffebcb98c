"""Labels that are not written back: in several places, without a header, inside objects."""

from __future__ import annotations

from curation.loading.formats.id_label_table import ExportedAsTable


class Majority(ExportedAsTable):
    """What most annotators said; each has a column."""

    name = "majority"
    origin = "The labels are what most annotators say"


class Splits(ExportedAsTable):
    """Several files or folders, such as train and test, whose rows follow one another."""

    name = "splits"
    origin = "The labels come from several splits"


class TableInParts(ExportedAsTable):
    """Text files that together are one table, such as those that Spark writes."""

    name = "parts"
    origin = "The labels are in several files"


class Headless(ExportedAsTable):
    """A CSV file or a sheet whose first line is a row, so that its columns have no names."""

    name = "headless"
    origin = "The labels are in a table without a header"


class NestedLabels(ExportedAsTable):
    """Labels inside objects, which may say more about them, such as a number or who said it."""

    name = "nested"
    origin = "The labels are inside objects that may say more about them"
