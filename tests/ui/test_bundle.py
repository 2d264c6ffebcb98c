"""The browser's modules, joined into the one script that Streamlit loads."""

from __future__ import annotations

import re

import pytest

from curation.ui.review.component.bundle import join_modules


def write(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder / "main.js"


def test_each_module_comes_once_and_after_those_it_imports(tmp_path):
    entry = write(
        tmp_path,
        main='import { b } from "./left.js";\nimport {\n  c,\n} from "./right.js";\n'
        "export default () => b + c;\n",
        left='import { a } from "./shared.js";\nexport const b = a + 1;\n',
        right='import { a } from "./shared.js";\nexport const c = a + 2;\n',
        shared="export const a = 1;\n",
    )
    assert join_modules(entry) == (
        "const a = 1;\n\nconst b = a + 1;\n\nconst c = a + 2;\n\nexport default () => b + c;\n"
    )


def test_modules_that_import_each_other_are_refused(tmp_path):
    entry = write(
        tmp_path,
        main='import { a } from "./other.js";\n',
        other='import { b } from "./main.js";\n',
    )
    with pytest.raises(ValueError, match=r"^main.js imports itself by way of other.js\.$"):
        join_modules(entry)


@pytest.mark.parametrize(
    "line",
    [
        'import a from "./shared.js";',
        'import * as a from "./shared.js";',
        'import { a as b } from "./shared.js";',
        'import { a } from "https://example.org/shared.js";',
        'export * from "./shared.js";',
    ],
)
def test_a_form_of_import_that_cannot_be_joined_is_refused(tmp_path, line):
    entry = write(tmp_path, main=f"{line}\n", shared="export const a = 1;\n")
    with pytest.raises(ValueError, match=re.escape(f"main.js: this line cannot be joined: {line}")):
        join_modules(entry)
