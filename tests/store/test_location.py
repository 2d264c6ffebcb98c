from curation.store import location


def test_decisions_on_the_demo_data_survive_an_upgrade_of_the_package(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    demo = location.PACKAGE / "dashboard" / "demo_data" / "objects"
    path = location.default_path(demo / "labels.csv" if not demo.is_dir() else demo)
    assert path.is_relative_to(tmp_path) and not path.is_relative_to(location.PACKAGE)


def test_decisions_are_kept_next_to_a_writable_dataset(tmp_path):
    assert location.default_path(tmp_path) == tmp_path / ".curation" / "decisions.db"


def test_a_read_only_folder_is_not_written_even_by_root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o555)
    assert location.default_path(data).is_relative_to(tmp_path / "home")
    data.chmod(0o755)
    assert location.default_path(data).is_relative_to(data)
