"""Tables of labels and probabilities, column by column."""

NAMES = ["cat", "dog", "eel"]


def csv(columns: dict[str, object]) -> str:
    """Return columns as the text of a CSV file."""
    rows = zip(*columns.values(), strict=True)
    return ",".join(columns) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def words(folder) -> list[str]:
    """Return the label of each example as a word."""
    return [NAMES[k] for k in folder.labels]


def by_class(folder, names=NAMES) -> dict[str, object]:
    """Return a column of probabilities for each class."""
    return dict(zip(names, folder.probs.astype(float).T.tolist(), strict=True))
