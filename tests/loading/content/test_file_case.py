"""Files are found in any case, unless two differ in nothing else."""

from curation.loading.content.file_case import CasedNames


def test_a_file_is_found_in_any_case_unless_there_are_two(tmp_path):
    (tmp_path / "a").mkdir()
    for name in ("a/Cat.JPG", "a/dog.jpg", "a/DOG.jpg", "eel.PNG"):
        (tmp_path / name).touch()
    names = CasedNames(tmp_path)
    assert names.find("a/cat.jpg") == "a/Cat.JPG"
    assert names.find("eel.png") == "eel.PNG"
    assert names.find("a/Dog.jpg") == "a/Dog.jpg"  # which of the two is not known
    assert names.find("b/cat.jpg") == "b/cat.jpg"


def test_nothing_outside_the_root_is_listed(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "SECRET.png").touch()
    assert CasedNames(tmp_path / "inside").find("../secret.png") == "../secret.png"
