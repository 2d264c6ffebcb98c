"""What pages and commands call each method, order, status and other choice, and say about it."""

from __future__ import annotations

METHOD_NAMES = {
    "confusion": "Confusion baseline",
    "confident_joint": "Confident joint",
    "prune_by_class": "Prune by class",
    "prune_by_noise_rate": "Prune by noise rate",
    "both": "Both prunings",
}

METHOD_HELP = {
    "confusion": "The model's likeliest class is not the given one (the paper's baseline).",
    "confident_joint": "Counted into another class, above that class's threshold (method 2).",
    "prune_by_class": "The lowest self-confidence in each class, as many as its errors (method 3).",
    "prune_by_noise_rate": "The widest margins in each pair of classes, as many as its errors "
    "(method 4).",
    "both": "Flagged by prune by class and by prune by noise rate (method 5).",
}

ORDER_NAMES = {
    "normalized_margin": "normalized margin",
    "self_confidence": "self-confidence",
    "log_margin": "log margin",
}
QUEUE_ORDER_NAMES = ORDER_NAMES | {
    "neighbours": "neighbours and margin",
    "random": "random sample",
    "file": "as in the file",
}
ORDERS_MEASURED = (  # by benchmarks/truth.py
    "Average precision on CIFAR-10N (human labels): log margin .880, self-confidence .875, "
    "normalized margin .860; on the paper's 40 % synthetic noise: .713, .682, .747."
)

NEIGHBOURS_MEASURED = (  # by benchmarks/neighbours.py
    "The mean of the normalized margin and of the same margin among the ten nearest examples. "
    "Average precision, next to log margin: digits with 30 % noise, by pixels, .996 (.977); "
    "CIFAR-10N, by probabilities alone, .851 (.880)."
)

THRESHOLD_HELP = (
    "How sure the model must be of a class before an example is counted into it. The paper uses "
    "the mean over the examples given the class. A higher percentile counts fewer examples and "
    "usually flags fewer."
)
COLLISIONS_HELP = (
    "An example can reach the thresholds of several classes. The paper's Algorithm 1 then uses the "
    "model's likeliest class of all, and its Equation 1 the likeliest of those that were reached."
)
COLLISION_NAMES = {
    "argmax": "the likeliest of all classes",
    "confident": "the likeliest of those reached",
}

SCOPE_NAMES = {  # of a queue
    "flagged": "flagged",
    "all": "all examples",
    "audit": "the audit",
    "mixed": "flagged and audit",
    "near_duplicates": "near-duplicates",
    "outliers": "outliers",
    "picture_quality": "picture quality",
}
STATUS_NAMES = {
    "undecided": "to decide",
    "decided": "decided",
    "skipped": "skipped",
    "needs_review": "needs a second look",
    "disputed": "disputed",
    "all": "any status",
}
ACTION_NAMES = {
    "keep": "keep",
    "relabel": "relabel",
    "ambiguous": "both",
    "exclude": "exclude",
    "skip": "skip",
    "needs_review": "second look",
}
ISSUE_KIND_NAMES = {
    "error": "error",
    "ontological": "ontological",
    "multi_label": "multi-label",
}

KIND_NAMES = {  # one, several
    "image": ("image", "images"),
    "text": ("text", "texts"),
    "index": ("example", "examples"),
}

ROWS_COUNTED = "Rows are counted from 0, without the header."
NOT_IN_SAMPLE = "probabilities are not predictions on the training data"  # as the doctor words it

MATRIX_NAMES = {
    "joint": "Joint",
    "confident_joint": "Confident joint",
    "noise_matrix": "Noise matrix",
    "inverse_noise_matrix": "Inverse noise matrix",
    "confusion": "Confusion",
    "difference": "Difference",
}

EXPORT_HELP = {
    "method": "which method flags an example",
    "order": "by which score issues are sorted: normalized_margin, self_confidence, log_margin, "
    "neighbours",
    "threshold": "class threshold: mean, or a percentile of self-confidence such as 90",
    "collisions": "if several thresholds are reached, use the likeliest class of all (argmax) or "
    "of those reached (confident)",
    "policy": "whose decision counts if curators disagree: latest, majority, agreed only",
    "excluded": "drop excluded rows, or flag them in a column",
    "undecided": "leave flagged but undecided examples, suggest (take the suggestion), or name a "
    "method that prunes them",
    "min_confidence": "with --undecided suggest: how probable a suggestion must be (0.9)",
    "ambiguous": "leave examples with both labels, or exclude them",
    "apply_merges": "write merged and renamed classes into the labels",
    "spreadsheet_safe": "put ' before cells that a spreadsheet would run as a formula",
    "picture_links": "how other tools find pictures: files (their paths), inline (written out), or "
    "the URL under which the dataset's folder is served",
    "copy_pictures": "write pictures.zip: the pictures that stay, with their labels, as FiftyOne "
    "and Hugging Face read them",
}

CLASS_ORDER_NAMES = {
    "given": "as given",
    "noise": "noisiest first",
    "similar": "confusable together",
}
