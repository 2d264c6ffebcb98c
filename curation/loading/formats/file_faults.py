"""Files that cannot be read: empty, broken, or larger than the memory allowed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curation.loading.report_builder import list_few, stop
from curation.wording import format_bytes

POINTERS = (b"version https://git-lfs.github.com/", b"/annex/objects/", b"../.git/annex/")
POINTER_BYTES = 64
NO_LIMIT = 2**62  # for a file that has already been read within the limit


def check_size(path: Path, name: str, memory_limit: int) -> None:
    """Stop before reading a file that is empty or does not fit into memory."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise unreadable(name, error) from error
    if size == 0:
        raise no_bytes(name)
    if size > memory_limit:
        raise too_large(name, size, memory_limit)


def no_bytes(name: str) -> Exception:
    """Return the stop for an empty file."""
    return stop(
        code="table.empty",
        where=name,
        what="the file is empty (0 bytes).",
        fix="Save it again.",
        why="There is nothing to read.",
    )


def no_rows(name: str, columns: Sequence[str] = ()) -> Exception:
    """Return the stop for a table without rows; with a header, its columns are named."""
    header = f"there is a header ({list_few(columns)}) but no rows."
    return stop(
        code="table.no_rows",
        where=name,
        what=header if columns else "the table has no rows.",
        fix="Save the table with its rows.",
        why="There is nothing to check.",
    )


def too_large(name: str, size: int, memory_limit: int) -> Exception:
    """Return the stop for a file that needs more memory than allowed."""
    return stop(
        code="memory.limit",
        where=name,
        what=f"reading it needs about {format_bytes(size)} of memory; the limit is "
        f"{format_bytes(memory_limit)}.",
        fix="Raise memory_limit_gb if the machine has that much free memory. Probabilities saved "
        "as .npy stay on disk and have no limit.",
        why="A machine that runs out of memory stops responding.",
        override={"memory_limit_gb": -(-size // 2**30)},
    )


def refuse_pointer(head: bytes, name: str) -> None:
    """Stop if a file only says where its content is, as Git LFS and git-annex leave it."""
    if not head.startswith(POINTERS):
        return
    raise stop(
        code="file.pointer",
        where=name,
        what="it is a pointer to a file, left by Git LFS or git-annex, and not the file itself.",
        fix="Fetch the file: git lfs pull, or git annex get.",
        why="The numbers and labels are not in it.",
    )


def unreadable(name: str, error: Exception) -> Exception:
    """Return the stop for a file that the system or a parser cannot read."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return stop(
        code="file.unreadable",
        where=name,
        what=f"it cannot be read: {str(reason).splitlines()[0][:200]}.",
        fix="Check that the file is complete and that you may read it.",
        why="Findings from part of a file would be misleading.",
    )


def cut_short(name: str, size: int, kind: str) -> Exception:
    """Return the stop for a file whose end is missing."""
    return stop(
        code="file.cut",
        where=name,
        what=f"the file is cut off: its {size} bytes do not end as {kind} must.",
        fix="Copy or save it again.",
        why="Its table of contents is at the end, so nothing in it can be found.",
    )
