"""Two dashboards on one PostgreSQL database, as docs/deploy.md starts them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

import numpy as np
import pytest

from curation.store import postgres as tables
from devtools.serving import ROOT, find_port
from tests import small_set
from tests.store.conftest import postgres as postgres  # the fixture

SECRET = "the-secret-that-the-proxy-sends-012345"
CURATE = "import sys; from curation.cli import main; sys.exit(main(sys.argv[1:]))"
ACCESS = """
public_url = "https://localhost/curation"
[proxy]
addresses = ["127.0.0.1"]
user_header = "X-Forwarded-User"
groups_header = "X-Forwarded-Groups"
secret = "{}"
[roles]
curator = ["ana"]
"""


class Dashboard:
    """One process that serves the dataset under /curation."""

    def __init__(self, folder, store, access):
        self.port, self.log = find_port(), folder / f"log-{find_port()}"
        command = [sys.executable, "-c", CURATE, str(folder / "set"), "--store", store]
        command += ["--access", str(access), "--host", "127.0.0.1", "--port", str(self.port)]
        more = {"XDG_DATA_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--no-browser"], cwd=folder, stdout=log, stderr=subprocess.STDOUT,
                env=os.environ | more,
            )  # fmt: skip

    def wait(self):
        wait_for(f"http://127.0.0.1:{self.port}/curation/_stcore/health", self.process, self.log)

    def stop(self):
        self.process.terminate()
        self.process.wait(15)


def wait_for(address, process, log, **options):
    """Wait until something answers at an address, with whatever status."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address, timeout=5, **options).close()
            return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError:
            assert process.poll() is None, log.read_text()
            time.sleep(0.1)
    raise AssertionError(f"it did not start:\n{log.read_text()}")


@pytest.fixture(scope="session")
def dashboards(tmp_path_factory, postgres):
    folder = tmp_path_factory.mktemp("team")
    small_set.write_texts(folder / "set", 30, 6, rng=np.random.default_rng(0))
    store = postgres.make_schema()
    postgres.ask("CREATE ROLE dashboard LOGIN")
    tables.upgrade(store, "dashboard")
    access = folder / "access.toml"
    access.write_text(ACCESS.format(SECRET))
    access.chmod(0o600)
    store = store.replace("//test@", "//dashboard@")
    both = [Dashboard(folder, store, access) for _ in range(2)]
    for each in both:
        each.wait()
    yield both
    for each in both:
        each.stop()
