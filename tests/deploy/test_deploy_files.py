"""The other files of deploy/: what they start exists, and the role's script works."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from curation.cli import build_parser
from curation.store.postgres import RIGHTS
from curation.ui.server.access_file import read_access
from devtools.serving import ROOT

DEPLOY = ROOT / "deploy"
IMAGE = (DEPLOY / "Dockerfile").read_text()
GUIDE = (ROOT / "docs" / "deploy.md").read_text()


def read_commands():
    """Return the arguments of every `curate` that these files start."""
    compose = (DEPLOY / "compose.yaml").read_text()
    for folded in re.findall(r"command: >-\n((?: +\S.*\n)+)", compose):
        yield re.split(r"\n\s+(?=\w+:)", folded)[0]
    for name in ("curation@.service", "curation-backup.cron"):
        yield from re.findall(r"/bin/curate (.*)", (DEPLOY / name).read_text())


@pytest.mark.parametrize("command", list(read_commands()), ids=lambda each: each.split()[0])
def test_every_command_is_one_that_curate_knows(command):
    words = shlex.split(command.replace("%i", "8501"))
    known = ("store", "backup")
    options = build_parser().parse_args(words if words[0] in known else ["open", *words])
    assert options.store.startswith("postgresql+psycopg://curation_") or options.store == "${STORE}"


def test_four_commands_were_found():
    assert len(list(read_commands())) == 4


def test_the_role_of_the_dashboards_is_created_with_its_password(postgres):
    if shutil.which("psql") is None:
        pytest.skip("psql is not installed (apt-get install postgresql-client)")
    postgres.ask("DROP ROLE IF EXISTS curation_app")
    given = {"POSTGRES_USER": "test", "POSTGRES_DB": "postgres", "PGHOST": str(postgres.folder)}
    hostile = 'it\'s $(id) \\ "quoted"'
    subprocess.run(
        [DEPLOY / "create_role.sh"], check=True, env=os.environ | given | {"APP_PASSWORD": hostile}
    )
    ((login, stored),) = postgres.ask(
        "SELECT rolcanlogin, rolpassword FROM pg_authid WHERE rolname = 'curation_app'"
    )
    assert login and stored.startswith("SCRAM-SHA-256")
    postgres.ask("DROP ROLE curation_app")


def test_the_health_check_of_the_image_asks_a_dashboard(dashboards):
    (text,) = re.findall(r"HEALTHCHECK .*? CMD (\[.*?\])\n\n", IMAGE, re.S)
    python, flag, code = json.loads(text.replace("\\\n", ""))
    command = [sys.executable, flag, code.replace("8501", str(dashboards[0].port))]
    for path, is_healthy in (("/curation", True), ("/elsewhere", False)):
        env = os.environ | {"CURATION_BASE_PATH": path}
        done = subprocess.run(command, env=env, capture_output=True)
        assert (done.returncode == 0) == is_healthy, done.stderr


def test_the_access_file_of_the_docs_can_be_read(tmp_path):
    (text,) = re.findall(r"<!-- an access file -->\n```toml\n(.*?)```", GUIDE, re.S)
    path = tmp_path / "access.toml"
    path.write_text(text)
    path.chmod(0o600)
    assert read_access(path).base_path == "curation"


def test_the_docs_list_every_right_of_the_role():
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ([A-Z, ]+) \|", GUIDE, re.M)
    listed = {table: rights for tables, rights in rows for table in re.findall(r"\w+", tables)}
    assert listed == RIGHTS


def test_the_image_gets_all_that_the_wheel_holds_and_nothing_private():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    kept = {line[1:] for line in ignored if line.startswith("!")}
    wheel = (ROOT / "pyproject.toml").read_text()
    included = set(re.findall(r'^"([^"]+)" = "curation/dashboard', wheel, re.M))
    assert ignored[0] == "*" and included <= kept
    assert kept - included == {"curation", "pyproject.toml", "README.md", "LICENSE"}


def test_the_unit_is_one_that_systemd_understands(tmp_path):
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    unit = (DEPLOY / "curation@.service").read_text()
    unit = unit.replace("/opt/curation/bin/curate", shutil.which("true"))
    (tmp_path / "curation@8501.service").write_text(unit)
    done = subprocess.run(
        [program, "verify", "--man=no", tmp_path / "curation@8501.service"],
        capture_output=True, text=True,
    )  # fmt: skip
    about = [line for line in done.stderr.splitlines() if "curation@" in line]
    assert not about, about
