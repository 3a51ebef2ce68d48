#!/usr/bin/env python3
"""Fits the choice between the tagger's and the grammar's reading, and the confidence in it: choice.tsv and
confidence.tsv of query/prompt/reader.

  python3 choose.py [--sets PATTERN …] [--generated 800] [--weight 2]

Run it in the root of the repository. It asks both readings of the prompts of the sets with gold that trained no tagger,
and of some generated prompts, which the grammar reads right. The choice is a logistic regression to the prompts for
which one reading is right and the other is not; the confidence is one to whether the chosen reading is right, for which
generated prompts count little. It prints how well weights from one half of the sets do on the other half; the files get
those from both. Needs numpy and Go.
"""
import argparse, collections, gzip, hashlib, json, random, subprocess, sys, tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / 'plan-prompts'))
import judge

HEADER = """# The choice between the readings of the tagger and the grammar: features and weights. The tagger's is taken if the
# weighted sum is positive; where the grammar reads all words, if it exceeds surely_better and the tagger is as sure as
# sure_logp. Fitted by scripts/reader/choose.py.
"""
CONFIDENCE = """# How sure it is that the chosen reading is right: the weighted sum of the evidence is the logarithm of the odds. From
# the probabilities high and middle on, the confidence is so called. Fitted by scripts/reader/choose.py.
"""
HIGH, MIDDLE = 0.9, 0.55
SURELY_BETTER, SURE_LOGP = 1, -0.2


def asked(rows: list[dict]) -> list[dict]:
    """What plan-prompts says of the readings of prompts."""
    with tempfile.TemporaryDirectory() as folder:
        asked, out = Path(folder, 'asked.jsonl'), Path(folder, 'choices.jsonl')
        asked.write_text(''.join(json.dumps(p) + '\n' for p in rows), encoding='utf-8')
        subprocess.check_call(['go', 'run', './scripts/plan-prompts', '--choices', '--in', asked, '--out', out])
        return [json.loads(line) for line in out.read_text(encoding='utf-8').splitlines()]


def logistic(x: np.ndarray, y: np.ndarray, w: np.ndarray, bias: int, strength: float = .01) -> np.ndarray:
    """The weights of a logistic regression to weighted examples."""
    mean, spread = x.mean(0), np.maximum(x.std(0), .05)  # a rare feature gets no large weight
    mean[bias], spread[bias] = 0, 1
    z, b = (x - mean) / spread, np.zeros(x.shape[1])
    for _ in range(3000):
        p = 1 / (1 + np.exp(-z @ b))
        b -= .3 * (z.T @ (w * (p - y)) / w.sum() + strength * np.where(np.arange(len(b)) == bias, 0, b))
    out = b / spread
    out[bias] = b[bias] - (b * mean / spread).sum()
    return out


def write(file: str, header: str, names: list[str], weights) -> None:
    text = ''.join(f'{n}\t{w:.3f}\n' for n, w in zip(names, weights))
    Path('query/prompt/reader', file).write_text(header + text, encoding='utf-8')


def with_gold(sets: list[str]) -> list[dict]:
    """The prompts of the sets, each with its features and whether the readings are right."""
    files = sorted({f for pattern in sets for f in Path('scripts/plan-prompts/sets').glob(pattern)})
    gold = [dict(json.loads(line), set=file.stem) for file in files
            for line in file.read_text(encoding='utf-8').splitlines()]
    rows = asked([{'prompt': g['prompt']} for g in gold])
    for g, r in zip(gold, rows):
        for reader in ('grammar', 'tagged'):
            r[reader + '_right'] = judge.judge(g['gold'], r[reader])[0] == 'correct'
        r['set'], r['half'] = g['set'], hashlib.sha256(g['prompt'].encode()).digest()[0] % 2
    return rows


def generated(n: int) -> list[dict]:
    """Generated prompts, which the grammar reads right."""
    with gzip.open('scripts/eval-prompts/data/fit.ndjson.gz', 'rt', encoding='utf-8') as f:
        rows = [{'prompt': json.loads(line)['prompt']} for line in f]
    random.Random(2).shuffle(rows)
    return [dict(r, grammar_right=True, tagged_right=r['same'], set='generated') for r in asked(rows[:n])]


