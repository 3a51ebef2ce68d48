"""Writes the model file that query/prompt/reader/tagger reads, and what the model says of some prompts.

The file: the length of a header (4 bytes, little endian), the header in JSON, then the tensors in the order of
[go_through]. Weights are signed bytes with a scale for each row; matrices are packed for the inner loop of Go.
"""

import json
import pathlib
import struct

import numpy as np
import torch

import marks
import model
import pieces
import schema

LANES = 16  # rows of a panel of a packed matrix


def quantise(rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns bytes and the scale of each row."""
    scale = rows.abs().amax(1).clamp(min=1e-12) / 127
    return (rows / scale[:, None]).round().to(torch.int8), scale


def round_weights(tagger: model.Tagger) -> None:
    """Replaces the weights with those that the bytes stand for, so that both programs compute with the same."""
    with torch.no_grad():
        for name, p in tagger.named_parameters():
            if p.dim() == 2 and name != "follow":
                rows, scale = quantise(p)
                p.copy_(rows.float() * scale[:, None])


class Writer:
    """Appends tensors to a file."""

    def __init__(self, file) -> None:
        self.file = file

    def floats(self, t: torch.Tensor) -> None:
        self.file.write(t.detach().numpy().astype("<f4").tobytes())

    def table(self, t: torch.Tensor) -> None:
        rows, scale = quantise(t.detach())
        self.floats(scale)
        self.file.write(rows.numpy().tobytes())

    def linear(self, linear: torch.nn.Linear) -> None:
        """Writes scales, biases, and panels of [LANES] rows in which the numbers of a column stand together."""
        rows, scale = quantise(linear.weight.detach())
        self.floats(scale)
        self.floats(torch.zeros(len(rows)) if linear.bias is None else linear.bias)
        padded = np.zeros((-(-len(rows) // LANES) * LANES, rows.shape[1]), np.int8)
        padded[: len(rows)] = rows.numpy()
        self.file.write(padded.reshape(-1, LANES, rows.shape[1]).transpose(0, 2, 1).tobytes())


class Reader:
    """Takes tensors from a file, in the order in which [Writer] appended them."""

    def __init__(self, file) -> None:
        self.file = file

    def numbers(self, kind: str, *shape: int) -> torch.Tensor:
        some = np.frombuffer(self.file.read(int(np.prod(shape)) * np.dtype(kind).itemsize), kind)
        return torch.from_numpy(some.reshape(shape).astype(np.float32))

    def floats(self, t: torch.Tensor) -> None:
        model.copy(t, self.numbers("<f4", *t.shape))

    def table(self, t: torch.Tensor) -> None:
        scale = self.numbers("<f4", len(t), 1)
        model.copy(t, self.numbers("i1", *t.shape) * scale)

    def linear(self, linear: torch.nn.Linear) -> None:
        rows, columns = linear.weight.shape
        scale, bias = self.numbers("<f4", rows, 1), self.numbers("<f4", rows)
        panels = self.numbers("i1", -(-rows // LANES), columns, LANES).permute(0, 2, 1)
        model.copy(linear.weight, panels.reshape(-1, columns)[:rows] * scale)
        if linear.bias is not None:
            model.copy(linear.bias, bias)


def go_through(tagger: model.Tagger, to: Writer | Reader) -> None:
    """Writes or reads all weights."""
    def norm(norm: torch.nn.LayerNorm) -> None:
        to.floats(norm.weight)
        to.floats(norm.bias)

    to.table(tagger.table.weight)
    to.linear(tagger.widen)
    to.table(tagger.position.weight)
    to.table(tagger.shape.weight)
    to.table(tagger.known.weight)
    norm(tagger.norm)
    for layer in tagger.layers:
        for linear in (layer.qkv, layer.out, layer.up, layer.down):
            to.linear(linear)
        norm(layer.norm1)
        norm(layer.norm2)
    to.linear(tagger.hidden)
    to.linear(tagger.scores)
    to.floats(tagger.follow)
    to.floats(tagger.first)


def header(tagger: model.Tagger) -> bytes:
    text = json.dumps({
        "rank": tagger.table.embedding_dim, "pieces": tagger.table.num_embeddings, "layers": len(tagger.layers),
        "hidden": tagger.hidden.out_features, "positions": tagger.position.num_embeddings,
        "shapes": tagger.shape.num_embeddings, "features": tagger.known.num_embeddings, "tags": schema.TAGS,
        "attributes": [{"name": n, "values": v, "kinds": k} for n, (v, k) in schema.HEADS.items()],
    }).encode()
    return struct.pack("<I", len(text)) + text


def write(tagger: model.Tagger, to: pathlib.Path) -> None:
    with open(to, "wb") as file:
        file.write(header(tagger))
        go_through(tagger, Writer(file))


def read(tagger: model.Tagger, model_file: pathlib.Path) -> None:
    """Takes the weights of a model file, which must have the shape of the tagger."""
    with open(model_file, "rb") as file:
        expected = header(tagger)
        if file.read(len(expected)) != expected:
            raise ValueError(f"{model_file} is a model of another shape: train a new one")
        go_through(tagger, Reader(file))


def nothing(tagger: model.Tagger, batch: list[pieces.Input]) -> list[float]:
    """Returns for each word of one prompt the probability that it has no tag: a gradient of the partition."""
    scores, count = tagger(batch)
    tags = scores[:, :, : len(schema.TAGS)].detach().requires_grad_()
    tagger.partition(tags, count).sum().backward()
    return tags.grad[0, :, 0].tolist()


def written(text: str, spans: list[marks.Span]) -> str:
    """Returns the marked prompt."""
    places, out, at = marks.words_of(text), "", 0
    for s in spans:
        start, end = places[s.start][0], places[s.end - 1][1]
        tag = ".".join([s.kind] + [v for v in s.values.values() if v])
        out += escaped(text[at:start]) + "{" + tag + " " + escaped(text[start:end]) + "}"
        at = end
    return out + escaped(text[at:])


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")


def golden(tagger: model.Tagger, encoder: pieces.Encoder, examples: list[marks.Example], to: pathlib.Path) -> None:
    """Writes what the model says of prompts, for the test of the Go program."""
    tagger.eval()
    with open(to, "w", encoding="utf-8") as file:
        for e in examples:
            batch = encoder.encode([e.words])
            [(spans, p)] = tagger.read(batch)
            gold = -float(model.loss(tagger, batch, [e], 1.0).detach())
            line = {
                "prompt": e.text, "marked": written(e.text, spans), "log_p": round(p, 4),
                "nothing": [round(x, 4) for x in nothing(tagger, batch)],
                "gold": written(e.text, e.spans), "gold_log_p": round(gold, 3),
            }
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
