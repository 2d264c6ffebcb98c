"""The slips of people who type in a hurry."""

import re

import numpy as np

Rng = np.random.Generator

MISSPELT = {
    "definitely": "definately",
    "received": "recieved",
    "recommend": "recomend",
    "really": "realy",
    "because": "becuase",
    "which": "wich",
    "disappointed": "dissapointed",
    "their": "thier",
    "quiet": "quite",
    "weird": "wierd",
    "tomorrow": "tommorow",
    "until": "untill",
    "finally": "finaly",
    "every": "evry",
    "through": "thru",
    "the": "teh",
}


def mistype(text: str, rng: Rng, share: float) -> str:
    """Return the text, in the given share of cases with one or two kinds of slips."""
    if rng.random() >= share:
        return text
    slips = (_misspell, _swap_letters, _drop_letter, _drop_apostrophes, _all_small, _shout)
    for index in rng.choice(len(slips), int(rng.integers(1, 3)), replace=False).tolist():
        text = slips[index](text, rng)
    return text


def _misspell(text: str, rng: Rng) -> str:
    for right, wrong in MISSPELT.items():
        text = re.sub(rf"\b{right}\b", wrong, text, count=1)
    return text


def _swap_letters(text: str, rng: Rng) -> str:
    place = _inside_word(text, rng)
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def _drop_letter(text: str, rng: Rng) -> str:
    place = _inside_word(text, rng)
    return text[:place] + text[place + 1 :]


def _drop_apostrophes(text: str, rng: Rng) -> str:
    return text.replace("'", "")


def _all_small(text: str, rng: Rng) -> str:
    return text.lower()


def _shout(text: str, rng: Rng) -> str:
    """Return the text with one long word in capitals and its full stop an exclamation mark."""
    words = sorted(set(re.findall(r"\b[a-z]{5,}\b", text)))
    loud = words[int(rng.integers(len(words)))] if words else ""
    text = re.sub(rf"\b{loud}\b", loud.upper(), text, count=1) if loud else text
    return text[:-1] + "!!" if text.endswith(".") else text


def _inside_word(text: str, rng: Rng) -> int:
    """Return the places of two neighbouring letters inside a word of five or more."""
    words = list(re.finditer(r"[a-z]{5,}", text)) or list(re.finditer(r"\w{2,}", text))
    word = words[int(rng.integers(len(words)))]
    return int(rng.integers(word.start(), word.end() - 1))
