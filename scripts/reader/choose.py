#!/usr/bin/env python3
"""Fits the weights of the choice between the tagger's and the grammar's reading: query/prompt/reader/choice.tsv.

  python3 choose.py [--exact 1500] [--weight 0.7]

Run it in the root of the repository. It reads the dev part of the marked prompts, which the tagger was not trained on,
and some generated prompts, which the grammar reads right. Of each it asks both readings, and fits a logistic
regression to the prompts for which one reading is right and the other is not. Needs numpy and Go.
"""
import argparse, gzip, json, random, re, subprocess, tempfile
from pathlib import Path

import numpy as np

from marks import is_dev

HEADER = """# The choice between the readings of the tagger and the grammar: features and weights. The tagger's is taken if the
# weighted sum is positive. Fitted by scripts/reader/choose.py.
"""


def prompts(exact: int):
    """Marked lines of the dev part, then generated prompts."""
    for file in sorted(Path('query/prompt/reader/data').glob('*.txt')):
        for line in file.read_text(encoding='utf-8').splitlines():
            if line.strip() and not line.startswith('#') and is_dev(plain(line.strip())):
                yield {'marked': line.strip()}
    with gzip.open('scripts/eval-prompts/data/fit.ndjson.gz', 'rt', encoding='utf-8') as f:
        rows = [json.loads(line) for line in f]
    random.Random(2).shuffle(rows)
    for row in rows[:exact]:
        yield {'prompt': row['prompt']}


def plain(marked: str) -> str:
    """A marked prompt without its marks."""
    return re.sub(r'\{[A-Za-z][.a-z0-9_?]* ([^{}]*)\}', r'\1', marked)


def readings(exact: int) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        asked, out = Path(folder, 'asked.jsonl'), Path(folder, 'choices.jsonl')
        asked.write_text(''.join(json.dumps(p) + '\n' for p in prompts(exact)), encoding='utf-8')
        subprocess.check_call(['go', 'run', './scripts/plan-prompts', '--choices', '--in', asked, '--out', out])
        return [json.loads(line) for line in out.read_text(encoding='utf-8').splitlines()]


def fit(rows: list[dict], names: list[str], weight: float) -> np.ndarray:
    rows = [r for r in rows if r['features'] and r['grammar_right'] != r['tagger_right']]
    x = np.array([[r['features'][n] for n in names] for r in rows])
    y = np.array([float(r['tagger_right']) for r in rows])
    w = np.array([1.0 if r['marked'] else weight for r in rows])
    mean, spread = x.mean(0), x.std(0) + 1e-9
    bias = names.index('bias')
    mean[bias], spread[bias] = 0, 1
    z, b = (x - mean) / spread, np.zeros(len(names))
    for _ in range(3000):
        p = 1 / (1 + np.exp(-z @ b))
        b -= .3 * (z.T @ (w * (p - y)) / w.sum() + .01 * np.where(np.arange(len(b)) == bias, 0, b))
    out = b / spread
    out[bias] = b[bias] - (b * mean / spread).sum()
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--exact', type=int, default=1500)
    parser.add_argument('--weight', type=float, default=0.7)
    args = parser.parse_args()
    rows = readings(args.exact)
    names = sorted({n for r in rows for n in r['features'] or ()})
    weights = fit(rows, names, args.weight)
    for marked in (True, False):
        part = [r for r in rows if r['marked'] == marked]
        share = [sum(r[k] for r in part) / len(part) for k in ('grammar_right', 'tagger_right')]
        chosen = sum(r['tagger_right' if r['tagger'] else 'grammar_right'] for r in part) / len(part)
        print(f'{"marked" if marked else "generated"}: {len(part)}, grammar {share[0]:.3f}, tagger {share[1]:.3f}, '
              f'chosen with the weights so far {chosen:.3f}')
    text = ''.join(f'{n}\t{w:.3f}\n' for n, w in zip(names, weights))
    Path('query/prompt/reader/choice.tsv').write_text(HEADER + text, encoding='utf-8')


if __name__ == '__main__':
    main()
