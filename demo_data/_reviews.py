"""Product reviews, put together from phrases, with one, three or five stars."""

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from _model import predict_out_of_sample
from _typing_errors import mistype
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

SEED = 20210415
STARS = ("1 star", "3 stars", "5 stars")
# How many reviews have which stars [given, true]: off the diagonal, the wrong star was pressed.
COUNTS = np.array([[226, 12, 32], [14, 306, 40], [30, 36, 2304]])
SARCASTIC = 0.12  # of the reviews that mean one star
MISTYPED = 0.22
ALIKE = 0.4  # a new review sharing this much of its word triples with an older one is dropped

Phrases = dict[str, Any]
Rng = np.random.Generator

CHOICE = re.compile(r"\{([^{}]*)\}")
NAME = re.compile(r"\$([a-z]+)")


class Writer:
    """Writes reviews of any of the products, at random."""

    def __init__(self, phrases: Phrases, rng: Rng) -> None:
        self._phrases = phrases
        self._rng = rng
        self._product: Phrases = {}

    def write(self, stars: str) -> tuple[str, str]:
        """Return the product and a review whose words mean that many stars."""
        self._product = self._pick(self._phrases["product"])
        write = {
            "1 star": self._write_bad,
            "3 stars": self._write_mixed,
            "5 stars": self._write_good,
        }
        sentences = [self._expand(phrase) for phrase in write[stars]()]
        text = _tidy(self._in_paragraphs(sentences))
        return self._expand(self._product["title"]), mistype(text, self._rng, MISTYPED)

    def _write_good(self) -> list[str]:
        five, good = self._phrases["five"], self._several("good")
        match self._length():
            case 0:
                return [self._pick([*five["short"], good[0], good[0]])]
            case 1:
                return self._some([five["open"], None, five["close"]], good[:2])
            case length:
                story = [str(each) for each in self._rng.permutation(five["story"])[: length - 2]]
                extra = [self._pick(five["gripe"])] if self._chance(0.45) else []
                sentences = [self._pick(five["open"]), *story, *good[: length + self._upto(2)]]
                return [*sentences, *extra, self._pick(five["close"])]

    def _write_bad(self) -> list[str]:
        one, bad = self._phrases["one"], self._several("bad")
        if self._chance(SARCASTIC):
            return [self._pick(one["sarcasm"]), *bad[: self._upto(2)]]
        match self._length():
            case 0:
                return [self._pick([*one["short"], bad[0], bad[0]])]
            case 1:
                return self._some([one["open"], None, one["close"]], bad[:2])
            case length:
                story = [str(each) for each in self._rng.permutation(one["story"])[: length - 2]]
                praise = "{To be fair|In fairness}, I {did like|liked} [thing]."
                extra = [praise] if self._chance(0.3) else []
                sentences = [self._pick(one["open"]), *bad[: length + self._upto(2)], *story]
                return [*sentences, *extra, self._pick(one["close"])]

    def _write_mixed(self) -> list[str]:
        three, good, bad = self._phrases["three"], self._several("good"), self._several("bad")
        turn = "{But|Still,|Then again,|On the other hand,|That said,}~ "  # see _tidy
        match self._length():
            case 0:
                return [self._pick(three["mixed"])]
            case 1:
                return self._some([three["open"], three["mixed"], three["close"]], [])
            case _:
                middle = [good[0], turn + bad[0]] if self._chance(0.5) else [bad[0], good[0]]
                extra = [self._pick(three["mixed"])] if self._chance(0.5) else []
                return [self._pick(three["open"]), *middle, *extra, self._pick(three["close"])]

    def _length(self) -> int:
        """Return 0 for one line, 1 for a few sentences, 2 for more, 3 for a whole story."""
        return int(self._rng.choice(4, p=[0.24, 0.42, 0.24, 0.1]))

    def _some(self, lists: list[list[str] | None], middle: list[str]) -> list[str]:
        """Return the middle sentences, most often with one from before and one from after."""
        first, between, last = lists
        sentences = [self._pick(first)] if first and self._chance(0.75) else []
        sentences += [self._pick(between)] if between else middle
        return sentences + ([self._pick(last)] if last and self._chance(0.6) else [])

    def _in_paragraphs(self, sentences: list[str]) -> str:
        """Join the sentences; long reviews are broken into paragraphs here and there."""
        text = sentences[0]
        for sentence in sentences[1:]:
            broken = len(sentences) > 3 and self._chance(0.28)
            text += ("\n\n" if broken else " ") + sentence
        return text

    def _expand(self, phrase: str) -> str:
        """Return the phrase with all its choices made."""
        loves, hates = self._several("love"), self._several("hate")
        parts = {"love": loves[0], "love2": loves[1], "hate": hates[0], "hate2": hates[1]}
        parts |= {"thing": self._several("thing")[0], "other": self._several("other")[0]}
        parts |= {"noun": self._product["noun"], "Love": _capital(loves[0])}
        parts |= {"Hate": _capital(hates[0])}
        for name, part in parts.items():
            phrase = phrase.replace(f"[{name}]", part)
        while CHOICE.search(phrase) or NAME.search(phrase):
            phrase = CHOICE.sub(lambda found: self._pick(found[1].split("|")), phrase)
            phrase = NAME.sub(lambda found: self._pick(self._phrases["lists"][found[1]]), phrase)
        return phrase

    def _several(self, part: str) -> list[str]:
        return [str(phrase) for phrase in self._rng.permutation(self._product[part])]

    def _pick(self, choices: list[Any]) -> Any:
        return choices[int(self._rng.integers(len(choices)))]

    def _upto(self, count: int) -> int:
        return int(self._rng.integers(count))

    def _chance(self, share: float) -> bool:
        return bool(self._rng.random() < share)


