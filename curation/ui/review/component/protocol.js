// What the browser and the review page say to each other, field by field. Types only, no code.
//
// `curation/review/protocol.py` says the same for Python. A test compares the two.

/** @typedef {"keep" | "relabel" | "ambiguous" | "exclude" | "skip" | "needs_review"} Action */
/** @typedef {"error" | "ontological" | "multi_label"} IssueKind */
/** @typedef {"undecided" | "decided" | "skipped" | "needs_review" | "disputed" | "all"} Status */

// ---- from the browser

/**
 * @typedef {object} OperationOrigin What every operation says: its own id, and who said it of which dataset.
 * @property {string} op_id made by the browser, never used twice
 * @property {string} curator
 * @property {string} dataset
 */

/**
 * @typedef {object} DecideFields One decision; `resolve` settles a disagreement for everybody.
 * @property {"decide" | "resolve"} do
 * @property {string} id
 * @property {Action} action
 * @property {number} [label]
 * @property {string} [new_class] in place of a label, or one of both: one that the dataset lacks
 * @property {number[]} [labels]
 * @property {IssueKind | null} kind
 * @property {string} note
 * @property {number} seconds for which the example was on screen
 * @property {string} judged the `judged` of the answer that was on screen
 * @property {number} [given] the label that the example had there
 * @property {number} revision the last revision of the example that the curator saw
 * @property {string} [base] the op_id of what they said before and had not seen answered
 * @property {boolean} [accepts] they leave it at what somebody else said
 */

/**
 * @typedef {object} BulkFields The same decision for many examples: those listed, or all that match.
 * @property {"many"} do
 * @property {Action} action
 * @property {number} count as confirmed by the curator; of all that match, fewer may be free by then
 * @property {string} judged
 * @property {string[]} [ids]
 * @property {Record<string, number>} [given] the labels that were on screen
 * @property {Record<string, number>} [revisions]
 * @property {Record<string, number>} [suggested] the suggestions that were on screen
 * @property {number} [label] the class to set, in place of the suggestions
 * @property {string} [new_class] or a class that the dataset lacks
 * @property {IssueKind | null} [kind]
 * @property {string} [note]
 * @property {boolean} [all]
 * @property {string} [match] the `match` of the answer that was on screen
 * @property {number} [last] and its `last`
 * @property {number} [taken] and its `taken`, which the curator was told are left out
 */

/**
 * @typedef {object} UndoFields Take back the last decision, or restore the last taken back, if it is the one expected.
 * @property {"undo" | "redo"} do
 * @property {string} expect the op_id of that decision
 * @property {string | null} id
 */

/** @typedef {OperationOrigin & DecideFields} DecideOperation */

/** @typedef {OperationOrigin & BulkFields} BulkOperation */

/** @typedef {OperationOrigin & UndoFields} UndoOperation */

/** @typedef {DecideOperation | BulkOperation | UndoOperation} Operation */

/**
 * @typedef {object} BrowserMessage Everything that is not answered yet, where the browser is, and what it already has.
 * @property {number} number messages are counted
 * @property {string} store the keys of the answer that the browser shows
 * @property {string} analysis
 * @property {string} queue
 * @property {Operation[]} operations
 * @property {string | null} cursor the example on screen
 * @property {number} place and its place in the queue; -1 if unknown
 * @property {boolean} names whether the class names are there
 * @property {string[]} items the examples whose content is there
 * @property {number[]} strips the classes whose typical examples are there
 * @property {string[]} tiles the examples whose small pictures are there
 * @property {number | null} page of the grid
 * @property {string[]} near the examples whose nearest are there
 * @property {string | null} large the example whose enlarged picture is wanted
 * @property {string[]} conflicts the examples of which the page says that they were decided twice
 */

// ---- what became of an operation

/**
 * @typedef {object} DecisionSummary A decision, in the few words that the page shows.
 * @property {string} id
 * @property {Action} action
 * @property {string | null} label
 * @property {string[]} labels
 * @property {IssueKind | null} kind
 * @property {string} note
 * @property {string} curator
 * @property {string} time
 * @property {boolean} taken_back
 */

/**
 * @typedef {object} RepeatedDecision What to send to say the same as somebody else did.
 * @property {Action} action
 * @property {number | null} label
 * @property {string | null} new_class
 * @property {number[] | null} labels
 */

/**
 * @typedef {object} RepeatFields How to say the same; null where one of the classes is gone.
 * @property {RepeatedDecision | null} again
 */

/** @typedef {DecisionSummary & RepeatFields} OtherDecision */

/**
 * @typedef {object} SavedAnswer It is in the store.
 * @property {"saved" | "undone"} status
 * @property {string | null} id null where it was about classes
 * @property {number} count
 * @property {number} revision
 * @property {string} time
 * @property {string} op
 */

