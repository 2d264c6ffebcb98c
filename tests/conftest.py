"""What all tests share: laws without a clock, a folder to decide and export, messages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from curation.storage import object_store
from tests.bench import Bench
from tests.fault_messages import Messages, promised
from tests.object_storage import KEY, SECRET, StorageServer
from tests.worker_groups import GroupScheduling

# Workers and the servers that tests start share compiled code, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("calm")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


@pytest.fixture
def small(bench: Bench) -> Bench:
    """Ten texts: cats and dogs in turn, two eels; the model takes rows 1 and 2 for eels."""
    labels = ["cat", "dog"] * 4 + ["eel"] * 2
    rows = "".join(f"e{k},{label},text {k}\n" for k, label in enumerate(labels))
    bench.write("labels.csv", b"id,label,text\n" + rows.encode())
    return bench.classes(("cat", "dog", "eel")).probs([0, 2, 2, 1, 0, 1, 0, 1, 2, 2])


@pytest.fixture(autouse=True)
def messages(request: pytest.FixtureRequest) -> Iterator[Messages]:
    """What a person would read during a test; it must hold what the test's markers promise."""
    wanted, said = promised(request.node), Messages()
    with pytest.MonkeyPatch.context() as patch:
        if wanted:
            said.note_errors(patch)
        yield said
    missing = [each for each in wanted if said.lack(*each)]
    assert not missing, f"no message says {missing}; seen: {said.seen}"


BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the real browser, and begin with them: they take the longest."""
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use a worker more than there are cores: tests of servers and browsers often wait."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    """Let tests that share a server run in one worker."""
    return GroupScheduling(config, log)


@pytest.fixture(scope="session")
def storage_server() -> Iterator[StorageServer]:
    """One S3-compatible server for all tests of a process: it takes seconds to start."""
    object_store.connect.cache_clear()
    server = StorageServer()
    yield server
    server.stop()
    object_store.connect.cache_clear()


@pytest.fixture
def storage(
    storage_server: StorageServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[StorageServer]:
    """The server, as the environment's storage, with a cache and a home that are empty."""
    for name, value in (
        ("AWS_ENDPOINT_URL", storage_server.url),
        ("AWS_ACCESS_KEY_ID", KEY),
        ("AWS_SECRET_ACCESS_KEY", SECRET),
        ("AWS_DEFAULT_REGION", "us-east-1"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("XDG_CACHE_HOME", str(tmp_path / "cache home")),
        ("XDG_DATA_HOME", str(tmp_path / "data home")),
    ):
        monkeypatch.setenv(name, value)
    storage_server.heal()
    yield storage_server
    storage_server.heal()