class Fit:
    """The weights of the choice and of the confidence, fitted to some prompts."""

    def __init__(self, rows: list[dict], weight: float) -> None:
        differ = [r for r in rows if r['features'] and r['grammar_right'] != r['tagged_right']]
        self.names = sorted({n for r in differ for n in r['features']})
        self.choice = logistic(matrix(differ, 'features', self.names), np.array([float(r['tagged_right']) for r in differ]),
                               np.array([weight if r['set'] == 'generated' else 1 for r in differ]),
                               self.names.index('bias'), .03)
        rows = [r for r in rows if r['evidence']]  # addresses need none
        self.about = sorted(rows[0]['evidence'])
        self.confidence = logistic(matrix([self.chosen(r) for r in rows], 'evidence', self.about),
                                   np.array([float(self.right(r)) for r in rows]),
                                   np.array([.1 if r['set'] == 'generated' else 1 for r in rows]),
                                   self.about.index('bias'), .02)

    def prefers(self, r: dict) -> bool:
        if not r['features']:
            return False
        total = matrix([r], 'features', self.names)[0] @ self.choice
        if sum(r['features'][n] for n in ('skipped', 'unknown', 'ignored_grammar', 'asides')) > 0:
            return total > 0
        return total > SURELY_BETTER and r['features']['tagger_logp'] > SURE_LOGP

    def right(self, r: dict) -> bool:
        return r['tagged_right' if self.prefers(r) else 'grammar_right']

    def chosen(self, r: dict) -> dict:
        """The prompt with the evidence for what these weights choose."""
        is_tagger = self.prefers(r)
        e = dict(r['evidence'])
        ahead = e['ahead_grammar'] + e['ahead_tagger']
        e.update(tagger=float(is_tagger), ahead_grammar=ahead * (not is_tagger), ahead_tagger=ahead * is_tagger)
        if r['features']:
            e['ignored'] = r['features']['ignored_tagger' if is_tagger else 'ignored_grammar']
        return dict(r, evidence=e)

    def probability(self, r: dict) -> float:
        return 1 / (1 + np.exp(-matrix([self.chosen(r)], 'evidence', self.about)[0] @ self.confidence))


def matrix(rows: list[dict], part: str, names: list[str]) -> np.ndarray:
    return np.array([[r[part].get(n, 0) for n in names] for r in rows])


def share(rows: list[dict], holds) -> float:
    return sum(map(holds, rows)) / max(1, len(rows))


def report(name: str, rows: list[dict]) -> None:
    high, low = [r for r in rows if r['p'] >= HIGH], [r for r in rows if r['p'] < MIDDLE]
    print(f'{name}: {len(rows)} prompts, right {share(rows, lambda r: r["right"]):.3f} (grammar '
          f'{share(rows, lambda r: r["grammar_right"]):.3f}, tagger {share(rows, lambda r: r["tagged_right"]):.3f}, one of '
          f'them {share(rows, lambda r: r["grammar_right"] or r["tagged_right"]):.3f}); high {len(high) / len(rows):.3f}, '
          f'of those right {share(high, lambda r: r["right"]):.3f}; low {len(low) / len(rows):.3f}, of those right '
          f'{share(low, lambda r: r["right"]):.3f}; high and not right '
          f'{share(rows, lambda r: r["p"] >= HIGH and not r["right"]):.3f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--sets', nargs='*', default=['*-[2-5].jsonl', 'look-alikes-1.jsonl'],
                        help='sets with gold: none that trained the tagger')
    parser.add_argument('--generated', type=int, default=800)
    parser.add_argument('--weight', type=float, default=2, help='of generated prompts in the choice')
    args = parser.parse_args()
    rows, more = with_gold(args.sets), generated(args.generated)
    halves = collections.defaultdict(list)
    for i, r in enumerate(rows + more):
        halves[r.get('half', i % 2)].append(r)
    for half in (0, 1):
        fit = Fit(halves[1 - half], args.weight)
        for r in halves[half]:
            r['right'], r['p'] = fit.right(r), fit.probability(r) if r['evidence'] else 1
    for name in sorted({r['set'] for r in rows + more}):
        report(name, [r for r in rows + more if r['set'] == name])
    report('all sets', rows)
    for low in np.arange(0, 1, .1):
        part = [r for r in rows if low <= r['p'] < low + .1]
        print(f'probability {low:.1f} to {low + .1:.1f}: {len(part)}, right {share(part, lambda r: r["right"]):.2f}')
    fit = Fit(rows + more, args.weight)
    write('choice.tsv', HEADER, ['surely_better', 'sure_logp'] + fit.names, [SURELY_BETTER, SURE_LOGP, *fit.choice])
    write('confidence.tsv', CONFIDENCE, ['high', 'middle'] + fit.about, [HIGH, MIDDLE, *fit.confidence])


if __name__ == '__main__':
    main()
