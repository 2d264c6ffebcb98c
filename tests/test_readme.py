"""The README is true: its commands are the ones that CI runs, and its code runs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from curation.loading.formats.registry import advise, find_format
from curation.loading.overrides import HELP, parse_options

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def command(name: str) -> str:
    found = re.search(rf"<!-- the {name} command -->\n```sh\n(.*?)\n```", README, re.S)
    assert found, name
    return found[1]


def test_ci_runs_the_test_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text()
    assert "<!-- the test command -->" in script and "README.md" in script
    assert command("test").endswith("python -m pytest")


def test_code_runs_in_order(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(blocks) >= 2
    shutil.copytree(ROOT / "demo_data" / "objects", tmp_path / "demo_data" / "objects")
    own = {
        "XDG_DATA_HOME": str(tmp_path / "user"),
        "BROWSER": "true",
    }  # a browser that does nothing
    run = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, **own},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert re.search(r"\d+ of 1,700 labels look wrong", run.stdout)
    assert "maillot" in run.stdout
    assert "The dashboard is at http://localhost:" in run.stdout


def test_every_setting_of_the_loader_is_in_the_example_of_a_manifest():
    found = re.search(r"<!-- every setting -->\n```toml\n(.*?)\n```", README, re.S)
    assert found
    values = tomllib.loads(found[1])
    assert sorted(values) == sorted(HELP)
    assert parse_options(values, "README.md").given() == values


def test_what_is_said_not_to_be_read_is_refused_with_advice():
    table = README.partition("### What is not read")[2].partition("###")[0]
    suffixes = re.findall(r"`(\.\w+)`", table.replace("`.xlsx`", ""))
    assert len(suffixes) > 12
    for suffix in suffixes:
        assert find_format(f"data{suffix}") is None and advise([f"data{suffix}"]), suffix


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:benchmarks|demo_data)/[\w./]+)`", README)))
)
def test_files_that_it_names_exist(path):
    assert (ROOT / path).exists()
