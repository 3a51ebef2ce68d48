#!/usr/bin/env python3
"""Fits the weights of the planner to all prompts of the repository, in rounds.

  python3 refit.py [--set NAME.jsonl ...] [--roles READINGS] [--rounds 2] [--strength 1.5]

A round plans every prompt with the present weights, adds the readings to those of earlier rounds, fits with fit.py
around the present weights, and writes query/prompt/planner/data/weights.tsv. The prompts are:
- sets with gold plans in sets/ and from --set, judged by judge.py;
- golden plans in golden/, and those of the planner's tests, which count more;
- examples of the rules, and generated prompts.
Run it in the root of the repository. Then run the tests of query/prompt/planner and read each changed golden plan.
Needs numpy and scipy.
"""
import argparse, glob, json, os, re, subprocess, tempfile
import fit

WEIGHTS = 'query/prompt/planner/data/weights.tsv'
# Too few prompts have these features: they keep their manual weights.
KEEP = ['network_lost', 'rule:network_known.1', 'contradicts', 'corrects_nothing', 'short', 'edit',
        'rule:preferred.1', 'rule:preferred.2', 'rule:preferred.3']
OWN = 6       # factor for the planner's own golden plans
EXAMPLES = 6  # factor for the examples of rules


def dump(name, rows):
    with open(name, 'w', encoding='utf-8') as f:
        f.writelines(json.dumps(r) + '\n' for r in rows)


def prompts_of(files):
    """the prompts of golden files"""
    for name in files:
        for block in open(name, encoding='utf-8').read().split('\n> '):
            said = block.split('\n')[0].removeprefix('> ')
            if said.strip(): yield said


def examples():
    """the examples of the rules: a prompt and lines of its plan"""
    for name in sorted(glob.glob('query/prompt/grammar/data/*.rules')):
        for m in re.finditer(r'^\s*\? "(.*)" = (.*)$', open(name, encoding='utf-8').read(), re.M):
            yield m[1], [w.strip().lower() for w in m[2].split(';')]


def graded(want, readings):
    """1 for a reading with all the lines, up to 0.5 for some of them"""
    def has(w, plan):
        field, _, value = w.partition(': ')
        return any(field in line and value.split(',')[0] in line for line in plan.split('\n'))
    for r in readings:
        share = sum(has(w, r['plan'].lower()) for w in want) / len(want)
        yield share if share == 1 else share / 2


class Pool:
    """the readings of prompts from all rounds"""
    def __init__(self, folder, name, rows):
        self.input, self.output, self.rows = f'{folder}/{name}.in', f'{folder}/{name}.out', {}
        dump(self.input, rows)

    def plan(self, binary, folder, n):
        subprocess.check_call([binary, '--words', f'{folder}/words.json', '--in', self.input, '--out', self.output, '--n', str(n)])
        for i, row in enumerate(fit.read(self.output)):
            old = self.rows.setdefault(i, {'prompt': row['prompt'], 'readings': []})['readings']
            seen = {json.dumps(r['features'], sort_keys=True) for r in old}
            old += [r for r in row['readings'] if json.dumps(r['features'], sort_keys=True) not in seen]
        dump(self.output, [self.rows[i] for i in sorted(self.rows)])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('--set', action='append', default=[])
    ap.add_argument('--roles'); ap.add_argument('--rounds', type=int, default=2); ap.add_argument('--strength', type=float, default=1.5)
    a = ap.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    own = sorted(glob.glob('query/prompt/planner/testdata/golden/*.txt'))
    rules = sorted(glob.glob(here + '/golden/*.txt'))
    sets = sorted(glob.glob(here + '/sets/*.jsonl')) + a.set
    with tempfile.TemporaryDirectory() as folder:
        pools = {s: Pool(folder, f'set{i}', fit.read(s)) for i, s in enumerate(sets)}
        golden = Pool(folder, 'golden', [{'prompt': p} for p in prompts_of(rules)])
        tested = Pool(folder, 'tested', [{'prompt': p} for p in prompts_of(own)])
        wanted = list(examples())
        shown = Pool(folder, 'shown', [{'prompt': p} for p, _ in wanted])
        subprocess.check_call(['go', 'run', './scripts/eval-prompts', '--set', 'fit', '--readings', '15', '--out', folder + '/generated'])
        for _ in range(a.rounds):
            subprocess.check_call(['go', 'build', '-o', folder + '/plan', './scripts/plan-prompts'])
            for p in pools.values(): p.plan(folder + '/plan', folder, 60)
            for p in (golden, tested, shown): p.plan(folder + '/plan', folder, 30)
            rows = [shown.rows[i] for i in sorted(shown.rows)]
            found = [e for s, p in pools.items() for e in fit.from_gold(p.output, s)]
            found += fit.from_golden(golden.output, rules)
            found += [(r, g, OWN * w) for r, g, w in fit.from_golden(tested.output, own)]
            found += [(row['readings'], list(graded(want, row['readings'])), EXAMPLES * 0.5)
                      for (_, want), row in zip(wanted, rows)]
            for name in filter(None, (folder + '/generated', a.roles)): found += fit.from_graded(name)
            fit.write(WEIGHTS, found, a.strength, KEEP)


if __name__ == '__main__': main()
