"""Links may come from anyone: they never name a folder outside the dataset."""

import json

import pytest

from curation.errors import InputError
from curation.ui.shell.opening import Source


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    (folder / "images").mkdir(parents=True)
    (tmp_path / "secret").mkdir()
    (folder / "link").symlink_to(tmp_path / "secret")
    return folder


@pytest.mark.parametrize("named", ["../secret", "/", "~", "link", "images/../../secret"])
def test_link_that_names_a_folder_of_pictures_outside_is_refused(data, named):
    source = Source(str(data), json.dumps({"image_root": named}))
    with pytest.raises(InputError, match="outside the dataset"):
        _ = source.options


@pytest.mark.parametrize("named", ["images", ".", "images/../images"])
def test_link_may_name_a_folder_inside(data, named):
    source = Source(str(data), json.dumps({"image_root": named}))
    assert source.options == {"image_root": named}
