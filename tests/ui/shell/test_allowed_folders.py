"""Where a team may open and write: the folders of the access file, with every link followed."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import numpy as np
import pytest

import curation
from curation.errors import InputError
from curation.roles import Role
from curation.ui.server.access_file import Access, Folders, Oidc
from curation.ui.shell import allowed_folders, opening, uploads, visitor
from curation.ui.shell.opening import Source
from tests import small_set


@pytest.fixture
def team(tmp_path, monkeypatch):
    """A team that may open one folder, upload to another, and export into a third."""
    for name in ("data", "data-of-others", "up", "out"):
        (tmp_path / name).mkdir()
    folders = Folders((tmp_path / "data",), (tmp_path / "out",), tmp_path / "up")
    provider = Oidc("i", "s", "u", "c")
    access = Access("https://x.example", provider, default_role=Role.LEAD, folders=folders)
    monkeypatch.setattr(allowed_folders, "find_access", lambda: access)
    monkeypatch.setattr("sys.argv", ["streamlit"])
    return tmp_path


@pytest.mark.parametrize("name", ["data", "data/pets", "data/./pets", "data/x/../pets", "up/one"])
def test_what_is_inside_is_opened(team, name):
    assert Source(f"{team}/{name}").path == Path(f"{team}/{name}")


@pytest.mark.parametrize(
    "name", ["", "data-of-others", "data/..", "data/../out", "out", "../../etc", "data\0x"]
)
def test_what_is_outside_is_refused_and_logged(team, name, caplog):
    with caplog.at_level(logging.WARNING), pytest.raises(InputError, match="outside the folders"):
        _ = Source(f"{team}/{name}").path
    assert "to open" in caplog.text


def test_a_link_out_of_the_folder_is_followed_before_it_is_judged(team):
    (team / "data" / "out").symlink_to(team / "data-of-others")
    (team / "data-of-others" / "in").symlink_to(team / "data")
    with pytest.raises(InputError):
        _ = Source(f"{team}/data/out").path
    assert Source(f"{team}/data-of-others/in").path


def test_the_words_are_the_same_whether_the_path_exists_or_not(team):
    told = []
    for name in ("data-of-others", "data-of-nobody"):
        with pytest.raises(InputError) as caught:
            _ = Source(f"{team}/{name}").path
        told.append(str(caught.value).replace(name, ""))
    assert told[0] == told[1]


def save_elsewhere(team, key, place):
    """Write a dataset of pictures whose curation.toml names something that is not beside it."""
    folder = small_set.write_images(team / "data" / "pets", 12, 3, rng=np.random.default_rng(0))
    (folder / "images").rename(team / place)
    (team / place / "images").symlink_to(".")
    np.save(team / place / "clip.npy", np.eye(12))
    named = team / place / ("clip.npy" if key == "features" else "")
    (folder / "curation.toml").write_text(f'{key} = "{named}"\n')
    return Source(str(folder))


@pytest.mark.parametrize("key", ["image_root", "features"])
def test_a_dataset_leads_a_team_to_no_other_folder(team, key):
    source = save_elsewhere(team, key, "data-of-others/pictures")
    with pytest.raises(InputError, match=f"{key} in curation.toml is outside the folders"):
        source.check_elsewhere(curation.load(source.path))
    loaded = opening.loading_job(source)
    with pytest.raises(InputError, match="outside the folders"):
        loaded.future.result()


@pytest.mark.parametrize("key", ["image_root", "features"])
def test_no_split_of_a_dataset_leads_a_team_to_another_folder(team, key):
    source = save_elsewhere(team, key, "data-of-others/pictures")
    both = team / "data" / "both"
    for split in ("train", "test"):
        shutil.copytree(source.path, both / split)
    (both / "test" / "curation.toml").unlink()
    (both / "curation.toml").write_text('splits = "all"\n')
    with pytest.raises(InputError, match=f"{key} in curation.toml is outside the folders"):
        Source(str(both)).check_elsewhere(curation.load(both))


def test_a_dataset_may_lead_to_a_folder_that_the_team_opens(team, monkeypatch):
    source = save_elsewhere(team, "image_root", "data/pictures")
    source.check_elsewhere(curation.load(source.path))
    source = save_elsewhere(team, "image_root", "out/pictures")
    with monkeypatch.context() as context:
        context.setattr("sys.argv", ["streamlit", "--data", source.name])
        source.check_elsewhere(curation.load(source.path))  # whoever started the server chose it
    monkeypatch.setattr(allowed_folders, "find_access", lambda: None)
    source.check_elsewhere(curation.load(source.path))  # one person reads what they like


def test_what_the_command_names_is_always_open(team, monkeypatch):
    monkeypatch.setattr("sys.argv", ["streamlit", "--data", f"{team}/data-of-others"])
    assert Source(opening.default_source()).path.name == "data-of-others"


@pytest.mark.parametrize("name", ["../..", "/etc", "objects/../../curation", ""])
def test_no_other_folder_is_opened_under_the_name_of_a_demo(name):
    with pytest.raises(InputError, match="There is no demo"):
        _ = Source(f"demo:{name}").path


def test_exports_go_to_their_folder_only(team):
    allowed_folders.check_export(team / "out" / "new" / "one")
    for elsewhere in ("data/new", "out/../data", "out-of-bounds"):
        with pytest.raises(InputError, match="NOT exported"):
            allowed_folders.check_export(team / elsewhere)
    assert allowed_folders.find_export_folder() == team / "out"


def test_uploads_go_to_their_folder_and_nowhere_without_one(team, monkeypatch):
    assert uploads.uploads_folder() == team / "up"
    monkeypatch.setattr(uploads, "find_upload_folder", lambda: None)
    with pytest.raises(InputError, match="Nothing can be uploaded"):
        uploads.uploads_folder()


def test_one_person_opens_and_writes_what_they_like(tmp_path, monkeypatch):
    monkeypatch.setattr(allowed_folders, "find_access", lambda: None)
    assert Source(str(tmp_path)).path == tmp_path
    allowed_folders.check_export(tmp_path)
    assert visitor.current_actor().role is None  # outside of a page and of a request
