"""Build the three demo datasets again: python demo_data/build.py [--out FOLDER]

Everything is seeded: with the versions named in BUILT_WITH.json the files come out the same to
the byte.
"""

import argparse
import json
import platform
import shutil
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

from _digits import build_digits
from _objects import build_objects
from _reviews import build_reviews

BUILDERS = {"objects": build_objects, "digits": build_digits, "reviews": build_reviews}
PACKAGES = ("numpy", "pandas", "pillow", "pyarrow", "scikit-learn", "scipy")


def build(out: Path) -> None:
    """Write all three datasets into the folder, in place of what was there under their names."""
    folders = [out / name for name in BUILDERS]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    with ProcessPoolExecutor() as pool:
        for task in [pool.submit(*job) for job in zip(BUILDERS.values(), folders, strict=True)]:
            task.result()
    for folder in folders:
        print(f"{folder.name}: {_megabytes(folder):.1f} MB")
    (out / "BUILT_WITH.json").write_text(json.dumps(versions(), indent=2) + "\n", "utf-8")


def versions() -> dict[str, str]:
    """Return the versions that decide the bytes: Python's minor version and the packages'."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python} | {package: version(package) for package in PACKAGES}


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where to write")
    build(parser.parse_args().out)
