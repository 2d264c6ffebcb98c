"""NumPy files are judged by their headers, and no pickle is ever opened."""

import io
import os
import pickle
import stat
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from curation.loading.formats.disk_array import DiskArray
from curation.loading.formats.npy import open_npy
from curation.loading.formats.npz import open_npz, read_member
from curation.loading.formats.zip_archives import MAX_MEMBERS
from curation.loading.report_builder import Stop
from tests.repetitions import repeat

LIMIT = 2**30


class Canary:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return (os.mkdir, (self.path,))


def refused(read, *arguments, **options):
    with pytest.raises(Stop) as caught:
        read(*arguments, **options)
    return caught.value.diagnosis


def header_claiming(shape):
    text = repr({"descr": "<f8", "fortran_order": False, "shape": shape}).encode()
    text += b" " * (118 - len(text) - 1) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def test_whole_file_stays_on_disk(folder):
    array = open_npy(folder.save("a.npy", np.eye(3)), "a.npy")
    assert isinstance(array, DiskArray)
    np.testing.assert_array_equal(array, np.eye(3))


@pytest.mark.fault(
    42,
    "BLOCK",
    says="a.npy: the file is cut off: expected 80000 bytes, got 79900. Copy or save it again.",
)
def test_cut_file_says_how_much_is_missing(folder):
    path = folder.save("a.npy", np.zeros((1000, 10)))
    path.write_bytes(path.read_bytes()[:-100])
    assert (
        refused(open_npy, path, "a.npy").what
        == "the file is cut off: expected 80000 bytes, got 79900."
    )


@pytest.mark.fault(
    54,
    "BLOCK",
    says="a.npy: the file is cut off: expected 80000000000000 bytes, got 100. Copy or save "
    "it again.",
)
def test_header_claiming_80_terabytes_is_refused_by_its_header(folder):
    path = folder.write("a.npy", header_claiming((10**12, 10)) + b"0" * 100)
    assert "expected 80000000000000 bytes, got 100" in refused(open_npy, path, "a.npy").what


@pytest.mark.parametrize("shape", [(-1, 3), "(1,", (2**70, 2)])
def test_broken_headers_are_refused(folder, shape):
    path = folder.write("a.npy", header_claiming(shape) + b"0" * 100)
    refused(open_npy, path, "a.npy")


@pytest.mark.fault(
    53,
    "BLOCK",
    says="a.npy: it holds Python objects (dtype object), stored as a pickle. Save plain "
    "numbers or text: np.save(path, np.asarray(values, dtype=float)).",
)
def test_objects_are_refused_and_their_code_never_runs(folder, tmp_path):
    canary = tmp_path / "canary"
    path = folder.save("a.npy", np.array([Canary(canary)], dtype=object))
    diagnosis = refused(open_npy, path, "a.npy")
    assert "stored as a pickle" in diagnosis.what
    assert not canary.exists()


@pytest.mark.fault(
    53,
    "BLOCK",
    says="Pickles and other formats under this name are refused. Save plain numbers or "
    "text: np.save(path, np.asarray(values, dtype=float)).",
)
def test_pickle_under_another_name_is_refused_and_never_runs(folder, tmp_path):
    canary = tmp_path / "canary"
    path = folder.write("a.npy", pickle.dumps(Canary(canary)))
    assert "Pickles" in refused(open_npy, path, "a.npy").fix
    np.savez(folder.root / "b.npz", pred_probs=np.array([Canary(canary)], dtype=object))
    assert "pickle" in refused(open_npz, folder.root / "b.npz", "b.npz", memory_limit=LIMIT).what
    with zipfile.ZipFile(folder.root / "c.npz", "w") as archive:
        archive.writestr("pred_probs.npy", pickle.dumps(Canary(canary)))
    refused(open_npz, folder.root / "c.npz", "c.npz", memory_limit=LIMIT)
    assert not canary.exists()


def test_archive_is_read_member_by_member(folder):
    np.savez_compressed(folder.root / "a.npz", pred_probs=np.eye(2), labels=np.array([0, 1]))
    headers = open_npz(folder.root / "a.npz", "a.npz", memory_limit=LIMIT)
    assert {key: each.shape for key, each in headers.items()} == {
        "pred_probs": (2, 2),
        "labels": (2,),
    }
    np.testing.assert_array_equal(read_member(folder.root / "a.npz", "a.npz", "labels"), [0, 1])


