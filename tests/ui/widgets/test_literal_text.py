"""Text from a dataset is shown literally."""

import re

import pytest

from curation.ui.widgets.literal_text import in_markdown

# How Streamlit's Markdown finds addresses in text once its escapes are gone (mdast-util-gfm).
LINKS = re.compile(
    r"(https?://|www(?=\.))([-.\w]+)|([-.\w+]+)@([-\w]+(?:\.[-\w]+)+)", re.ASCII | re.IGNORECASE
)


@pytest.mark.parametrize(
    "text", ["see https://evil.example/d", "HTTP://evil.example", "www.evil.example", "me@evil.xyz"]
)
def test_addresses_do_not_become_links_and_stay_readable(text):
    assert LINKS.search(text)
    shown = in_markdown(text).replace("\\", "")
    assert not LINKS.search(shown)
    assert shown.replace("\u2060", "") == text
