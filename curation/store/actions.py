"""What curators can do, and what each action means; the only place that defines it.

The values are stored in the database and the log and sent to the browser, so they never change.
Actions are listed and counted in this order everywhere.
"""

from __future__ import annotations

from enum import StrEnum


class Action(StrEnum):
    """A decision about one example.

    The word for it on screen is accepted too: `both`, and `second look`.

    >>> [str(each) for each in Action if not each.is_final]
    ['skip', 'needs_review']
    >>> Action("second look"), Action("both").word
    (<Action.NEEDS_REVIEW: 'needs_review'>, 'both')
    """

    KEEP = "keep"
    RELABEL = "relabel"
    AMBIGUOUS = "ambiguous"
    EXCLUDE = "exclude"
    SKIP = "skip"
    NEEDS_REVIEW = "needs_review"

    @classmethod
    def _missing_(cls, value: object) -> Action | None:
        """Return the action that a person means by its word on screen."""
        return next((each for each in cls if each.word == value), None)

    @property
    def word(self) -> str:
        """What the action is called on screen and in the files that people read."""
        return _WORDS.get(self, str(self))

    @property
    def is_opinion(self) -> bool:
        """Whether it is an opinion about the example; skipping is not."""
        return self is not Action.SKIP

    @property
    def is_final(self) -> bool:
        """Whether the example counts as decided, so that nobody needs to look at it again."""
        return self not in (Action.SKIP, Action.NEEDS_REVIEW)

    @property
    def judges_label(self) -> bool:
        """Whether it says that the given label is right, or that it is wrong."""
        return self in (Action.KEEP, Action.RELABEL, Action.EXCLUDE)

    @property
    def confirms_label(self) -> bool:
        """Whether the example ends with a label that the curator has seen and chosen."""
        return self in (Action.KEEP, Action.RELABEL)

    @property
    def changes_dataset(self) -> bool:
        """Whether it changes the dataset, whatever the settings of an export."""
        return self in (Action.RELABEL, Action.EXCLUDE)


_WORDS = {Action.AMBIGUOUS: "both", Action.NEEDS_REVIEW: "second look"}  # others: their value


class ClassAction(StrEnum):
    """A decision about one class or a pair of classes."""

    MERGE = "merge"
    IS_A = "is_a"
    DISTINCT = "distinct"
    RENAME = "rename"

    @property
    def changes_names(self) -> bool:
        """Whether a class takes another name, or the place of another class."""
        return self in (ClassAction.MERGE, ClassAction.RENAME)


class AuditAction(StrEnum):
    """What happens to an audit."""

    DRAW = "draw"
    CLOSE = "close"


class IssueKind(StrEnum):
    """The kind of label issue that a curator sees."""

    ERROR = "error"
    ONTOLOGICAL = "ontological"
    MULTI_LABEL = "multi_label"
