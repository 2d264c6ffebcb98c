"""The tree shows the architecture: imports go one way, without cycles, and every name is unique.

Imports are read from the source, so those inside functions and under TYPE_CHECKING count too.
The lists named KNOWN_ hold what does not keep a rule yet; an entry that is no longer needed fails
the test, so they can only become shorter.
"""

import ast
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

import curation

SOURCE = Path(curation.__file__).parent

# A module may import from its own layer and from those earlier in this list, never from later ones.
LAYERS = (
    (
        "errors",
        "report",
        "progress",
        "wording",
        "class_names",
        "fingerprint",
        "paths",
        "whole_files",
        "diagnosis_codes",
        "roles",
        "store_address",
        "saved_results",
        "header_parsing",
        "file_lock",
    ),
    ("core",),
    ("dataset",),
    ("storage",),
    ("loading",),
    ("analysis",),
    ("modelling",),
    ("neighbours",),
    ("quality",),
    ("store",),
    ("review",),
    ("exports",),
    ("session",),
    ("charts",),
    ("ui",),
    ("cli",),
)
LAYER_OF = {name: layer for layer, names in enumerate(LAYERS) for name in names}
FACADE = LAYER_OF["session"]  # `import curation` offers what the layers up to the session do

# What a library is for, and the only packages that may import it.
HOMES = {
    "streamlit": {"ui"},
    "sqlalchemy": {"store"},
    "plotly": {"charts", "ui"},
    "dask": {"analysis"},
    "distributed": {"analysis"},
    "fsspec": {"storage"},
}
CHARTS_MAY_IMPORT = {"core", "analysis", "charts", "wording"}

KNOWN_UPWARD: set[tuple[str, str]] = set()
KNOWN_IN_CYCLES: set[str] = set()
KNOWN_SHARED_NAMES: set[str] = set()
KNOWN_LIBRARIES: set[tuple[str, str]] = {("curation.cli.open", "streamlit")}


def name_module(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_module(path): path for path in sorted(SOURCE.rglob("*.py"))}


