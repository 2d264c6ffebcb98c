"""Common formats that are not supported, and what to save them as instead.

In an advice, FILE stands for the file's name.
"""

from __future__ import annotations

_PACKED = (
    "Only .csv, .tsv and .jsonl are read when compressed, with gzip: unpack it, and open the "
    "folder that comes out."
)
_GZIP = (
    "Only .csv, .tsv and .jsonl are read when compressed, with gzip: unpack it into the folder, as "
    "gunzip does."
)
_SHEET = "Only .xlsx spreadsheets are read: save it as .xlsx, or the sheet as CSV UTF-8."
_PICKLE = (
    "Pickles are refused, because loading one runs the code in it. If you trust the file: "
    'data = pd.read_pickle("FILE"), then data.to_csv("labels.csv") for a table, or '
    'np.save("probs.npy", np.asarray(data)) for an array.'
)
_JOBLIB = (
    "Pickles are refused, because loading one runs the code in it. If you trust the file: "
    'data = joblib.load("FILE"), then np.save("probs.npy", np.asarray(data)). Of a model, save '
    "what cross_val_predict(model, X, y, method='predict_proba') returns, and list model.classes_ "
    "in classes.txt."
)
_TORCH = (
    "Pickles are refused, because loading one runs the code in it. If you trust the file: "
    'data = torch.load("FILE", map_location="cpu", weights_only=True), then '
    'np.save("probs.npy", data.float().numpy()).'
)
_SAFETENSORS = (
    "Safetensors are not read: from safetensors.numpy import load_file, then "
    'np.save("probs.npy", load_file("FILE")["probs"]), with the name of the tensor.'
)
_HDF5 = (
    'HDF5 is not read: data = h5py.File("FILE"), then np.save("labels.npy", data["labels"][:]) and '
    'np.save("probs.npy", data["probs"][:]), with the names in list(data). A table of pandas: '
    'pd.read_hdf("FILE").to_csv("labels.csv").'
)
_MATLAB = (
    'MATLAB\'s files are not read: data = scipy.io.loadmat("FILE"), then '
    'np.save("labels.npy", data["labels"].ravel()) and np.save("probs.npy", data["probs"]).'
)
_SPARSE = (
    'Sparse features are not read: save the labels alone, with np.save("labels.npy", '
    "load_svmlight_file(path)[1].astype(int)) of scikit-learn, or as CSV."
)
_RDS = (
    'R\'s own files are not read. In R: data <- readRDS("FILE"), then write.csv(data, '
    '"labels.csv", row.names = FALSE); of probabilities, with a column named after each class, to '
    "probs.csv."
)
_RDATA = (
    'R\'s own files are not read. In R: load("FILE"), then write.csv(data, "labels.csv", '
    "row.names = FALSE) of the table that it names."
)
_SPSS = (
    'SPSS\'s files are not read: pd.read_spss("FILE").to_csv("labels.csv", index=False) keeps '
    "the value labels; or save it as CSV in SPSS, with value labels."
)
_STATA = (
    'Stata\'s files are not read: pd.read_stata("FILE").to_csv("labels.csv", index=False), or '
    'export delimited using "labels.csv" in Stata.'
)
_SAS = (
    'SAS\'s files are not read: pd.read_sas("FILE", encoding="utf-8").to_csv("labels.csv", '
    "index=False)."
)
_SQLITE = (
    'Databases are not read: pd.read_sql("select * from labels", sqlite3.connect("FILE")).to_csv('
    '"labels.csv", index=False), with the name of your table.'
)
_DUCKDB = (
    'Databases are not read: duckdb.connect("FILE").sql("select * from labels").write_csv('
    '"labels.csv"), with the name of your table.'
)
PACKED_FOLDERS = (".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst")
ADVICE = {
    **dict.fromkeys((".gz", ".bz2", ".xz", ".zst"), _GZIP),
    **dict.fromkeys((".zip", ".tar", ".tgz", ".7z", ".rar"), _PACKED),
    **dict.fromkeys((".xls", ".xlsm", ".xlsb", ".ods", ".numbers"), _SHEET),
    **dict.fromkeys((".pkl", ".pickle"), _PICKLE),
    ".joblib": _JOBLIB,
    **dict.fromkeys((".pt", ".pth", ".ckpt"), _TORCH),
    ".safetensors": _SAFETENSORS,
    **dict.fromkeys((".h5", ".hdf5"), _HDF5),
    ".mat": _MATLAB,
    **dict.fromkeys((".svm", ".svmlight", ".libsvm"), _SPARSE),
    ".rds": _RDS,
    **dict.fromkeys((".rda", ".rdata"), _RDATA),
    ".vw": "Vowpal Wabbit's files are not read: save the labels as CSV or with np.save.",
    ".arff": "ARFF is not read: save it as CSV, as Weka's CSVSaver and pandas do.",
    ".xml": "XML is not read: export the labels as CSV or JSON, such as CVAT's COCO 1.0.",
    ".tab": "Orange's .tab is not read: save it as CSV, with the names of the columns in one line.",
    ".dvc": "It is a DVC pointer: fetch the file with dvc pull.",
    **dict.fromkeys((".avro", ".orc"), "Save the table as Parquet or CSV."),
    **dict.fromkeys((".sav", ".zsav", ".por"), _SPSS),
    ".dta": _STATA,
    ".sas7bdat": _SAS,
    **dict.fromkeys((".yaml", ".yml"), "YAML is not read: list the classes in classes.txt."),
    ".tfrecord": "TFRecord is not read: write labels as CSV and images as files.",
    **dict.fromkeys((".db", ".sqlite", ".sqlite3"), _SQLITE),
    **dict.fromkeys((".duckdb", ".ddb"), _DUCKDB),
}
