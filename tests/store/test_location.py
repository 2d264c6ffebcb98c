from curation.store import location


def test_decisions_on_data_inside_the_package_outlive_the_package(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    demo = location.PACKAGE / "dashboard" / "demo_data" / "objects"
    path = location.default_path(demo / "labels.csv" if not demo.is_dir() else demo)
    assert path.is_relative_to(tmp_path) and not path.is_relative_to(location.PACKAGE)


def test_decisions_lie_beside_a_dataset_that_can_be_written(tmp_path):
    assert location.default_path(tmp_path) == tmp_path / ".curation" / "decisions.db"


def test_folder_that_nobody_may_write_is_left_alone_even_by_root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o555)
    assert location.default_path(data).is_relative_to(tmp_path / "home")
    data.chmod(0o755)
    assert location.default_path(data).is_relative_to(data)
