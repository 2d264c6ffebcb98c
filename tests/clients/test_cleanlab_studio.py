"""cleanlab-studio applies corrections.csv and gets the cleaned labels."""

from __future__ import annotations

import pandas as pd

from tests.clients.conftest import run_client

APPLY = """
import json, sys
import pandas as pd
from cleanlab_studio.internal.api import api
from cleanlab_studio.studio.studio import Studio

api.get_project_of_cleanset = lambda *_: "project"
api.get_label_column_of_project = lambda *_: "label"
api.get_id_column = lambda *_: "id"
table = pd.read_csv(sys.argv[2]).rename(columns={"corrected_label": "clean_label"})
Studio.download_cleanlab_columns = lambda *_, **__: table[["id", "action", "clean_label"]]
studio = Studio.__new__(Studio)  # without an account
studio._api_key = ""
found = studio.apply_corrections("cleanset", pd.read_csv(sys.argv[1]))
print(json.dumps(found.set_index("id")["label"].to_dict()))
"""


def test_cleanlab_studio_applies_the_corrections(pets):
    pets.export()
    files = pets.root / "labels.csv", pets.out / "corrections.csv"
    found = run_client("cleanlab-studio", APPLY, *files)
    cleaned = pd.read_csv(pets.out / "cleaned_labels.csv").set_index("id")["label"]
    assert found == cleaned.to_dict()
