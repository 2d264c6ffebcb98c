import pytest

from curation.whole_files import write_whole


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_takes_its_place_once_it_is_complete(tmp_path, durable):
    path = tmp_path / "new" / "result.npz"
    with write_whole(path, durable=durable) as file:
        file.write(b"all of it")
        assert not path.exists()
    assert path.read_bytes() == b"all of it" and list(path.parent.iterdir()) == [path]


def test_what_was_there_stays_if_writing_fails_halfway(tmp_path):
    path = tmp_path / "result.npz"
    path.write_bytes(b"earlier")
    with pytest.raises(OSError, match="no space"), write_whole(path) as file:
        file.write(b"half")
        raise OSError("no space")
    assert path.read_bytes() == b"earlier" and list(tmp_path.iterdir()) == [path]
