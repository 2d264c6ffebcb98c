"""An upload that is too large: refused by the page, and by the server if the page is passed by."""

from __future__ import annotations

import http.client
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from curation.ui.shell.uploads import LIMIT_MB

TOO_MANY = LIMIT_MB * 2**20 + 2**21  # bytes; the server allows a megabyte for the form around it
FRAME = "frame"
HEAD = f'--{FRAME}\r\nContent-Disposition: form-data; name="x"; filename="labels.npy"\r\n\r\n'


@pytest.fixture
def uploader(serve, page):
    """The first field for uploads, below a dataset that cannot be opened."""
    page.goto(serve(Path("/nowhere")).url())
    field = page.get_by_test_id("stFileUploaderDropzoneInput").first
    field.wait_for(state="attached")
    return field


@pytest.fixture
def put(uploader, page, demo_server):
    """Send bytes to where the page uploads its files, as no page does: `put(headers, body)`."""
    content = {"name": "labels.csv", "mimeType": "text/csv", "buffer": b"id,label\n"}
    with page.expect_request(lambda request: request.method == "PUT") as sent:
        uploader.set_input_files(content)
    request = sent.value
    assert request.response().status == 204
    browser = request.all_headers()
    kept = {name: browser[name] for name in ("cookie", "origin", "x-xsrftoken") if name in browser}
    kept |= {"content-type": f"multipart/form-data; boundary={FRAME}"}

    def send(body=(), **headers):
        place = urlsplit(request.url)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=120)
        connection.putrequest("PUT", place.path)
        for name, value in {**kept, **headers}.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        try:
            for chunk in body:
                connection.send(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        except (BrokenPipeError, ConnectionResetError):
            pass  # the server has heard enough
        status = connection.getresponse().status
        connection.close()
        return status

    return send


def find_temporary(process):
    """Return the files without a name that a process keeps open, as a half-read upload is."""
    folder = Path(f"/proc/{process.pid}/fd")
    links = []
    for each in folder.iterdir():
        try:
            links.append(os.readlink(each))
        except OSError:
            continue  # closed meanwhile
    return [link for link in links if link.startswith("/tmp") and link.endswith("(deleted)")]


@pytest.mark.fault(65, "BLOCK", says="File must be 200.0MB or smaller.")
def test_the_page_refuses_a_file_that_is_too_large(uploader, page, tmp_path, messages):
    large = tmp_path / "labels.csv"
    with large.open("wb") as file:
        file.truncate(TOO_MANY)  # takes no room on the disk
    uploader.set_input_files(large)
    said = page.get_by_text("or smaller").first
    messages.add("BLOCK", said.inner_text())


@pytest.mark.fault(65, "HOLDS")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads Linux's list of open files")
def test_the_server_refuses_what_is_too_large_as_soon_as_it_knows_and_keeps_nothing(
    put, page, demo_server
):
    assert put(content_length=str(TOO_MANY)) == 413  # none of it was sent
    before = find_temporary(demo_server.process)
    block = bytes(2**20)
    chunks = (HEAD.encode(), *(block for _ in range(TOO_MANY // 2**20)))
    assert put(chunks, transfer_encoding="chunked") == 413
    while len(find_temporary(demo_server.process)) > len(before):  # or the test runs out of time
        page.wait_for_timeout(100)
