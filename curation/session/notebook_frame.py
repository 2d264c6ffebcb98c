"""The dashboard in a frame of the notebook that opened it.

The server lets only pages of one origin show it in a frame, so it has to know the notebook's. The
kernel knows which Jupyter server started it (JPY_PARENT_PID), and that server has written its port
to a file next to the kernel's own. A frame gets the cookie of the dashboard only if both are under
the same name and scheme, such as http://localhost:8888 and http://localhost:8501.
"""

from __future__ import annotations

import html
import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from curation.session.dashboard_process import LOCAL_NAMES

PARENT_VARIABLE = "JPY_PARENT_PID"  # Jupyter tells its kernels the process that started them
SERVER_FILES = ("jpserver-{}.json", "nbserver-{}.json")  # of Jupyter, and of its old notebook
NO_NOTEBOOK = (
    "The dashboard is not shown in a frame, because no Jupyter server of this machine was found "
    "that may show it. Open the link instead."
)
# A notebook that was opened under another name than localhost shows the frame under its own, so
# that the cookie counts as one of the same site.
SCRIPT = """(() => {
  const frame = document.getElementById("NAME"), here = window.location.hostname;
  const address = new URL(frame.dataset.address);
  if (LOCAL.includes(here)) address.hostname = here;
  frame.src = address.href;
})();"""


def find_notebook_origins() -> list[str]:
    """Return the origins of the Jupyter server that started this kernel, on this machine.

    Nothing is returned outside of Jupyter, and for a server with a certificate: its pages may not
    show one without.
    """
    server = _read_server()
    port = server.get("port")
    if not isinstance(port, int) or server.get("secure"):
        return []
    return [f"http://{name}:{port}" for name in LOCAL_NAMES]


def _read_server() -> dict[str, Any]:
    parent = os.environ.get(PARENT_VARIABLE, "")
    folder = _find_runtime_folder()
    if folder is None or not parent.isdigit():
        return {}
    for pattern in SERVER_FILES:
        try:
            found = json.loads((folder / pattern.format(parent)).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return found if isinstance(found, dict) else {}
    return {}


def _find_runtime_folder() -> Path | None:
    """Return the folder of the running kernel's connection file; None outside of a kernel."""
    try:
        return Path(import_module("ipykernel.connect").get_connection_file()).parent
    except (ImportError, RuntimeError):
        return None


def write_frame(url: str, height: int) -> str:
    """Return the frame as HTML; a script sets its address, for the name the notebook is under."""
    name = f"curation-{urlsplit(url).port}"
    address = html.escape(url, quote=True)
    script = SCRIPT.replace("NAME", name).replace("LOCAL", json.dumps(LOCAL_NAMES))
    return (
        f'<iframe id="{name}" data-address="{address}" title="Curation" width="100%" '
        f'height="{height}" style="border: 0"></iframe><script>{script}</script>'
    )


def show(session: Any) -> None:
    """Show a session below the cell that is running."""
    import_module("IPython.display").display(session)
