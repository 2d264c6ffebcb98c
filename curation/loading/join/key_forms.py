"""Forms in which two keys may be equal although they are written differently."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow.compute as pc

from curation.loading.row_keys import Texts
from curation.loading.vocabulary import IMAGE_SUFFIXES

_WHOLE_AS_FLOAT = r"^-?[0-9]+\.0$"
_ENDING = "(?i)(" + "|".join(ending.replace(".", r"\.") for ending in IMAGE_SUFFIXES) + ")$"


def _trimmed(values: Texts) -> Texts:
    return pc.utf8_trim_whitespace(values)


def _whole(values: Texts) -> Texts:
    """Return ids such as 1.0 as 1, if all are whole numbers."""
    if not pc.all(pc.match_substring_regex(values, _WHOLE_AS_FLOAT)).as_py():
        return values
    return pc.replace_substring(values, ".0", "", max_replacements=1)


def _plain(values: Texts) -> Texts:
    slashes = pc.replace_substring(_trimmed(values), "\\", "/")
    return pc.replace_substring_regex(slashes, r"^(\./)+", "")


def _last(values: Texts) -> Texts:
    return pc.replace_substring_regex(_plain(values), r"^.*/", "")


def _stem(values: Texts) -> Texts:
    return pc.replace_substring_regex(_last(values), _ENDING, "")


FORMS: tuple[tuple[Callable[[Texts], Texts], str], ...] = (
    (_trimmed, "ignoring spaces around it"),
    (_whole, "reading 1.0 as 1"),
    (_plain, "reading \\ as /"),
    (_last, "ignoring folders"),
    (_stem, "ignoring folders and endings such as .jpg"),
)