/**
 * @typedef {object} FailedAnswer It could not be saved now, and is tried again.
 * @property {"failed"} status
 * @property {string} problem
 * @property {string} remedy
 * @property {number} at when, on the server's own clock
 */

/**
 * @typedef {object} RefusedAnswer It is never going to be saved.
 * @property {"refused"} status
 * @property {string} problem
 * @property {string} remedy
 */

/**
 * @typedef {object} ConflictAnswer Somebody decided the example first. Both answers are on record, theirs stands.
 * @property {"conflict"} status
 * @property {string} id
 * @property {OtherDecision} theirs
 * @property {DecisionSummary} mine
 * @property {number} revision
 * @property {boolean} settles whether the next answer of this person settles it
 * @property {string} problem
 * @property {string} remedy
 */

/** @typedef {SavedAnswer | FailedAnswer | RefusedAnswer | ConflictAnswer} OperationAnswer */

// ---- an example

/**
 * @typedef {object} ImageContent A picture.
 * @property {"image"} kind
 * @property {string} src a data: address
 * @property {number[]} size width and height of the original
 * @property {boolean} tiny shown pixel by pixel
 * @property {string} note
 */

/**
 * @typedef {object} TextContent A text, or its beginning.
 * @property {"text"} kind
 * @property {string} text
 * @property {number} length characters of the whole text
 */

/**
 * @typedef {object} IndexContent The title of an example, where a dataset has neither pictures nor texts.
 * @property {"index"} kind
 * @property {string} text
 * @property {number} row of the label file, counted from 1, without the header
 */

/**
 * @typedef {object} MissingContent Why an example cannot be shown.
 * @property {"missing"} kind
 * @property {string} reason
 * @property {string} remedy
 */

/**
 * @typedef {object} WaitingContent Why a picture is not there yet; it is sent once it is.
 * @property {"waiting"} kind
 * @property {string} reason
 * @property {string} remedy
 */

/** @typedef {ImageContent | TextContent | IndexContent | MissingContent | WaitingContent} Content */

/**
 * @typedef {object} TypicalValue What a column usually holds for one class: a range of numbers, or how many have a value.
 * @property {number | null} low the 10th percentile
 * @property {number | null} middle the median
 * @property {number | null} high the 90th percentile
 * @property {number | null} share of the class's examples that have the value shown
 * @property {string | null} commonest the value that most of them have
 */

/**
 * @typedef {object} Feature One value of an example against the given and the suggested class.
 * @property {string} name
 * @property {string} value
 * @property {number | null} number null where it is not compared as a number
 * @property {TypicalValue | null} given
 * @property {TypicalValue | null} suggested
 * @property {number} evidence above 0: likelier for the suggested class, by this factor's logarithm
 */

/**
 * @typedef {object} Item All that is shown of one example. It never changes while the analysis is the same.
 * @property {number} given
 * @property {number} suggested
 * @property {number} margin
 * @property {([number, number, number | null])[]} classes likeliest first: class, probability, threshold
 * @property {Record<number, [number, number | null]>} odds the same two numbers for given and suggested
 * @property {string} why
 * @property {[string, string][]} extras the other columns: name and cell
 * @property {Feature[]} features of a table without pictures and texts: the most telling first
 * @property {Content} content
 */

/**
 * @typedef {object} DisputedAnswer One of the answers that differ, as the last curator gave it, and why each of them did.
 * @property {OtherDecision} answer
 * @property {[string, string][]} reasons curator and note
 * @property {boolean} settles whether this person settles the example by giving it
 */

/**
 * @typedef {object} DisputeState How an example stands on which curators differed.
 * @property {boolean} disputed
 * @property {number} revision
 * @property {OtherDecision | null} force what stands
 */

/**
 * @typedef {object} Standing What was decided on one example so far.
 * @property {number} revision
 * @property {DecisionSummary | null} mine
 * @property {DecisionSummary | null} force what stands
 * @property {DecisionSummary[]} others
 * @property {boolean} disputed
 * @property {DisputedAnswer[]} answers if it is disputed
 */

/**
 * @typedef {object} TypicalExample One of the examples that are most surely of a class.
 * @property {string} id
 * @property {Content} content
 */

/**
 * @typedef {object} NearExample One of the examples that are most like another.
 * @property {string} id
 * @property {number} given
 * @property {Content} content
 */

/**
 * @typedef {object} NearExamples The examples that are most like one, and what they say about its label.
 * @property {string} words
 * @property {string} source what they are compared by
 * @property {NearExample[]} examples
 */