def read_imports(module: str) -> set[str]:
    """Return every module that a module imports, wherever in its source; our own by full name."""
    path = MODULES[module]
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:  # relative
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, *([base] if base else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                found.add(inner if inner in MODULES else base)
    return found - {module}


IMPORTS = {module: read_imports(module) for module in MODULES}
EDGES = [(module, other) for module, others in IMPORTS.items() for other in sorted(others)]
OURS = [(module, other) for module, other in EDGES if other.partition(".")[0] == "curation"]


def part_of(module: str) -> str:
    """Return the package or module at the top level that a module belongs to."""
    return (module.split(".") + [""])[1]


def layer_of(module: str) -> int:
    return LAYER_OF[part_of(module)] if part_of(module) else FACADE


def find_cycles() -> set[frozenset[str]]:
    """Return the groups of modules that import one another (Tarjan's algorithm).

    Imports that are known to go upward are left out: each is already on a list.
    """
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    cycles = set()

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        path.append(module)
        for other in IMPORTS[module] & set(MODULES):
            if (module, other) in KNOWN_UPWARD:
                continue
            if other not in order:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in path:
                lowest[module] = min(lowest[module], order[other])
        if lowest[module] == order[module]:
            start = path.index(module)
            group = frozenset(path[start:])
            del path[start:]
            if len(group) > 1:
                cycles.add(group)

    for module in MODULES:
        if module not in order:
            visit(module)
    return cycles


def describe(group: frozenset[str]) -> list[str]:
    return sorted(f"{a} -> {b}" for a, b in OURS if a in group and b in group)


def test_imports_are_read_wherever_they_are():
    assert ("curation", "curation.loading") in EDGES  # under TYPE_CHECKING
    assert any(other == "numpy" for _, other in EDGES)
    assert {other for _, other in OURS} <= set(MODULES)


def test_every_module_belongs_to_a_layer():
    assert {part_of(module) for module in MODULES} - {""} == set(LAYER_OF)


def test_imports_never_go_upward():
    upward = {(a, b) for a, b in OURS if layer_of(a) < layer_of(b)}
    assert sorted(upward - KNOWN_UPWARD) == []
    assert sorted(KNOWN_UPWARD - upward) == [], "fixed: take it off the list"


def test_imports_form_no_cycle():
    cycles = find_cycles()
    assert [describe(group) for group in cycles if not group <= KNOWN_IN_CYCLES] == []
    fixed = KNOWN_IN_CYCLES.difference(*cycles)
    assert sorted(fixed) == [], "fixed: take it off the list"


def test_no_two_modules_have_the_same_name():
    names = [path.stem for path in MODULES.values() if path.stem != "__init__"]
    shared = {name for name, times in Counter(names).items() if times > 1}
    assert sorted(shared - KNOWN_SHARED_NAMES) == []
    assert sorted(KNOWN_SHARED_NAMES - shared) == [], "fixed: take it off the list"


def test_core_imports_only_numpy_and_the_errors():
    used = {other for module, other in EDGES if part_of(module) == "core"}
    ours = {other for other in used if other.startswith("curation")}
    assert {part_of(each) for each in ours} <= {"core", "errors"}
    libraries = {other.partition(".")[0] for other in used - ours}
    assert libraries - set(sys.stdlib_module_names) == {"numpy"}


def test_errors_import_only_the_report():
    assert {b for a, b in OURS if a == "curation.errors"} <= {"curation.report"}
    assert {b for a, b in OURS if a == "curation.report"} == {"curation.diagnosis_codes"}
    assert {b for a, b in OURS if a == "curation.diagnosis_codes"} == set()


@pytest.mark.parametrize("library", HOMES)
def test_library_is_imported_only_where_it_belongs(library):
    used = {(a, library) for a, b in EDGES if b.partition(".")[0] == library}
    strays = {(a, b) for a, b in used if part_of(a) not in HOMES[library]}
    known = {(a, b) for a, b in KNOWN_LIBRARIES if b == library}
    assert sorted(strays - known) == []
    assert sorted(known - strays) == [], "fixed: take it off the list"


def test_charts_take_finished_arrays():
    strays = {
        (a, b) for a, b in OURS if part_of(a) == "charts" and part_of(b) not in CHARTS_MAY_IMPORT
    }
    assert sorted(strays) == []


PAGES = [SOURCE.parent / "overview.py", *sorted((SOURCE.parent / "pages").glob("*.py"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_page_is_a_table_of_contents_that_checks_last_whether_something_is_missing(page):
    lines = page.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 30
    if page.stem != "3_Review":  # the review page waits for nothing
        assert lines[-1] == "rerun_if_waiting()"


def test_files_that_the_recipes_name_exist():
    text = (SOURCE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = "curation|tests|docs|pages|devtools|benchmarks|demo_data"
    named = set(re.findall(rf"[` ]((?:{folders})/[\w./]+)[` ]", text))
    real = {path for path in named if "your" not in path.lower()}
    assert len(real) > 20
    assert [path for path in sorted(real) if not (SOURCE.parent / path).exists()] == []
    alone = set(re.findall(r"`(\w+\.py)`", text)) - {"yourformat.py"}
    assert alone and alone <= {path.name for path in MODULES.values()}


def test_names_that_the_recipes_look_up_are_in_these_files():
    text = (SOURCE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    pairs = re.findall(r"`([\w.]+)(?:\([^`]*\))?`[^`.|]*?(?:\sin\s+|\()`([\w/]+\.py)`", text)
    homes = {path.name: path for path in MODULES.values()}
    real = {(name.split(".")[-1], homes.get(file, SOURCE.parent / file)) for name, file in pairs}
    assert len(real) > 10
    sources = {file: file.read_text(encoding="utf-8").lower() for _, file in real}
    assert [(n, f.name) for n, f in sorted(real) if n.lower() not in sources[f]] == []


def test_the_steps_of_load_are_documented_in_order_with_their_modules():
    text = (SOURCE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\| `(\w+)` .* \| `([\w/]+\.py)` \|$", text, re.MULTILINE)
    tree = ast.parse((SOURCE / "loading" / "assembly.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = ("plan_dataset", "assemble", "_describe_examples")
    path = [each for each in functions if each.name in names]
    calls = [node for each in path for node in ast.walk(each) if isinstance(node, ast.Call)]
    calls.sort(key=lambda node: (node.lineno, node.col_offset))
    called = [node.func.id for node in calls if isinstance(node.func, ast.Name)]
    imported = {
        name.name: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    homes = [(name, imported[name]) for name in called if name in imported]
    loading = [
        (name, module.removeprefix("curation.loading.").replace(".", "/") + ".py")
        for name, module in homes
        if module.startswith("curation.loading.") and name.islower()
    ]
    assert [step for step in loading if step in steps] == steps
    assert len(steps) > 5
