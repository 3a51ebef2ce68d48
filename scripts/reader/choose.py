#!/usr/bin/env python3
"""Fits the choice between the tagger's and the grammar's reading, and the confidence in it: choice.tsv and
confidence.tsv of query/prompt/reader.

  python3 choose.py [--exact 1500] [--weight 0.7] [--scorer DIR [--sets PATTERN] [--keep-choice]]

Run it in the root of the repository. It reads the dev part of the marked prompts, which the tagger was not trained on,
and some generated prompts, which the grammar reads right. Of each it asks both readings, and fits a logistic
regression to the prompts for which one reading is right and the other is not.

With --scorer, the directory of score_blind.py, it then fits the probability that the chosen reading is right to the
sets with gold and to the generated prompts, which count little. It prints how well weights from one half of the sets do
on the other half; the file gets those from both. --keep-choice fits only this. Needs numpy and Go.
"""
import argparse, gzip, hashlib, json, random, re, subprocess, sys, tempfile
from pathlib import Path

import numpy as np

from marks import is_dev

HEADER = """# The choice between the readings of the tagger and the grammar: features and weights. The tagger's is taken if the
# weighted sum is positive. Fitted by scripts/reader/choose.py.
"""
CONFIDENCE = """# How sure it is that the chosen reading is right: the weighted sum of the evidence is the logarithm of the odds. From
# the probabilities high and middle on, the confidence is so called. Fitted by scripts/reader/choose.py.
"""
HIGH, MIDDLE = 0.86, 0.45


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


def asked(rows: list[dict]) -> list[dict]:
    """What plan-prompts says of the readings of prompts."""
    with tempfile.TemporaryDirectory() as folder:
        asked, out = Path(folder, 'asked.jsonl'), Path(folder, 'choices.jsonl')
        asked.write_text(''.join(json.dumps(p) + '\n' for p in rows), encoding='utf-8')
        subprocess.check_call(['go', 'run', './scripts/plan-prompts', '--choices', '--in', asked, '--out', out])
        return [json.loads(line) for line in out.read_text(encoding='utf-8').splitlines()]


