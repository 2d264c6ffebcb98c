"""What the review page and the browser say to each other, field by field.

The page is drawn with a `Drawing`. From then on the browser sends each `BrowserMessage` as JSON to
the address in it, by HTTP, and gets a `ServerAnswer`; the page is not run again for it. Nothing
depends on an earlier message having arrived: the browser sends every operation that has not been
answered, and says what it shows and what it already has.

Operations and their answers are in `operation_types`, examples in `example_types`.
`curation/ui/review/component/protocol.js` says all of it for JavaScript. A test compares the two.
What comes from the browser may still be anything: the code that reads it has to check it.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from curation.review.example_status import Status
from curation.review.example_types import (
    Content,
    DisputeState,
    Item,
    NearExamples,
    Standing,
    Tile,
    TypicalExample,
)
from curation.review.operation_types import Operation, OperationAnswer

# ---- from the browser


class BrowserMessage(TypedDict):
    """Everything that is not answered yet, where the browser is, and what it already has."""

    number: int  # messages are counted
    store: str  # the keys of the answer that the browser shows
    analysis: str
    queue: str
    operations: list[Operation]
    cursor: str | None  # the example on screen
    place: int  # and its place in the queue; -1 if unknown
    names: bool  # whether the class names are there
    items: list[str]  # the examples whose content is there
    strips: list[int]  # the classes whose typical examples are there
    tiles: list[str]  # the examples whose small pictures are there
    page: int | None  # of the grid
    near: list[str]  # the examples whose nearest are there
    large: str | None  # the example whose enlarged picture is wanted
    conflicts: list[str]  # the examples of which the page says that they were decided twice


# ---- to the browser


class Counts(TypedDict):
    """How many examples of a queue have each status."""

    all: int
    undecided: int
    decided: int
    kept: int  # of those decided
    judged: int  # flagged labels known to be right or wrong; 0 if the queue has others too
    real: int  # those of them that are wrong
    skipped: int
    needs_review: int


class LatestDecision(TypedDict):
    """One line of the list of latest decisions: an operation, which may hold many decisions."""

    op: str
    count: int
    id: str | None
    action: str  # of an example or of a pair of classes; "decided" where several differ
    label: str | None
    classes: list[str]  # the classes it is about; none if it is about examples


class Forecast(TypedDict):
    """How many of the next examples are real errors, and why we think so."""

    words: str
    why: str


class EnlargedPicture(TypedDict):
    """The picture that the browser asked for."""

    id: str
    content: Content


class AddingRules(TypedDict):
    """What becomes of one more class, in words."""

    note: str  # how the label file will have it
    closed: str | None  # why no class can be added


class AnswerFields(TypedDict):
    """What every answer says."""

    queue: str  # identifies the list of examples
    store: str  # identifies the store and the curator
    analysis: str  # identifies examples, classes and suggestions
    judged: str  # identifies the classes, in their order, and the examples
    answered: int  # the number of the message that this answers
    answers: dict[str, OperationAnswer]  # by op_id
    curator: str
    dataset: str
    kind: Literal["image", "text", "index"]
    title: str
    typical: str  # what the threshold is called
    status: Status
    last: int  # the last entry of the log that was read
    closed: str | None  # why nothing can be decided
    looking: bool  # whether that is because the visitor's role only looks here
    blind: bool  # whether the model's numbers are hidden, because an audit is open
    nearby: bool  # whether similar examples are known and may be shown
    counts: Counts
    latest: list[LatestDecision]  # of this curator, the newest first
    undone: list[LatestDecision]  # what they can redo, the next one first
    conflicts: dict[str, DisputeState]  # of the examples that the browser asked about
    disputed: int  # examples of the dataset
    disputes: str | None  # the address of the list of them; null where it is open
    live: bool  # whether the page shows what others do
    names: NotRequired[list[str]]  # of the classes, if the browser lacks them
    short_names: NotRequired[list[str]]  # and the same for small tiles, none like another
    added: list[str]  # the classes that curators added, after those
    adding: AddingRules
    export: str | None  # the address of the Export page
    quality: str | None  # the address of the Quality page, if this list is an audit's


class OneFields(TypedDict):
    """The examples around the one on screen."""

    view: Literal["one"]
    start: str | None  # the example to show first
    whole: bool  # whether `steps` hold everything that is left to decide
    taken: int  # if so: how many examples of the list other curators have in front of them
    steps: list[tuple[str, int, bool]]  # id, place in the queue, whether it is left to decide
    items: dict[str, Item]  # those that the browser lacks
    standing: dict[str, Standing]
    strips: dict[int, list[TypicalExample]]  # by class
    near: dict[str, NearExamples]  # by example
    forecast: Forecast | None
    large: EnlargedPicture | None


class GridFields(TypedDict):
    """One page of the grid."""

    view: Literal["grid"]
    total: int
    taken: int  # those of them that other curators have in front of them
    match: str  # identifies the examples that match, and their suggestions
    page: int  # counted from 0
    pages: int
    tiles: list[Tile]


class OneAnswer(AnswerFields, OneFields): ...


class GridAnswer(AnswerFields, GridFields): ...


ServerAnswer: TypeAlias = OneAnswer | GridAnswer


class Drawing(TypedDict):
    """What the page hands to the browser each time it is drawn; all else is asked for by HTTP."""

    address: str  # to send messages to, relative to the page's
    number: int  # counted per address: the browser may be handed the same drawing several times
    answer: ServerAnswer  # to the last message; the first answer before there was any
