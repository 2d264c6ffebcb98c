"""The ways to open another dataset: a path, a demo, a recent one, uploaded files."""

from pathlib import Path

import pytest

from curation.ui.shell.uploads import uploads_folder
from curation.ui.widgets.literal_text import in_markdown
from tests.pages.visiting import click, click_label, link, open_path, run, save, seen


def unfold(app, opened):
    app.session_state[f"chooser-{opened}"] = True
    app.run()


def upload(opened, **files):
    """Upload files, each as (its name, its bytes), and return the page that opens them."""
    app = run(opened)
    unfold(app, opened)
    for part, (name, data) in files.items():
        uploader = next(each for each in app.file_uploader if each.key == f"upload-{part}")
        uploader.set_value((name, data, "application/octet-stream"))
    return click_label(app, "Open these files")


def test_opening_another_dataset_forgets_the_classes_of_the_one_before(tmp_path, pets):
    app = run(save(tmp_path / "other"), given="2", method="both")
    app.session_state["kept.true"] = "1"
    unfold(app, tmp_path / "other")
    app = open_path(app, pets)
    assert not app.exception
    assert link(app) == {"data": str(pets), "method": "both"}
    assert "kept.true" not in app.session_state
    # folded again: what was opened comes first
    assert "path-to-open" not in [each.key for each in app.text_input]


def test_demos_have_cards_with_their_own_pictures(pets):
    app = run(pets)
    unfold(app, pets)
    assert not app.exception
    assert seen(app).count('<div class="cu-strip"><img') == 2
    assert "<blockquote>“" in seen(app)
    app = click(app, "demo-reviews")
    assert link(app)["data"] == "demo:reviews" and "3,000 texts" in seen(app)


def test_what_was_opened_is_among_the_recent(tmp_path, pets):
    run(pets)
    app = run(save(tmp_path / "other"))
    unfold(app, tmp_path / "other")
    assert [b.key for b in app.button if b.key.startswith("recent-")] == [f"recent-{pets}"]
    app = click(app, f"recent-{pets}")
    assert link(app)["data"] == str(pets)


def test_uploaded_files_are_opened(pets):
    parts = {
        part: (f"my <b>{part}.npy", (pets / f"{part}.npy").read_bytes())
        for part in ("labels", "probs")
    }
    app = upload(pets, **parts)
    assert not app.exception
    assert "About 43 of 300 labels look wrong" in seen(app)
    assert '<h1 class="cu-title">my &lt;b&gt;labels</h1>' in seen(app)
    kept = Path(link(app)["data"])
    assert kept.parent == uploads_folder()
    app = run(pets)  # another day
    unfold(app, pets)
    assert f"recent-{kept}" in [button.key for button in app.button]


@pytest.mark.fault(65, "HOLDS")
def test_uploaded_files_that_cannot_be_opened_are_deleted(pets):
    app = upload(pets, labels=("labels.npy", b"no array"))
    assert "The uploaded files were deleted." in seen(app)
    assert not list(uploads_folder().iterdir())


@pytest.mark.fault(
    65, "BLOCK", says="labels.pkl.gz cannot be read as labels. Choose one of .csv, …"
)
def test_a_file_of_another_kind_that_the_browser_let_through_is_refused(pets):
    app = upload(pets, labels=("labels.pkl.gz", b"cos\nsystem\n"))
    assert in_markdown("labels.pkl.gz cannot be read as labels.") in seen(app)
    assert not uploads_folder().exists() or not list(uploads_folder().iterdir())


def test_memory_of_uploads_is_freed_once_they_are_on_disk(pets, monkeypatch):
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    freed = []
    remove = MemoryUploadedFileManager.remove_session_files
    monkeypatch.setattr(
        MemoryUploadedFileManager,
        "remove_session_files",
        lambda manager, session: (freed.append(session), remove(manager, session)),
    )
    app = upload(pets, labels=("labels.npy", (pets / "labels.npy").read_bytes()))
    assert freed and not app.exception
