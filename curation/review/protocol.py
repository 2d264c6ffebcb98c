"""What the review page and the browser say to each other, field by field.

The page is drawn with a `Drawing`. From then on the browser sends each `BrowserMessage` as JSON to
the address in it, by HTTP, and gets a `ServerAnswer`; the page is not run again for it. Nothing
depends on an earlier message having arrived: the browser sends every operation that has not been
answered, and says what it shows and what it already has.

`curation/ui/review/component/protocol.js` says the same for JavaScript. A test compares the two.
What comes from the browser may still be anything: the code that reads it has to check it.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from curation.review.example_status import Status
from curation.store.actions import Action, IssueKind

# ---- from the browser


class OperationOrigin(TypedDict):
    """What every operation says: its own id, and who said it of which dataset."""

    op_id: str  # made by the browser, never used twice
    curator: str
    dataset: str


class DecideFields(TypedDict):
    """One decision; `resolve` settles a disagreement for everybody."""

    do: Literal["decide", "resolve"]
    id: str
    action: Action
    label: NotRequired[int]
    new_class: NotRequired[str]  # in place of a label: a class that the dataset lacks
    labels: NotRequired[list[int]]
    kind: IssueKind | None
    note: str
    seconds: float  # for which the example was on screen
    judged: str  # the `judged` of the answer that was on screen
    given: NotRequired[int]  # the label that the example had there
    revision: int  # the last revision of the example that the curator saw
    base: NotRequired[str]  # the op_id of what they said before and had not seen answered
    accepts: NotRequired[bool]  # they leave it at what somebody else said


class BulkFields(TypedDict):
    """The same decision for many examples: those listed, or all that match."""

    do: Literal["many"]
    action: Action
    count: int  # as confirmed by the curator
    judged: str
    ids: NotRequired[list[str]]
    given: NotRequired[dict[str, int]]  # the labels that were on screen
    revisions: NotRequired[dict[str, int]]
    suggested: NotRequired[dict[str, int]]  # the suggestions that were on screen
    label: NotRequired[int]  # the class to set, in place of the suggestions
    new_class: NotRequired[str]  # or a class that the dataset lacks
    kind: NotRequired[IssueKind | None]
    note: NotRequired[str]
    all: NotRequired[bool]
    match: NotRequired[str]  # the `match` of the answer that was on screen
    last: NotRequired[int]  # and its `last`


class UndoFields(TypedDict):
    """Take back the last decision, or restore the last taken back, if it is the one expected."""

    do: Literal["undo", "redo"]
    expect: str  # the op_id of that decision
    id: str | None


class DecideOperation(OperationOrigin, DecideFields): ...


class BulkOperation(OperationOrigin, BulkFields): ...


class UndoOperation(OperationOrigin, UndoFields): ...


Operation: TypeAlias = DecideOperation | BulkOperation | UndoOperation


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


# ---- what became of an operation


class DecisionSummary(TypedDict):
    """A decision, in the few words that the page shows."""

    id: str
    action: Action
    label: str | None
    labels: list[str]
    kind: IssueKind | None
    note: str
    curator: str
    time: str
    taken_back: bool


class RepeatedDecision(TypedDict):
    """What to send to say the same as somebody else did."""

    action: Action
    label: int | None
    new_class: str | None
    labels: list[int] | None


class RepeatFields(TypedDict):
    """How to say the same; null where one of the classes is gone."""

    again: RepeatedDecision | None


class OtherDecision(DecisionSummary, RepeatFields): ...


class SavedAnswer(TypedDict):
    """It is in the store."""

    status: Literal["saved", "undone"]
    id: str | None  # null where it was about classes
    count: int
    revision: int
    time: str
    op: str


class FailedAnswer(TypedDict):
    """It could not be saved now, and is tried again."""

    status: Literal["failed"]
    problem: str
    remedy: str
    at: float  # when, on the server's own clock


class RefusedAnswer(TypedDict):
    """It is never going to be saved."""

    status: Literal["refused"]
    problem: str
    remedy: str


class ConflictAnswer(TypedDict):
    """Somebody decided the example first. Both answers are on record, theirs stands."""

    status: Literal["conflict"]
    id: str
    theirs: OtherDecision
    mine: DecisionSummary
    revision: int
    settles: bool  # whether the next answer of this person settles it
    problem: str
    remedy: str


OperationAnswer: TypeAlias = SavedAnswer | FailedAnswer | RefusedAnswer | ConflictAnswer

# ---- an example


class ImageContent(TypedDict):
    """A picture."""

    kind: Literal["image"]
    src: str  # a data: address
    size: list[int]  # width and height of the original
    tiny: bool  # shown pixel by pixel
    note: str


class TextContent(TypedDict):
    """A text, or its beginning."""

    kind: Literal["text"]
    text: str
    length: int  # characters of the whole text


class IndexContent(TypedDict):
    """The title of an example, where a dataset has neither pictures nor texts."""

    kind: Literal["index"]
    text: str
    row: int  # of the label file, counted from 1, without the header


class MissingContent(TypedDict):
    """Why an example cannot be shown."""

    kind: Literal["missing"]
    reason: str
    remedy: str


class WaitingContent(TypedDict):
    """Why a picture is not there yet; it is sent once it is."""

    kind: Literal["waiting"]
    reason: str
    remedy: str


Content: TypeAlias = ImageContent | TextContent | IndexContent | MissingContent | WaitingContent


class TypicalValue(TypedDict):
    """What a column usually holds for one class: a range of numbers, or how many have a value."""

    low: float | None  # the 10th percentile
    middle: float | None  # the median
    high: float | None  # the 90th percentile
    share: float | None  # of the class's examples that have the value shown
    commonest: str | None  # the value that most of them have


class Feature(TypedDict):
    """One value of an example against the given and the suggested class."""

    name: str
    value: str
    number: float | None  # null where it is not compared as a number
    given: TypicalValue | None
    suggested: TypicalValue | None
    evidence: float  # above 0: likelier for the suggested class, by this factor's logarithm


class Item(TypedDict):
    """All that is shown of one example. It never changes while the analysis is the same."""

    given: int
    suggested: int
    margin: float
    classes: list[tuple[int, float, float | None]]  # likeliest first: class, probability, threshold
    odds: dict[int, tuple[float, float | None]]  # the same two numbers for given and suggested
    why: str
    extras: list[tuple[str, str]]  # the other columns: name and cell
    features: list[Feature]  # of a table without pictures and texts: the most telling first
    content: Content


class DisputedAnswer(TypedDict):
    """One of the answers that differ, as the last curator gave it, and why each of them did."""

    answer: OtherDecision
    reasons: list[tuple[str, str]]  # curator and note
    settles: bool  # whether this person settles the example by giving it


class DisputeState(TypedDict):
    """How an example stands on which curators differed."""

    disputed: bool
    revision: int
    force: OtherDecision | None  # what stands


class Standing(TypedDict):
    """What was decided on one example so far."""

    revision: int
    mine: DecisionSummary | None
    force: DecisionSummary | None  # what stands
    others: list[DecisionSummary]
    disputed: bool
    answers: list[DisputedAnswer]  # if it is disputed


class TypicalExample(TypedDict):
    """One of the examples that are most surely of a class."""

    id: str
    content: Content


class NearExample(TypedDict):
    """One of the examples that are most like another."""

    id: str
    given: int
    content: Content


class NearExamples(TypedDict):
    """The examples that are most like one, and what they say about its label."""

    words: str
    source: str  # what they are compared by
    examples: list[NearExample]


class Tile(TypedDict):
    """One example of the grid; `content` is null where the browser has it, or it is not ready."""

    id: str
    given: int
    suggested: int
    margin: float
    revision: int
    force: DecisionSummary | None  # what stands; for this curator, where everyone judges alone
    content: Content | None


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
    typical: str  # how the threshold is called
    status: Status
    last: int  # the last entry of the log that was read
    closed: str | None  # why nothing can be decided
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
