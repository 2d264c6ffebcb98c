"""A Parquet footer that pyarrow cannot stand must not end the process."""

import io
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq

SCRIPT = "import sys, curation; print(curation.check(sys.argv[1]).blocked)"
FIELD = b"\x15\x04%\x02\x18\x05label"  # in the footer: an optional column called label


def test_footer_that_contradicts_itself_is_refused_and_the_process_lives(whole):
    """One byte: the column is no longer optional, but its statistics still are of one that is."""
    pq.write_table(pa.table({"label": [0, 1, 2] * 10}), buffer := io.BytesIO())
    assert buffer.getvalue().count(FIELD) == 1
    (whole.root / "labels.csv").unlink()
    whole.write("labels.parquet", buffer.getvalue().replace(FIELD, FIELD.replace(b"%", b")")))
    command = [sys.executable, "-c", SCRIPT, str(whole.root)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.stdout == "True\n", found.stderr[-500:]
