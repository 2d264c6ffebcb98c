"""Common formats that are not supported, and what to save them as instead."""

from __future__ import annotations

_PACKED = (
    "Only .csv, .tsv and .jsonl are read when compressed, with gzip: unpack it into the folder."
)
_SHEET = "Only .xlsx spreadsheets are read: save it as .xlsx, or the sheet as CSV UTF-8."
_PICKLE = (
    "Pickles are refused, because loading one runs the code in it: save the numbers with "
    'np.save("probs.npy", np.asarray(probs)), and a table that you trust with '
    'pd.read_pickle(path).to_csv("labels.csv").'
)
_TORCH = (
    "Pickles are refused, because loading one runs the code in it: save the numbers with "
    'np.save("probs.npy", torch.load(path, map_location="cpu").numpy()), if you trust the file.'
)
_ARRAYS = 'Save its arrays with np.save("labels.npy", labels) and np.save("probs.npy", probs).'
_SPARSE = (
    'Sparse features are not read: save the labels alone, with np.save("labels.npy", '
    "load_svmlight_file(path)[1].astype(int)) of scikit-learn, or as CSV."
)
_R = 'R\'s own files are not read: save the table with write.csv(data, "labels.csv").'
ADVICE = {
    **dict.fromkeys((".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz", ".7z", ".rar"), _PACKED),
    **dict.fromkeys((".xls", ".xlsm", ".xlsb", ".ods", ".numbers"), _SHEET),
    **dict.fromkeys((".pkl", ".pickle", ".joblib"), _PICKLE),
    **dict.fromkeys((".pt", ".pth", ".ckpt"), _TORCH),
    **dict.fromkeys((".h5", ".hdf5", ".mat", ".safetensors"), _ARRAYS),
    **dict.fromkeys((".svm", ".svmlight", ".libsvm"), _SPARSE),
    **dict.fromkeys((".rds", ".rda", ".rdata"), _R),
    ".vw": "Vowpal Wabbit's files are not read: save the labels as CSV or with np.save.",
    ".arff": "ARFF is not read: save it as CSV, as Weka's CSVSaver and pandas do.",
    ".xml": "XML is not read: export the labels as CSV or JSON, such as CVAT's COCO 1.0.",
    ".tab": "Orange's .tab is not read: save it as CSV, with the names of the columns in one line.",
    ".dvc": "It is a DVC pointer: fetch the file with dvc pull.",
    **dict.fromkeys((".avro", ".orc"), "Save the table as Parquet or CSV."),
    **dict.fromkeys((".sav", ".dta", ".sas7bdat"), "Save the table as CSV UTF-8."),
    **dict.fromkeys((".yaml", ".yml"), "YAML is not read: list the classes in classes.txt."),
    ".tfrecord": "TFRecord is not read: write labels as CSV and images as files.",
    **dict.fromkeys(
        (".db", ".sqlite", ".sqlite3"), "Databases are not read: export the table as CSV."
    ),
}