def _capital(phrase: str) -> str:
    """Return the phrase with its first letter made large, past any opening brace.

    >>> _capital("{my knees|old knees} are grateful")
    '{My knees|old knees} are grateful'
    """
    place = next(index for index, letter in enumerate(phrase) if letter.isalpha())
    return phrase[:place] + phrase[place].upper() + phrase[place + 1 :]


def _tidy(text: str) -> str:
    """Return the text with sentences begun by a capital and no stray spaces.

    After ~ a sentence goes on, so its capital is made small.

    >>> _tidy("my dad is happy .  But~ The lid sticks")
    'My dad is happy. But the lid sticks'
    """
    text = re.sub(r" +([.,;!?])", r"\1", re.sub(r" {2,}", " ", text)).strip()
    text = re.sub(r"([.!?]\"?)\.(?=\s|$)", r"\1", text)
    text = re.sub(r"~ ([A-Z](?=[a-z])|A(?= ))?", lambda found: " " + (found[1] or "").lower(), text)
    return re.sub(r"(^|[.!?]\"?\s+)([a-z])", lambda found: found[1] + found[2].upper(), text)


class Shelf:
    """Remembers reviews by their word triples, to turn away one that reads like another."""

    def __init__(self) -> None:
        self._triples: list[frozenset[tuple[str, ...]]] = []
        self._holders: dict[tuple[str, ...], list[int]] = {}

    def takes(self, text: str) -> bool:
        """Return whether the review is new, and if so, remember it."""
        triples = word_triples(text)
        rivals: dict[int, int] = {}
        for triple in triples:
            for holder in self._holders.get(triple, ()):
                rivals[holder] = rivals.get(holder, 0) + 1
        for holder, shared in rivals.items():
            if shared / (len(triples) + len(self._triples[holder]) - shared) >= ALIKE:
                return False
        for triple in triples:
            self._holders.setdefault(triple, []).append(len(self._triples))
        self._triples.append(triples)
        return True


def word_triples(text: str) -> frozenset[tuple[str, ...]]:
    """Return all runs of three words, or the whole text if it has fewer."""
    words = re.findall(r"[a-z0-9']+", text.lower())
    return frozenset(zip(words, words[1:], words[2:], strict=False)) or frozenset([tuple(words)])


def build_reviews(folder: Path) -> None:
    """Write one table of reviews with stars and probabilities, and the true stars."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(SEED)
    cells = [(given, true) for given in range(3) for true in range(3)]
    pairs = rng.permutation(np.repeat(cells, COUNTS.ravel(), axis=0))
    given, truth = pairs[:, 0], pairs[:, 1]
    reviews = write_reviews([STARS[number] for number in truth], rng)
    texts = [text for _, text in reviews]
    table = pd.DataFrame({"id": [f"rev-{number:04d}" for number in range(1, len(texts) + 1)]})
    names = np.array(STARS)
    table.assign(label=names[truth]).to_csv(
        folder / "true_labels.csv", index=False, lineterminator="\n"
    )
    table["text"], table["label"] = texts, names[given]
    table["product"] = [product for product, _ in reviews]
    table["verified"] = np.where(rng.random(len(texts)) < 0.85, "yes", "no")
    pred_probs = predict_stars(texts, given)
    for column, name in enumerate(STARS):
        table[f"p_{name}"] = pred_probs[:, column]
    table.to_csv(folder / "reviews.csv", index=False, lineterminator="\n")


def write_reviews(stars: list[str], rng: Rng) -> list[tuple[str, str]]:
    """Return (product, text) for each number of stars; no two texts read alike."""
    phrases = tomllib.loads((Path(__file__).parent / "review_phrases.toml").read_text("utf-8"))
    writer, shelf, reviews = Writer(phrases, rng), Shelf(), []
    for meant in stars:
        product, text = writer.write(meant)
        while not shelf.takes(text):
            product, text = writer.write(meant)
        reviews.append((product, text))
    return reviews


def predict_stars(texts: list[str], given: np.ndarray) -> np.ndarray:
    """Return out-of-sample probabilities of a logistic regression on weighted word pairs."""
    # The vocabulary is built from all texts but no labels, so it gives no answer away.
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=3, sublinear_tf=True)
    features = words.fit_transform(texts)
    features.data = features.data.round(6)
    # saga runs in plain loops, not in BLAS: all machines agree.
    model = LogisticRegression(C=10, solver="saga", max_iter=1000, tol=1e-3, random_state=SEED)
    return predict_out_of_sample(model, features, given, seed=SEED)