def logistic(x: np.ndarray, y: np.ndarray, w: np.ndarray, bias: int, strength: float = .01) -> np.ndarray:
    """The weights of a logistic regression to weighted examples."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    mean[bias], spread[bias] = 0, 1
    z, b = (x - mean) / spread, np.zeros(x.shape[1])
    for _ in range(3000):
        p = 1 / (1 + np.exp(-z @ b))
        b -= .3 * (z.T @ (w * (p - y)) / w.sum() + strength * np.where(np.arange(len(b)) == bias, 0, b))
    out = b / spread
    out[bias] = b[bias] - (b * mean / spread).sum()
    return out


def fit_choice(exact: int, weight: float) -> None:
    rows = asked(list(prompts(exact)))
    for marked in (True, False):
        part = [r for r in rows if r['marked'] == marked]
        share = [sum(r[k] for r in part) / len(part) for k in ('grammar_right', 'tagger_right')]
        chosen = sum(r['tagger_right' if r['tagger'] else 'grammar_right'] for r in part) / len(part)
        print(f'{"marked" if marked else "generated"}: {len(part)}, grammar {share[0]:.3f}, tagger {share[1]:.3f}, '
              f'chosen with the weights so far {chosen:.3f}')
    rows = [r for r in rows if r['features'] and r['grammar_right'] != r['tagger_right']]
    names = sorted({n for r in rows for n in r['features']})
    weights = logistic(np.array([[r['features'][n] for n in names] for r in rows]),
                       np.array([float(r['tagger_right']) for r in rows]),
                       np.array([1.0 if r['marked'] else weight for r in rows]), names.index('bias'))
    write('choice.tsv', HEADER, names, weights)


def write(file: str, header: str, names: list[str], weights) -> None:
    text = ''.join(f'{n}\t{w:.3f}\n' for n, w in zip(names, weights))
    Path('query/prompt/reader', file).write_text(header + text, encoding='utf-8')


def with_gold(scorer: str, sets: str) -> list[dict]:
    """The prompts of the sets, each with its evidence and whether the chosen reading is right."""
    sys.path.insert(0, scorer)
    import score_blind
    gold = [dict(json.loads(line), set=file.stem) for file in sorted(Path('scripts/plan-prompts/sets').glob(sets))
            for line in file.read_text(encoding='utf-8').splitlines()]
    rows = asked([{'prompt': g['prompt']} for g in gold])
    for g, r in zip(gold, rows):
        answer = r['tagged' if r['tagger'] else 'grammar']
        r['right'], r['set'] = score_blind.judge(g['gold'], answer)[0] == 'correct', g['set']
        r['half'] = hashlib.sha256(g['prompt'].encode()).digest()[0] % 2
    return [r for r in rows if r['evidence']]  # addresses need none


def generated(n: int) -> list[dict]:
    """Generated prompts, which the grammar reads right."""
    rows = asked([p for p in prompts(n) if 'prompt' in p])
    return [dict(r, right=not r['tagger']) for r in rows if r['evidence']]


def fit_confidence(scorer: str, sets: str, exact: int, weight: float) -> None:
    rows, more = with_gold(scorer, sets), generated(exact)
    names = sorted({n for r in rows for n in r['evidence']})

    def fitted(some: list[dict]) -> np.ndarray:
        weights = [1.0] * len(some) + [weight] * len(more)
        some = some + more
        return logistic(matrix(some), np.array([float(r['right']) for r in some]), np.array(weights),
                        names.index('bias'), .02)

    def matrix(some: list[dict]) -> np.ndarray:
        return np.array([[r['evidence'][n] for n in names] for r in some])

    for half in (0, 1):
        measured = [r for r in rows if r['half'] == half]
        weights = fitted([r for r in rows if r['half'] != half])
        for r, p in zip(measured, 1 / (1 + np.exp(-matrix(measured) @ weights))):
            r['p'] = p
        report(f'half {half + 1}', measured)
    for name in sorted({r['set'] for r in rows}):
        report(name, [r for r in rows if r['set'] == name])
    report('all', rows)
    for low in np.arange(0, 1, .1):
        part = [r for r in rows if low <= r['p'] < low + .1]
        print(f'probability {low:.1f} to {low + .1:.1f}: {len(part)}, right {share(part, lambda r: r["right"]):.2f}')
    write('confidence.tsv', CONFIDENCE, ['high', 'middle'] + names, [HIGH, MIDDLE, *fitted(rows)])


def share(rows: list[dict], holds) -> float:
    return sum(map(holds, rows)) / max(1, len(rows))


def report(name: str, rows: list[dict]) -> None:
    high, low = [r for r in rows if r['p'] >= HIGH], [r for r in rows if r['p'] < MIDDLE]
    print(f'{name}: {len(rows)} prompts, right {share(rows, lambda r: r["right"]):.3f}; high {len(high) / len(rows):.3f}, '
          f'of those right {share(high, lambda r: r["right"]):.3f}; low {len(low) / len(rows):.3f}, of those right '
          f'{share(low, lambda r: r["right"]):.3f}; high and not right '
          f'{share(rows, lambda r: r["p"] >= HIGH and not r["right"]):.3f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--exact', type=int, default=1500)
    parser.add_argument('--weight', type=float, default=0.7)
    parser.add_argument('--scorer')
    parser.add_argument('--sets', default='*.jsonl', help='those the confidence is fitted to: none that trained the tagger')
    parser.add_argument('--keep-choice', action='store_true')
    args = parser.parse_args()
    if not args.keep_choice:
        fit_choice(args.exact, args.weight)
    if args.scorer:
        fit_confidence(args.scorer, args.sets, 400, 0.1)


if __name__ == '__main__':
    main()
