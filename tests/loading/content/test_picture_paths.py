"""Where pictures are read from: the dataset's folder, or one that a person named; nothing else."""

import pytest
from PIL import Image

import curation
from curation.errors import ContentError
from tests.loading.conftest import NAMES, find_diagnosis


@pytest.fixture
def pets(folder):
    folder.save("probs.npy", folder.probs)
    return folder


def save_pictures(where, names):
    for place, name in enumerate(names):
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (4, 4), 8 * place).save(where / name)


def write_table(folder, paths):
    rows = "".join(f"{p},{NAMES[k]}\n" for p, k in zip(paths, folder.labels, strict=True))
    folder.write("labels.csv", "path,label\n" + rows)


def shown(dataset, row):
    return dataset.content.image(row).image.getpixel((0, 0))[0]


FILES = [f"{k % 3}/{k:02}.png" for k in range(30)]


def test_longest_part_of_a_path_that_fits_is_used(pets):
    save_pictures(pets.root / "images", FILES)
    write_table(pets, [f"/home/alice/proj/images/{name}" for name in FILES])
    dataset = pets.load()
    assert [shown(dataset, row) for row in (0, 7)] == [0, 56]
    said = find_diagnosis(dataset, "content.suffix").what
    assert "'/home/alice/proj/images/0/00.png' is read as 'images/0/00.png'" in said


def test_two_paths_never_become_one_file(pets):
    save_pictures(pets.root, [f"{k:02}.png" for k in range(15)])
    write_table(pets, [f"/data/{k // 15}/{k % 15:02}.png" for k in range(30)])
    dataset = pets.load()
    assert "content.suffix" not in {each.code for each in dataset.report.diagnoses}
    assert find_diagnosis(dataset, "content.outside").count == 30


def test_paths_that_are_found_as_written_stay_as_they_are(pets):
    save_pictures(pets.root, FILES)
    write_table(pets, FILES)
    assert [each.code for each in pets.load().report.diagnoses] == []


@pytest.mark.parametrize("climb", ["../secret", "/home/../../secret", "x/../../secret"])
def test_part_of_a_path_that_climbs_out_is_refused(pets, climb):
    save_pictures(pets.root.parent / "secret", FILES)
    save_pictures(pets.root / "images", FILES[:20])
    paths = [f"/data/images/{name}" for name in FILES[:20]]
    write_table(pets, paths + [f"{climb}/{name}" for name in FILES[20:]])
    dataset = pets.load()
    for row in range(20, 30):
        with pytest.raises(ContentError):
            dataset.content.image(row)


def test_named_folder_is_read_wherever_it_is(pets, tmp_path):
    save_pictures(tmp_path / "elsewhere", FILES)
    write_table(pets, FILES)
    for named in (str(tmp_path / "elsewhere"), "../elsewhere"):
        dataset = pets.load(image_root=named)
        assert shown(dataset, 7) == 56
        assert "outside the dataset's folder" in find_diagnosis(dataset, "content.elsewhere").what
        assert dataset.settings["image_root"] == named


def test_absolute_paths_under_the_named_folder_are_read(pets, tmp_path):
    save_pictures(tmp_path / "elsewhere", FILES)
    write_table(pets, [tmp_path / "elsewhere" / name for name in FILES])
    assert find_diagnosis(pets.load(), "content.outside").count == 30
    assert shown(pets.load(image_root=tmp_path / "elsewhere"), 7) == 56


def test_manifest_may_name_the_folder(pets, tmp_path):
    save_pictures(tmp_path / "elsewhere", FILES)
    write_table(pets, FILES)
    pets.write("curation.toml", 'image_root = "../elsewhere"\n')
    assert shown(pets.load(), 7) == 56


def test_data_never_names_a_folder(pets, tmp_path):
    save_pictures(tmp_path / "elsewhere", FILES)
    (pets.root / "images").symlink_to(tmp_path / "elsewhere")
    write_table(pets, [f"images/{name}" for name in FILES])
    assert find_diagnosis(pets.load(), "content.outside").count == 30
    assert "--image-root" in find_diagnosis(pets.load(), "content.outside").fix


def test_named_folder_has_the_same_walls_as_the_dataset(pets, tmp_path):
    save_pictures(tmp_path / "elsewhere", FILES[:1])
    save_pictures(tmp_path / "secret", FILES)
    (tmp_path / "elsewhere" / "link").symlink_to(tmp_path / "secret")
    write_table(pets, ["0/00.png", *(f"link/{name}" for name in FILES[1:15]),
                       *(f"../secret/{name}" for name in FILES[15:])])  # fmt: skip
    dataset = pets.load(image_root="../elsewhere")
    assert shown(dataset, 0) == 0
    assert find_diagnosis(dataset, "content.outside").count == 29


def test_folder_that_is_not_there_is_named(pets):
    write_table(pets, FILES)
    assert "there is no such folder" in pets.blocked(image_root="nowhere").problem


def test_fingerprint_covers_pictures_outside(pets, tmp_path):
    save_pictures(tmp_path / "elsewhere", FILES)
    write_table(pets, FILES)
    before = pets.load(image_root="../elsewhere").fingerprint_parts["content"]
    Image.new("L", (5, 5)).save(tmp_path / "elsewhere" / FILES[0])
    assert (
        curation.load(pets.root, image_root="../elsewhere").fingerprint_parts["content"] != before
    )
