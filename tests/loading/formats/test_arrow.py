"""Arrow files: tables, class names and pictures as save_to_disk writes them."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pytest
from PIL import Image

from curation.errors import ContentError

NAMES = ["cat", "dog", "eel"]


def save(path, table, names=None):
    if names is not None:
        features = {"label": {"names": names, "_type": "ClassLabel"}}
        info = json.dumps({"info": {"features": features}})
        table = table.replace_schema_metadata({"huggingface": info})
    with pa.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)


def test_class_names_come_from_the_schema(folder):
    save(folder.root / "data-00000-of-00001.arrow", pa.table({"label": folder.labels}), NAMES)
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    assert dataset.source.format == "arrow"


def test_pictures_inside_are_shown(folder):
    cells = []
    for k in range(30):
        file = io.BytesIO()
        Image.new("L", (4, 4), 8 * k).save(file, "PNG")
        cells.append({"bytes": file.getvalue(), "path": None})
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    table = pa.table({"image": pa.array(cells, kind), "label": folder.labels})
    save(folder.root / "data-00000-of-00002.arrow", table.slice(0, 20), NAMES)
    save(folder.root / "data-00001-of-00002.arrow", table.slice(20), NAMES)
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.kind == "image"
    assert dataset.content.image(25).image.getpixel((0, 0)) == (200, 200, 200)


def test_a_file_cut_short_while_open_is_not_read_again(folder):
    """Reading a mapped file past its new end would kill the process."""
    cells = [{"bytes": bytes(100_000), "path": None}] * 30
    kind = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    texts = [f"text {row}" for row in range(30)]
    table = pa.table({"image": pa.array(cells, kind), "label": folder.labels, "note": texts})
    path = folder.root / "data-00000-of-00001.arrow"
    save(path, table, NAMES)
    folder.save("probs.npy", folder.probs)
    dataset = folder.load()
    with path.open("r+b") as file:
        file.truncate(100)
    with pytest.raises(ContentError, match="changed or moved after the dataset was loaded"):
        dataset.content.image(29)
    assert dataset.extras["note"][29] == "text 29"


def test_labels_are_exported_as_a_table(bench):
    save(bench.root / "labels.arrow", pa.table({"id": ["a", "b", "c"], "label": NAMES}))
    bench.probs([0, 2, 2]).classes(NAMES)
    assert bench.relabel({1: "eel"}).cleaned() == b"id,label\na,cat\nb,eel\nc,eel\n"


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_feather_is_read(folder, compression):
    table = pa.table({"label": [NAMES[k] for k in folder.labels]})
    pa.feather.write_feather(table, folder.root / "labels.feather", compression=compression)
    folder.save("probs.npy", folder.probs)
    assert len(folder.load()) == 30


def test_compressed_table_that_needs_too_much_memory_is_refused(folder):
    table = pa.table({"label": ["x" * 1_000_000] * 30})
    pa.feather.write_feather(table, folder.root / "labels.feather", compression="zstd", chunksize=1)
    folder.save("probs.npy", folder.probs)
    assert "needs about" in folder.blocked(memory_limit_gb=0.002).problem


@pytest.mark.parametrize("content", [b"anything", b"ARROW1\0\0" + bytes(100), b""])
def test_other_bytes_are_refused(folder, content):
    folder.write("labels.arrow", content)
    folder.save("probs.npy", folder.probs)
    assert folder.blocked().problem.startswith("labels.arrow")


def test_cut_file_is_refused(folder):
    path = folder.root / "labels.arrow"
    save(path, pa.table({"label": [NAMES[k] for k in folder.labels], "x": np.arange(30)}))
    path.write_bytes(path.read_bytes()[:-200])
    folder.save("probs.npy", folder.probs)
    assert folder.blocked().problem.startswith("labels.arrow")
