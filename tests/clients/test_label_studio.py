"""Label Studio itself: the three commands of docs/export.md, and what arrived."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.parse
import urllib.request

import pytest

from devtools.serving import find_port
from tests.clients.conftest import find_client

TOKEN = "0123456789abcdef"
START_SECONDS = 240  # its first start makes a database


class LabelStudio:
    """A server with one project, as the first command makes it."""

    def __init__(self, dataset, export, home):
        self.url = f"http://localhost:{find_port()}"
        command = [
            find_client("label-studio").with_name("label-studio"), "start", "curation", "--init",
            "--label-config", export / "label_studio.xml", "--username", "ana@example.org",
            "--password", "password", "--user-token", TOKEN, "--enable-legacy-api-token",
            "--no-browser", "--data-dir", home, "--port", self.url.rpartition(":")[2],
        ]  # fmt: skip
        local = {
            "LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED": "true",
            "LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT": str(dataset),
            "COLLECT_ANALYTICS": "false",
            "LATEST_VERSION_CHECK": "false",
        }
        self.log = (home / "log").open("wb")
        self.process = subprocess.Popen(
            command, env={**os.environ, **local}, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=subprocess.STDOUT,
        )  # fmt: skip

    def wait(self):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                self.get("/health")
                return
            except OSError:
                time.sleep(0.5)
        raise AssertionError((self.log.name, "Label Studio did not start"))

    def get(self, path, data=None, **headers):
        headers |= {"Authorization": f"Token {TOKEN}"}
        asked = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.read()

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


@pytest.fixture
def studio(pets, tmp_path):
    pets.export(method="confusion")
    (tmp_path / "home").mkdir()
    server = LabelStudio(pets.root, pets.out, tmp_path / "home")
    try:
        server.wait()
        yield server
    finally:
        server.stop()
        shutil.rmtree(tmp_path / "home")


@pytest.mark.timeout(START_SECONDS + 120)
def test_everything_arrives_and_every_picture_is_shown(studio, pets):
    form = {"project": 1, "path": str(pets.root / "images")}
    studio.get("/api/storages/localfiles", urllib.parse.urlencode(form).encode())
    tasks = (pets.out / "label_studio.json").read_bytes()
    said = studio.get("/api/projects/1/import", tasks, **{"Content-Type": "application/json"})
    assert json.loads(said)["annotation_count"] == 5
    found = studio.get("/api/projects/1/export?exportType=JSON&download_all_tasks=true")
    by_id = {each["data"]["id"]: each for each in json.loads(found)}
    assert set(by_id) == {"e1", "e2", "e3", "e4", "e5"}
    for task in by_id.values():
        assert studio.get(task["data"]["image"]).startswith(b"\x89PNG")
    answers = {key: task["annotations"][0] for key, task in by_id.items()}
    assert not any(each["ground_truth"] for each in answers.values())
    cancelled = {key: each["was_cancelled"] for key, each in answers.items()}
    assert cancelled == {"e1": False, "e2": True, "e3": True, "e4": False, "e5": False}
    results = {key: each["result"][0] for key, each in answers.items()}
    assert results["e4"]["value"]["choices"] == ["cat", "dog"]
    words = {key: (r["meta"]["curator"], r["meta"]["action"]) for key, r in results.items()}
    assert words["e2"] == ("bo", "exclude") and words["e3"] == ("ana", "second look")
    assert results["e1"]["meta"]["note"] == "long & wet"
    assert answers["e1"]["lead_time"] == 4.5 and answers["e5"]["lead_time"] is None
