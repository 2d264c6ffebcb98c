"""Common formats that are not supported, and what to save them as instead."""

from __future__ import annotations

_PACKED = (
    "Only .csv, .tsv and .jsonl are read when compressed, with gzip: unpack it into the folder."
)
_SHEET = "Only .xlsx spreadsheets are read: save it as .xlsx, or the sheet as CSV UTF-8."
_PICKLE = (
    "Pickles are refused, because loading one runs the code in it: save the numbers with "
    'np.save("probs.npy", np.asarray(probs)) and labels as CSV.'
)
_ARRAYS = 'Save its arrays with np.save("labels.npy", labels) and np.save("probs.npy", probs).'
ADVICE = {
    **dict.fromkeys((".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz", ".7z", ".rar"), _PACKED),
    **dict.fromkeys((".xls", ".xlsm", ".xlsb", ".ods", ".numbers"), _SHEET),
    **dict.fromkeys((".pkl", ".pickle", ".joblib", ".pt", ".pth", ".ckpt"), _PICKLE),
    **dict.fromkeys((".h5", ".hdf5", ".mat", ".safetensors"), _ARRAYS),
    ".tfrecord": "TFRecord is not read: write labels as CSV and images as files.",
    **dict.fromkeys(
        (".db", ".sqlite", ".sqlite3"), "Databases are not read: export the table as CSV."
    ),
}