/**
 * @typedef {object} Tile One example of the grid; `content` is null where the browser has it, or it is not ready.
 * @property {string} id
 * @property {number} given
 * @property {number} suggested
 * @property {number} margin
 * @property {number} revision
 * @property {DecisionSummary | null} force what stands; for this curator, where everyone judges alone
 * @property {Content | null} content
 */

// ---- to the browser

/**
 * @typedef {object} Counts How many examples of a queue have each status.
 * @property {number} all
 * @property {number} undecided
 * @property {number} decided
 * @property {number} kept of those decided
 * @property {number} judged flagged labels known to be right or wrong; 0 if the queue has others too
 * @property {number} real those of them that are wrong
 * @property {number} skipped
 * @property {number} needs_review
 */

/**
 * @typedef {object} LatestDecision One line of the list of latest decisions: an operation, which may hold many decisions.
 * @property {string} op
 * @property {number} count
 * @property {string | null} id
 * @property {string} action of an example or of a pair of classes
 * @property {string | null} label
 * @property {string[]} classes the classes it is about; none if it is about examples
 */

/**
 * @typedef {object} Forecast How many of the next examples are real errors, and why we think so.
 * @property {string} words
 * @property {string} why
 */

/**
 * @typedef {object} EnlargedPicture The picture that the browser asked for.
 * @property {string} id
 * @property {Content} content
 */

/**
 * @typedef {object} AddingRules What becomes of one more class, in words.
 * @property {string} note how the label file will have it
 * @property {string | null} closed why no class can be added
 */

/**
 * @typedef {object} AnswerFields What every answer says.
 * @property {string} queue identifies the list of examples
 * @property {string} store identifies the store and the curator
 * @property {string} analysis identifies examples, classes and suggestions
 * @property {string} judged identifies the classes, in their order, and the examples
 * @property {number} answered the number of the message that this answers
 * @property {Record<string, OperationAnswer>} answers by op_id
 * @property {string} curator
 * @property {string} dataset
 * @property {"image" | "text" | "index"} kind
 * @property {string} title
 * @property {string} typical how the threshold is called
 * @property {Status} status
 * @property {number} last the last entry of the log that was read
 * @property {string | null} closed why nothing can be decided
 * @property {boolean} looking whether that is because the visitor's role only looks here
 * @property {boolean} blind whether the model's numbers are hidden, because an audit is open
 * @property {boolean} nearby whether similar examples are known and may be shown
 * @property {Counts} counts
 * @property {LatestDecision[]} latest of this curator, the newest first
 * @property {LatestDecision[]} undone what they can redo, the next one first
 * @property {Record<string, DisputeState>} conflicts of the examples that the browser asked about
 * @property {number} disputed examples of the dataset
 * @property {string | null} disputes the address of the list of them; null where it is open
 * @property {boolean} live whether the page shows what others do
 * @property {string[]} [names] of the classes, if the browser lacks them
 * @property {string[]} [short_names] and the same for small tiles, none like another
 * @property {string[]} added the classes that curators added, after those
 * @property {AddingRules} adding
 * @property {string | null} export the address of the Export page
 * @property {string | null} quality the address of the Quality page, if this list is an audit's
 */

/**
 * @typedef {object} OneFields The examples around the one on screen.
 * @property {"one"} view
 * @property {string | null} start the example to show first
 * @property {boolean} whole whether `steps` hold everything that is left to decide
 * @property {number} taken if so: how many examples of the list other curators have in front of them
 * @property {[string, number, boolean][]} steps id, place in the queue, whether it is left to decide
 * @property {Record<string, Item>} items those that the browser lacks
 * @property {Record<string, Standing>} standing
 * @property {Record<number, TypicalExample[]>} strips by class
 * @property {Record<string, NearExamples>} near by example
 * @property {Forecast | null} forecast
 * @property {EnlargedPicture | null} large
 */

/**
 * @typedef {object} GridFields One page of the grid.
 * @property {"grid"} view
 * @property {number} total
 * @property {number} taken those of them that other curators have in front of them
 * @property {string} match identifies the examples that match, and their suggestions
 * @property {number} page counted from 0
 * @property {number} pages
 * @property {Tile[]} tiles
 */

/** @typedef {AnswerFields & OneFields} OneAnswer */

/** @typedef {AnswerFields & GridFields} GridAnswer */

/** @typedef {OneAnswer | GridAnswer} ServerAnswer */

/**
 * @typedef {object} Drawing What the page hands to the browser each time it is drawn; all else is asked for by HTTP.
 * @property {string} address to send messages to, relative to the page's
 * @property {number} number counted per address: the browser may be handed the same drawing several times
 * @property {ServerAnswer} answer to the last message; the first answer before there was any
 */

export {};
