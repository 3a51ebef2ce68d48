"""The tagger: layers of MiniLM over word pieces, a CRF over the tags of words, and a linear head for each attribute."""

import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

import marks
import pieces
import schema

# Without processor support, bfloat16 takes a hundred times as long.
HAS_BFLOAT16 = torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()
WIDTH, HEADS, INNER = 384, 12, 1536
NEVER = -1e4
EPSILON = 1e-12
OUTPUTS = len(schema.TAGS) + sum(len(values) for values, _ in schema.HEADS.values())


def slices() -> dict[str, slice]:
    """Returns where the values of each head stand among the outputs, after the tags."""
    out, at = {}, len(schema.TAGS)
    for head, (values, _) in schema.HEADS.items():
        out[head] = slice(at, at + len(values))
        at += len(values)
    return out


class Layer(nn.Module):
    """One layer of the encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        b, t, _ = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        dropout = 0.1 if self.training else 0.0
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout)
        x = self.norm1(x + self.drop(self.out(mixed.transpose(1, 2).reshape(b, t, WIDTH))))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x), approximate="tanh"))))


class Tagger(nn.Module):
    """Scores of tags and attributes for each word of prompts."""

    def __init__(self, layers: int, rank: int, hidden: int, features: int) -> None:
        super().__init__()
        self.table, self.widen = nn.Embedding(30522, rank), nn.Linear(rank, WIDTH, bias=False)
        self.position = nn.Embedding(pieces.MAX_PIECES + 2, WIDTH)
        self.shape = nn.Embedding(len(pieces.SHAPES) + 1, WIDTH)
        self.known = nn.Embedding(features, WIDTH)
        nn.init.zeros_(self.shape.weight)
        nn.init.zeros_(self.known.weight)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.hidden, self.scores = nn.Linear(WIDTH, hidden), nn.Linear(hidden, OUTPUTS)
        self.follow = nn.Parameter(torch.zeros(len(schema.TAGS), len(schema.TAGS)))
        self.first = nn.Parameter(torch.zeros(len(schema.TAGS)))
        self.drop, self.light = nn.Dropout(0.2), nn.Dropout(0.1)
        never, never_first = forbidden()
        self.register_buffer("never", never)
        self.register_buffer("never_first", never_first)

    def start_from(self, file: pathlib.Path, layers: list[int]) -> None:
        """Takes the weights of MiniLM: the main directions of its embeddings, and some of its layers."""
        w = {k.removeprefix("bert."): v for k, v in load_file(file).items()}
        e = w["embeddings.word_embeddings.weight"]
        mean = e.mean(0)
        _, s, v = torch.linalg.svd(e - mean, full_matrices=False)
        main = v[: self.table.embedding_dim]
        scale = s[: len(main)] / len(e) ** 0.5
        copy(self.table.weight, (e - mean) @ main.T / scale)
        copy(self.widen.weight, main.T * scale)
        fixed = w["embeddings.token_type_embeddings.weight"][0] + mean
        copy(self.position.weight, w["embeddings.position_embeddings.weight"][: len(self.position.weight)] + fixed)
        copy_norm(self.norm, w, "embeddings.LayerNorm")
        for layer, number in zip(self.layers, layers):
            at = f"encoder.layer.{number}."
            for part in ("weight", "bias"):
                qkv = [w[f"{at}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
                copy(getattr(layer.qkv, part), torch.cat(qkv))
                copy(getattr(layer.out, part), w[f"{at}attention.output.dense.{part}"])
                copy(getattr(layer.up, part), w[f"{at}intermediate.dense.{part}"])
                copy(getattr(layer.down, part), w[f"{at}output.dense.{part}"])
            copy_norm(layer.norm1, w, at + "attention.output.LayerNorm")
            copy_norm(layer.norm2, w, at + "output.LayerNorm")

    def forward(self, batch: list[pieces.Input]) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the scores of the words of prompts, and the number of words."""
        count = torch.tensor([len(p.pieces) for p in batch])
        size = max(sum(map(len, p.pieces)) for p in batch) + 2
        ids = torch.zeros(len(batch), size, dtype=torch.long)
        shapes = torch.full_like(ids, len(pieces.SHAPES))
        mask = torch.zeros(len(batch), size, dtype=torch.bool)
        mean = torch.zeros(len(batch), int(count.max()), size)
        known = torch.zeros(len(batch), size, self.known.num_embeddings)
        for b, p in enumerate(batch):
            flat = [pieces.BEGIN] + [i for w in p.pieces for i in w] + [pieces.END]
            ids[b, : len(flat)] = torch.tensor(flat)
            mask[b, : len(flat)] = True
            at = 1
            for i, (word, shape, features) in enumerate(zip(p.pieces, p.shapes, p.features)):
                shapes[b, at : at + len(word)] = shape
                mean[b, i, at : at + len(word)] = 1 / len(word)
                known[b, at : at + len(word), features] = 1
                at += len(word)
        x = self.widen(self.table(ids)) + self.position(torch.arange(size)) + self.shape(shapes)
        x = x + self.forget(known) @ self.known.weight
        x = self.light(self.norm(x))
        with torch.autocast("cpu", torch.bfloat16, enabled=self.training and HAS_BFLOAT16):
            for layer in self.layers:
                x = layer(x, mask[:, None, None, :])
        x = mean @ x.float()
        return self.scores(self.light(F.gelu(self.hidden(self.drop(x)), approximate="tanh"))), count

    def forget(self, known: torch.Tensor) -> torch.Tensor:
        """Leaves out some of what tables know while training: all of some prompts, and of some words."""
        if not self.training:
            return known
        return known * (torch.rand(len(known), 1, 1) > 0.1) * (torch.rand(*known.shape[:2], 1) > 0.1)

    def partition(self, tags: torch.Tensor, count: torch.Tensor) -> torch.Tensor:
        """Returns the log of the sum over all sequences of tags."""
        follow = self.follow + self.never
        a = tags[:, 0] + self.first + self.never_first
        for i in range(1, tags.shape[1]):
            b = torch.logsumexp(a[:, :, None] + follow, 1) + tags[:, i]
            a = torch.where((i < count)[:, None], b, a)
        return torch.logsumexp(a, 1)

    @torch.no_grad()
    def decode(self, tags: torch.Tensor) -> tuple[list[int], float]:
        """Returns the best tags of one prompt and their score."""
        follow = self.follow + self.never
        a, back = tags[0] + self.first + self.never_first, []
        for row in tags[1:]:
            best, where = (a[:, None] + follow).max(0)
            a = best + row
            back.append(where)
        score, last = a.max(0)
        out = [int(last)]
        for where in reversed(back):
            out.append(int(where[out[-1]]))
        return out[::-1], float(score)

    @torch.no_grad()
    def read(self, batch: list[pieces.Input]) -> list[tuple[list[marks.Span], float]]:
        """Returns the spans of prompts with their log-probability."""
        scores, count = self(batch)
        tags = scores[:, :, : len(schema.TAGS)]
        whole = self.partition(tags, count)
        out = []
        for b, size in enumerate(count.tolist()):
            path, score = self.decode(tags[b, :size])
            p = score - float(whole[b])
            spans = spans_of(path)
            for n, s in enumerate(spans):
                for head in schema.heads_of(s.kind):
                    lp = F.log_softmax(scores[b, s.start : s.end, slices()[head]].mean(0), -1)
                    best = 0 if head == "join" and n == 0 else int(lp.argmax())  # the first mark joins none
                    s.values[head] = schema.HEADS[head][0][best]
                    p += float(lp[best])
            out.append((spans, p))
        return out


