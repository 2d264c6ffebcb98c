"""scikit-learn's handwritten digits, labels as they are, the way Hugging Face stores images."""

import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from _model import predict_out_of_sample
from PIL import Image
from scipy.sparse import csr_array
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

SEED = 20210416
SHOWN = 48  # pixels: the originals have 8, too few to look at
CLASS_NAMES = [str(digit) for digit in range(10)]
FEATURES = {
    "id": {"dtype": "string", "_type": "Value"},
    "image": {"_type": "Image"},
    "label": {"dtype": "string", "_type": "Value"},
}


def build_digits(folder: Path) -> None:
    """Write one file of pictures with labels, another of probabilities in another order."""
    folder.mkdir(parents=True)
    digits = load_digits()
    ids = [f"digit-{number:04d}" for number in range(1, len(digits.target) + 1)]
    # Sparse pixels and saga: plain loops instead of BLAS, so that all machines agree.
    pixels = csr_array(digits.data / 16)
    model = LogisticRegression(C=5, solver="saga", max_iter=2000, tol=1e-3, random_state=SEED)
    pred_probs = predict_out_of_sample(model, pixels, digits.target, seed=SEED)
    _write_pictures(folder / "digits.parquet", ids, digits.images, digits.target)
    order = np.random.default_rng(SEED).permutation(len(ids))
    columns = {name: pred_probs[order, place] for place, name in enumerate(CLASS_NAMES)}
    table = pa.table({"id": [ids[row] for row in order], **columns})
    pq.write_table(table, folder / "pred_probs.parquet", compression="zstd")


def _write_pictures(path: Path, ids: list[str], images: np.ndarray, target: np.ndarray) -> None:
    pictures = [
        {"bytes": _png(pixels), "path": f"{name}.png"}
        for name, pixels in zip(ids, images, strict=True)
    ]
    image_type = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    labels = [CLASS_NAMES[digit] for digit in target]
    table = pa.table({"id": ids, "image": pa.array(pictures, image_type), "label": labels})
    note = json.dumps({"info": {"features": FEATURES}})
    pq.write_table(table.replace_schema_metadata({"huggingface": note}), path, compression="zstd")


def _png(pixels: np.ndarray) -> bytes:
    """Return the digit as a PNG: ink values 0 to 16 become greys, enlarged smoothly."""
    grey = Image.fromarray((pixels * 255 / 16).round().astype(np.uint8))
    file = io.BytesIO()
    grey.resize((SHOWN, SHOWN), Image.Resampling.BICUBIC).save(file, "PNG", optimize=True)
    return file.getvalue()
