"""An example as the browser gets it: its content, what was decided on it, what is similar.

Part of the `protocol`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from curation.review.operation_types import DecisionSummary, OtherDecision


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
