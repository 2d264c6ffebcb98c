"""What is loaded when: each start loads only what it needs, because people wait for it."""

from __future__ import annotations

from tests.store.child_process import run_python


def test_the_core_and_the_command_load_no_database() -> None:
    run_python(
        "import sys, curation.core, curation.cli; curation.cli.build_parser(); "
        "assert not {'sqlalchemy', 'streamlit'} & set(sys.modules)"
    )


def test_opening_a_store_loads_no_streamlit() -> None:
    run_python("import sys, curation; curation.open_store; assert 'streamlit' not in sys.modules")


def test_an_unknown_name_is_an_attribute_error() -> None:
    run_python(
        "import curation\ntry: curation.nothing\nexcept AttributeError as e: "
        "assert 'nothing' in str(e)\nelse: raise SystemExit(1)"
    )


def test_the_first_page_starts_without_slow_libraries() -> None:
    run_python(
        "import sys, app; from pathlib import Path\n"
        "imports = [line for line in Path('overview.py').read_text().splitlines()"
        " if line.startswith(('from ', 'import '))]\n"
        "exec('\\n'.join(imports))\n"
        "slow = {'scipy.stats', 'scipy.optimize', 'sklearn', 'botocore'} & set(sys.modules)\n"
        "assert not slow, slow"
    )