@pytest.mark.fault(
    54,
    "BLOCK",
    says="bomb.npz: … bytes would unpack to 480000128, 1028 times as many; the limit is 200 "
    "times. Save arrays as .npy files, which are read from disk, and tables as CSV.",
)
def test_archive_that_swells_is_refused_from_its_headers(folder):
    path = folder.root / "bomb.npz"
    zeros = io.BytesIO()
    np.save(zeros, np.zeros((1000, 10)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("pred_probs.npy", "w", force_zip64=True) as file:
            file.write(header_claiming((6_000_000, 10)))
            for _ in range(480):
                file.write(bytes(10**6))
    assert path.stat().st_size < 500_000
    diagnosis = refused(open_npz, path, "bomb.npz", memory_limit=LIMIT)
    assert "times as many; the limit is 200 times" in diagnosis.what


def test_archive_over_the_memory_limit_is_refused_with_numbers(folder):
    np.savez(folder.root / "a.npz", pred_probs=np.zeros((1000, 100)))
    diagnosis = refused(open_npz, folder.root / "a.npz", "a.npz", memory_limit=1000)
    assert "needs about 781.4 kB of memory; the limit is 1000 bytes" in diagnosis.what


def test_archive_member_that_lies_about_its_size_is_refused(folder):
    with zipfile.ZipFile(folder.root / "a.npz", "w") as archive:
        archive.writestr("pred_probs.npy", header_claiming((10**12, 10)) + b"0" * 100)
    diagnosis = refused(open_npz, folder.root / "a.npz", "a.npz", memory_limit=LIMIT)
    assert "the file is cut off: expected 80000000000000 bytes, got 100" in diagnosis.what


@pytest.mark.fault(
    55,
    "BLOCK",
    says="a.npz: entries that point outside the archive: …. Save the file again",
)
@pytest.mark.parametrize(
    "name", ["../a.npy", "/a.npy", "a\\..\\b.npy", "C:/a.npy", "a/../../b.npy"]
)
def test_archive_with_entries_that_lead_outside_is_refused_whole(folder, name):
    with zipfile.ZipFile(folder.root / "a.npz", "w") as archive:
        archive.writestr(name, b"")
    diagnosis = refused(open_npz, folder.root / "a.npz", "a.npz", memory_limit=LIMIT)
    assert "point outside the archive" in diagnosis.what


@pytest.mark.fault(
    54,
    "BLOCK",
    says="a.npz: the archive has 1001 entries or more; at most 1000 are read. Save only "
    "what is needed.",
)
def test_archive_of_too_many_entries_is_refused(folder):
    with zipfile.ZipFile(folder.root / "a.npz", "w") as archive:
        for number in range(MAX_MEMBERS + 1):
            archive.writestr(f"{number}.txt", b"")
    diagnosis = refused(open_npz, folder.root / "a.npz", "a.npz", memory_limit=LIMIT)
    assert f"has {MAX_MEMBERS + 1} entries" in diagnosis.what


@pytest.mark.fault(55, "BLOCK", says="a.npz: entries that point outside the archive: 'link.npy'.")
def test_archive_with_a_link_in_it_is_refused_whole(folder):
    link = zipfile.ZipInfo("link.npy")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(folder.root / "a.npz", "w") as archive:
        archive.writestr("pred_probs.npy", header_claiming((1, 2)) + bytes(16))
        archive.writestr(link, "/etc/passwd")
    refused(open_npz, folder.root / "a.npz", "a.npz", memory_limit=LIMIT)
    assert [path.name for path in folder.root.iterdir()] == ["a.npz"], "nothing was written"


# Loads what is at a path, and prints how many megabytes that took at most.
MEASURED = """
import resource, sys
import curation
from curation.errors import CurationError
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    curation.load(sys.argv[1])
except CurationError as error:
    print(error.problem)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.fault(54, "HOLDS")
@pytest.mark.parametrize("bomb", ["claim", "swell", "entries"])
def test_bombs_are_refused_within_200_megabytes(folder, bomb):
    """In a process of its own: a claim of 80 TB, zeros that swell to 480 MB, 100,000 entries."""
    folder.write("labels.csv", folder.table())
    if bomb == "claim":
        folder.write("probs.npy", header_claiming((10**12, 10)) + b"0" * 100)
    else:
        with zipfile.ZipFile(folder.root / "probs.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            if bomb == "entries":
                for number in range(repeat(2_000, 100_000)):
                    archive.writestr(f"{number}.txt", b"")
            else:
                with archive.open("pred_probs.npy", "w", force_zip64=True) as file:
                    file.write(header_claiming((6_000_000, 10)))
                    for _ in range(480):
                        file.write(bytes(10**6))
    command = [sys.executable, "-c", MEASURED, str(folder.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    problem, megabytes = done.stdout.rsplit("\n", 2)[:2]
    assert problem.startswith("probs.np") and int(megabytes) <= 200
