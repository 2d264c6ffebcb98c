"""The access files in docs/access.md are valid, and it lists every role."""

import re
from pathlib import Path

import pytest

from curation.roles import Role
from curation.ui.server.access_file import read_access

TEXT = (Path(__file__).parents[2] / "docs" / "access.md").read_text()
FILES = re.findall(r"<!-- an access file -->\n```toml\n(.*?)```", TEXT, re.S)


@pytest.mark.parametrize("text", FILES)
def test_every_access_file_can_be_read(text, tmp_path):
    path = tmp_path / "access.toml"
    path.write_text(text)
    path.chmod(0o600)
    assert read_access(path).public_url == "https://curation.example.org"


def test_there_is_one_for_each_way_to_sign_in():
    assert ["[oidc]" in text for text in FILES] == [True, False]
    assert all(f"\n| {role} |" in TEXT for role in Role)
