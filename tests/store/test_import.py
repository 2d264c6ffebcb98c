"""What is loaded when: the mathematics alone must not pull in a database."""

from __future__ import annotations

from tests.store.helpers import run_python


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
