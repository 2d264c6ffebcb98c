"""Labels that come from several places: several annotators, or several splits."""

from __future__ import annotations

from curation.loading.formats.record_form import ExportedAsTable


class Majority(ExportedAsTable):
    """What most annotators said, each of whom has a column."""

    name = "majority"


class Splits(ExportedAsTable):
    """Several files or folders, such as train and test, whose rows follow one another."""

    name = "splits"
