#!/usr/bin/env python3
"""Trains the tagger of query/prompt/reader/tagger from marked prompts. See README.md."""

import argparse
import math
import os
import pathlib
import random
import sys
import time

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch: threads that wait leave the processor to others

import torch

import augment
import export
import gold
import known
import marks
import model
import pieces
import score

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("weights", type=pathlib.Path, help="the folder with model.safetensors and tokenizer.json of MiniLM")
    p.add_argument("--gold", type=pathlib.Path, nargs="*", default=[], help="further sets with gold")
    p.add_argument("--marked", type=pathlib.Path, nargs="*", default=[], help="further folders of marked prompts")
    p.add_argument("--untouched", nargs="*", default=["*-[2-9].jsonl", "look-alikes-1.jsonl"],
                   help="sets that the choice and the confidence are fitted to: the tagger is not trained on them")
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--layers", type=int, nargs="*", default=[0, 1, 2, 3], help="the layers of MiniLM to start from")
    p.add_argument("--rank", type=int, default=128, help="numbers of a word piece")
    p.add_argument("--hidden", type=int, default=192)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--rate", type=float, default=3e-4)
    p.add_argument("--table-rate", type=float, default=0, help="0 leaves the word pieces as MiniLM has them")
    p.add_argument("--head-rate", type=float, default=1e-3)
    p.add_argument("--swaps", type=float, default=0.35)
    p.add_argument("--varied", type=float, default=0.6, help="the share of examples that are varied each time")
    p.add_argument("--attributes", type=float, default=0.8, help="the weight of attributes in the loss")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--go-on", type=pathlib.Path, help="start from a model.bin: fewer epochs for some new prompts")
    p.add_argument("--out", type=pathlib.Path, default=ROOT / "query/prompt/reader/tagger")
    return p.parse_args()


def batches(dice: random.Random, lengths: list[int], size: int) -> list[list[int]]:
    """Returns batches in a random order; prompts of like length go together, for filling up takes as long as words."""
    order = list(range(len(lengths)))
    dice.shuffle(order)
    pools = [sorted(order[i : i + size * 32], key=lambda j: lengths[j]) for i in range(0, len(order), size * 32)]
    out = [pool[i : i + size] for pool in pools for i in range(0, len(pool), size)]
    dice.shuffle(out)
    return out


def judge(tagger: model.Tagger, encoder: pieces.Encoder, examples: list[marks.Example]) -> score.Score:
    tagger.eval()
    out = score.Score()
    for i in range(0, len(examples), 16):
        some = examples[i : i + 16]
        for e, (spans, log_p) in zip(some, tagger.read(encoder.encode([e.words for e in some]))):
            out.add(e, spans, log_p)
    return out


def optimizer(tagger: model.Tagger, a: argparse.Namespace) -> torch.optim.AdamW:
    tagger.table.weight.requires_grad = a.table_rate > 0
    table = [tagger.table.weight] if a.table_rate else []
    encoder = [p for n, p in tagger.named_parameters() if n.startswith(("layers", "norm", "position", "widen"))]
    known = {id(p) for p in [tagger.table.weight] + encoder}
    rest = [p for p in tagger.parameters() if id(p) not in known]
    groups = [(encoder, a.rate), (table, a.table_rate), (rest, a.head_rate)]
    return torch.optim.AdamW([{"params": p, "lr": r} for p, r in groups if p], weight_decay=0.01, fused=True)


def train(tagger: model.Tagger, encoder: pieces.Encoder, examples: list[marks.Example], dev: dict,
          a: argparse.Namespace) -> None:
    dice, start = random.Random(a.seed), time.time()
    variants = augment.Variants(augment.Names(ROOT), a.swaps)
    opt = optimizer(tagger, a)
    rates = [g["lr"] for g in opt.param_groups]
    steps, step = a.epochs * math.ceil(len(examples) / a.batch), 0
    for epoch in range(a.epochs):
        tagger.train()
        total = 0.0
        varied = [variants.vary(dice, e) if dice.random() < a.varied else e for e in examples]
        inputs = encoder.encode([e.words for e in varied])
        for numbers in batches(dice, [sum(map(len, i.pieces)) for i in inputs], a.batch):
            pace = min(1.0, (step + 1) / (0.06 * steps)) * max(0.0, 1 - step / steps)
            for group, rate in zip(opt.param_groups, rates):
                group["lr"] = rate * pace
            value = model.loss(tagger, [inputs[i] for i in numbers], [varied[i] for i in numbers], a.attributes)
            opt.zero_grad()
            value.backward()
            torch.nn.utils.clip_grad_norm_(tagger.parameters(), 5.0)
            opt.step()
            step += 1
            total += float(value.detach()) * len(numbers)
        line = f"epoch {epoch + 1}: loss {total / len(examples):.3f}, {time.time() - start:.0f} s"
        if epoch % 4 == 3 or epoch == a.epochs - 1:
            line += "".join(f"; {name}: {judge(tagger, encoder, d).line()}" for name, d in dev.items())
        print(line, flush=True)


def compared(dev: list[marks.Example]) -> list[marks.Example]:
    """Returns the prompts on which the Go program is compared: some of the dev part, a long one, and odd signs."""
    clear = [e for e in dev if not any(s.open for s in e.spans)]
    every = max(1, len(clear) // 48)
    odd = ["ｆｕｌｌ　width 日本語 ☃ naïve Ünïcödé e\u0301lan {x}\\", "x" * 120 + " " + "DevOps C++ 24/7 O'Neill's " * 60]
    return clear[::every][:48] + [marks.Example([t[a:b] for a, b in marks.words_of(t)], [], "odd", t) for t in odd]


def main() -> None:
    a = arguments()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    tables = known.Known(ROOT)
    encoder = pieces.Encoder(pieces.Vocabulary(a.weights / "tokenizer.json"), tables)
    marked = [e for folder in [ROOT / "query/prompt/reader/data", *a.marked] for e in marks.load(folder)]
    sets = [s for s in sorted((ROOT / "scripts/plan-prompts/sets").glob("*.jsonl"))
            if not any(s.match(pattern) for pattern in a.untouched)]
    converted, left_out = gold.load(sets + a.gold)
    examples = [e for e in marked + converted if not marks.is_dev(e.text)]
    dev = {name: [e for e in some if marks.is_dev(e.text)] for name, some in (("marked", marked), ("sets", converted))}
    print(f"{len(marked)} marked prompts, {len(converted)} of sets ({left_out} cannot be marked), "
          f"{len(examples)} to train on", flush=True)
    tagger = model.Tagger(len(a.layers), a.rank, a.hidden, tables.count)
    if a.go_on:
        export.read(tagger, a.go_on)
        for name, some in dev.items():
            print(f"before, {name}: {judge(tagger, encoder, some).line()}", flush=True)
    else:
        tagger.start_from(a.weights / "model.safetensors", a.layers)
    train(tagger, encoder, examples, dev, a)
    export.round_weights(tagger)
    for name, some in dev.items():
        print(f"with bytes for weights, {name}: {judge(tagger, encoder, some).line()}")
    print(judge(tagger, encoder, dev["marked"]).details())
    (a.out / "data").mkdir(parents=True, exist_ok=True)
    (a.out / "testdata").mkdir(exist_ok=True)
    export.write(tagger, a.out / "data/model.bin")
    export.golden(tagger, encoder, compared(dev["marked"]), a.out / "testdata/golden.jsonl")


if __name__ == "__main__":
    sys.exit(main())
