"""Compares the token table with the model that it was distilled from, on the texts of patterns/samples.yaml.

    python training/report.py --model MODEL --table src/model/embedding/table.bin --samples patterns/samples.yaml

Prints the size of the table and, over all pairs of texts, the rank correlation (Spearman) of both similarities. Texts are read
as they are, so that only the embeddings differ.
"""

import argparse
import pathlib
import struct

import numpy
import yaml

from distil import EMPTY, MAGIC
from minilm import MiniLM

HEAD = struct.calcsize("<8s5I64s") + 32


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--table", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path, required=True)
    options = parser.parse_args()
    samples = yaml.safe_load(options.samples.read_text(encoding="utf-8"))["samples"]
    texts = [sample[key] for sample in samples for key in ("text", "near_miss")]
    kinds = [sample["kind"] for sample in samples for _ in range(2)]
    model = MiniLM(options.model)
    rows, dimensions = read(options.table)
    exact, small = model.embed(texts), numpy.array([embed(model, rows, dimensions, text) for text in texts])
    print(f"{options.table}: {len(rows)} tokens, {dimensions} dimensions, {options.table.stat().st_size} bytes")
    for name, chosen in [("all texts", range(len(texts))), *[(kind, [at for at, own in enumerate(kinds) if own == kind]) for kind in sorted(set(kinds))]]:
        left, right = numpy.triu_indices(len(list(chosen)), 1)
        chosen = numpy.array(list(chosen))
        pairs = [(vectors[chosen[left]] * vectors[chosen[right]]).sum(axis=1) for vectors in (exact, small)]
        print(f"{name}: {len(left)} pairs, Spearman {spearman(*pairs):.3f}")


def read(path):
    """The rows of the table by their tokens."""
    data = path.read_bytes()
    magic, _, count, dimensions, slots, _, _ = struct.unpack_from("<8s5I64s", data)
    assert magic == MAGIC and count < EMPTY
    at = HEAD
    starts = numpy.frombuffer(data, "<u4", count + 1, at)
    at += starts.nbytes + slots * 2
    scales = numpy.frombuffer(data, "<f4", count, at)
    at += scales.nbytes
    numbers = numpy.frombuffer(data, numpy.int8, count * dimensions, at).reshape(count, dimensions)
    texts = data[at + numbers.nbytes :]
    words = [texts[start:end].decode("utf-8") for start, end in zip(starts, starts[1:])]
    return dict(zip(words, numbers * scales[:, None])), dimensions


def embed(model, rows, dimensions, text):
    tokens = model.tokenizer.encode(text, add_special_tokens=False).tokens
    total = sum((rows[token] for token in tokens if token in rows), numpy.zeros(dimensions))
    return total / max(numpy.linalg.norm(total), 1e-9)


def spearman(left, right):
    return numpy.corrcoef(*(numpy.argsort(numpy.argsort(values)) for values in (left, right)))[0, 1]


if __name__ == "__main__":
    main()
