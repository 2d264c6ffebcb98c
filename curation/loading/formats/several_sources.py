"""Labels that are not written back where they were: of several places, or without a header."""

from __future__ import annotations

from curation.loading.formats.record_form import ExportedAsTable


class Majority(ExportedAsTable):
    """What most annotators said, each of whom has a column."""

    name = "majority"


class Splits(ExportedAsTable):
    """Several files or folders, such as train and test, whose rows follow one another."""

    name = "splits"


class TableInParts(ExportedAsTable):
    """Text files that together are one table, such as those that Spark writes."""

    name = "parts"


class Headless(ExportedAsTable):
    """A CSV file or a sheet whose first line is a row, so that its columns have no names."""

    name = "headless"