def copy(to: torch.Tensor, source: torch.Tensor) -> None:
    with torch.no_grad():
        to.copy_(source)


def copy_norm(norm: nn.LayerNorm, w: dict, name: str) -> None:
    copy(norm.weight, w[name + ".weight"])
    copy(norm.bias, w[name + ".bias"])


def forbidden() -> tuple[torch.Tensor, torch.Tensor]:
    """Returns large negative scores for tags that cannot follow one another, and for those that cannot be first."""
    size = len(schema.TAGS)
    follow, first = torch.zeros(size, size), torch.zeros(size)
    for j, tag in enumerate(schema.TAGS):
        if tag[0] == "I":
            first[j] = NEVER
            for i, before in enumerate(schema.TAGS):
                if before[1:] != tag[1:]:
                    follow[i, j] = NEVER
    return follow, first


def spans_of(tags: list[int]) -> list[marks.Span]:
    out: list[marks.Span] = []
    for i, number in enumerate(tags):
        tag = schema.TAGS[number]
        if tag[0] == "B":
            out.append(marks.Span(tag[1:], i, i + 1, {}))
        elif tag[0] == "I":
            out[-1].end = i + 1
    return out


def allowed_tags(e: marks.Example, size: int) -> torch.Tensor:
    """Says which tags each word may have: words that a reader may leave out also none, free words any."""
    out = torch.zeros(size, len(schema.TAGS), dtype=torch.bool)
    out[:, 0] = True
    for s in e.spans:
        for i in range(s.start, min(s.end, size)):
            out[i, 0] = s.open
            out[i, schema.TAG[("B" if i == s.start else "I") + s.kind]] = True
    for i in [*e.free, *range(len(e.words), size)]:
        if i < size:
            out[i] = True
    return out


def loss(tagger: Tagger, batch: list[pieces.Input], examples: list[marks.Example], weight: float) -> torch.Tensor:
    """Returns the mean negative log-probability of the examples; attributes count with a weight."""
    scores, count = tagger(batch)
    tags = scores[:, :, : len(schema.TAGS)]
    allowed = torch.stack([allowed_tags(e, tags.shape[1]) for e in examples])
    both = torch.cat([tags, tags.masked_fill(~allowed, NEVER)])  # one pass: a step for each word costs most
    whole, marked = tagger.partition(both, count.repeat(2)).chunk(2)
    total = (whole - marked).sum()
    spans = [(b, s) for b, e in enumerate(examples) for s in e.spans if s.end <= count[b]]
    mean = torch.zeros(len(spans), tags.shape[0] * tags.shape[1])
    for row, (b, s) in zip(mean, spans):
        at = b * tags.shape[1]
        row[at + s.start : at + s.end] = 1 / (s.end - s.start)
    of_spans = mean @ scores.flatten(0, 1)
    for head, where in slices().items():
        rows = [i for i, (_, s) in enumerate(spans) if head in s.values]
        values = [schema.HEADS[head][0].index(spans[i][1].values[head]) for i in rows]
        if rows:
            total = total + weight * F.cross_entropy(of_spans[rows, where], torch.tensor(values), reduction="sum")
    return total / len(examples)
