#!/usr/bin/env python3
"""Reports on the planner.

  python3 report.py measures --set NAME=FILE ... [--roles FILE] [--generated]
  python3 report.py changes OLD NEW [--gold FILE] [--show]
  python3 report.py coverage NAME=READINGS ... [--least 3]

measures prints one Markdown table: sets with gold plans, variants of their prompts, role prompts, the generated
evaluation, rules, latency and lines. changes compares two runs of plan-prompts, judged if --gold is given, or of
eval-prompts --out. coverage counts the prompts whose chosen reading uses each rule of the grammar; plan-prompts --n 1
writes READINGS.
"""
import argparse, collections, glob, json, math, os, re, subprocess, sys, tempfile

import judge

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RANK = {'wrong': 0, 'wide': 1, 'partial': 2, 'correct': 3}


def read(name):
    return [json.loads(l) for l in open(name, encoding='utf-8') if l.strip()]


def named(pairs):
    return [p.split('=', 1) for p in pairs]


def go(*command):
    return subprocess.run(('go',) + command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def planned(prompts, work, *more):
    """the planner's answers"""
    asked, out = os.path.join(work, 'asked.jsonl'), os.path.join(work, 'answers.jsonl')
    with open(asked, 'w', encoding='utf-8') as f: f.writelines(json.dumps({'prompt': p}) + '\n' for p in prompts)
    go('run', './scripts/plan-prompts', '--words', os.path.join(work, 'words.json'), '--in', asked, '--out', out, *more)
    return read(out)


def verdicts(rows, answers):
    return [judge.judge(row['gold'], a['metadata'])[0] for row, a in zip(rows, answers)]


def asks(answer):
    """the conditions of an answer, without the words of the prompt"""
    i = answer['metadata']['interpretation']
    filters = sorted((f['field'], f['value'].lower()) for f in i['filters'])
    return json.dumps([answer['metadata']['mode'], filters, [c['says'].lower() for c in i['conditions']], len(i['steps']), 'network' in i])


def interval(k, n):
    """Wilson's 95 % interval of a share"""
    if n == 0: return '–'
    z, p = 1.96, k / n
    mid, half = (p + z * z / 2 / n) / (1 + z * z / n), z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / (1 + z * z / n)
    return '%.3f (%.2f–%.2f)' % (p, mid - half, mid + half)


def row(measure, value, n=''): print('| %s | %s | %s |' % (measure, value, n), flush=True)


VARIANTS = {
    'courtesy': lambda p: 'Hi, please find ' + p + ', thanks!',
    'small letters': str.lower,
    'did not, didn\'t': lambda p: re.sub(r"\b(did|do|does|have|has|is|are|was|were)n't\b", r'\1 not', p),
    'spaces and a full stop': lambda p: '  ' + re.sub(' ', '  ', p.rstrip('.?! ')) + '.',
}


def variants(rows, a, work):
    prompts = [r['prompt'] for r in rows]
    plain = [asks(x) for x in planned(prompts, work)]
    for name, change in VARIANTS.items():
        pairs = [(i, change(p)) for i, p in enumerate(prompts) if change(p) != p]
        if name == 'courtesy': pairs = [(i, p) for i, p in pairs if re.match(r'[a-z]', prompts[i])]
        if not pairs: continue
        got = planned([p for _, p in pairs], work)
        row('the same plan: ' + name, interval(sum(plain[i] == asks(g) for (i, _), g in zip(pairs, got)), len(pairs)), len(pairs))


def words(text):
    out = [w.strip('.') for w in re.findall(r'[a-z0-9+#.&]+', text.lower())]
    return [w[:-1] if len(w) > 3 and w.endswith('s') and not w.endswith('ss') else w for w in out if w]


def role_right(gold, answer):
    """whether the title and the place of a role prompt are in suitable filters"""
    said = lambda fields: {w for f in answer['metadata']['interpretation']['filters'] if f['field'] in fields and not f['excluded'] for w in words(f['text'])}
    titles, places = said({'position', 'seniority', 'function'}), said({'city', 'state', 'country', 'region', 'metro'})
    title = [w for w in words(gold['role_title']) if w not in ('of', 'the', 'and', '&')]
    place = [w for w in words(gold['geo_name']) if w not in ('the', 'of')]
    return all(w in titles for w in title) and all(w in places for w in place) and not any(w in titles for w in place if w not in title)


def generated(work):
    out = os.path.join(work, 'scores.jsonl')
    go('run', './scripts/eval-prompts', '--out', out)
    scores = read(out)
    for kind in ('lookup', 'simple', 'complex'):
        some = [s for s in scores if s['category'].startswith(kind + '/')]
        row('generated, F1, ' + kind, '%.4f' % (sum(s['f1'] for s in some) / max(1, len(some))), len(some))
    row('generated, mode', '%.4f' % (sum(s['mode_right'] for s in scores) / max(1, len(scores))), len(scores))


def covered(sets):
    """by rule and set, the number of prompts whose chosen reading uses the rule"""
    count = collections.defaultdict(collections.Counter)
    for name, answers in sets:
        for answer in answers:
            for f in {f.split('.')[0] for r in answer['readings'][:1] for f in r['features'] if f.startswith('rule:')}: count[f[5:]][name] += 1
    return count


def rule_names():
    out = []
    for name in glob.glob(os.path.join(ROOT, 'query/prompt/grammar/data/*.rules')):
        out += re.findall(r'^rule (\S+)', open(name, encoding='utf-8').read(), re.M)
    return sorted(out)


def is_covered(counts, least): return sum(counts.values()) >= least and len(counts) >= 2


def measures(a):
    with tempfile.TemporaryDirectory() as work:
        print('| measure | result | n |\n|---|---|--:|')
        readings = []
        for name, file in named(a.set):
            rows = read(file)
            answers = planned([r['prompt'] for r in rows], work)
            found = collections.Counter(verdicts(rows, answers))
            row('set %s, correct' % name, interval(found['correct'], len(rows)), len(rows))
            row('set %s, too wide' % name, found['wide'], len(rows))
            variants(rows, a, work)
            readings.append((name, planned([r['prompt'] for r in rows], work, '--n', '1')))
        if a.roles:
            rows = read(a.roles)
            answers = planned([r['text'] for r in rows], work)
            row('role prompts, title and place', interval(sum(role_right(r['metadata'], x) for r, x in zip(rows, answers)), len(rows)), len(rows))
        if a.generated: generated(work)
    count, rules = covered(readings), rule_names()
    if readings: row('rules that decide 3 prompts or more of 2 sets', sum(is_covered(count[r], 3) for r in rules), len(rules))
    for name, ns in re.findall(r'^(Benchmark\S+)\s+\d+\s+(\d+) ns/op', go('test', '-run', '-', '-bench', '.', './query/prompt/planner'), re.M):
        row('latency, ' + name.removeprefix('Benchmark'), '%.2f ms' % (int(ns) / 1e6))
    files = [f for f in glob.glob(os.path.join(ROOT, 'query/prompt/**/*.go'), recursive=True) if not f.endswith('_test.go')]
    row('lines of Go in query/prompt', sum(len(open(f, encoding='utf-8').readlines()) for f in files), '%d files' % len(files))


def changes(a):
    old, new = read(a.old), read(a.new)
    if [o['prompt'] for o in old] != [n['prompt'] for n in new]: sys.exit('both runs must have the same prompts in order')
    if 'grade' in old[0]: before, after = [o['grade'] for o in old], [n['grade'] for n in new]
    elif a.gold: before, after = [[RANK[v] for v in verdicts(read(a.gold), run)] for run in (old, new)]
    else: before, after = [asks(o) for o in old], [asks(n) for n in new]
    judged, found = 'grade' in old[0] or bool(a.gold), collections.Counter()
    for i, (b, n) in enumerate(zip(before, after)):
        same = b == n and ('grade' in old[i] or asks(old[i]) == asks(new[i]))
        kind = 'same' if same else 'changed' if not judged or b == n else 'better' if n > b else 'worse'
        found[kind] += 1
        if a.show and kind != 'same': print('%s\t%s' % (kind, old[i]['prompt']))
    print('\n'.join('%s\t%d' % (k, found[k]) for k in ('better', 'worse', 'changed', 'same')))


def coverage(a):
    sets = [(name, read(file)) for name, file in named(a.readings)]
    count = covered(sets)
    print('| rule | %s | enough |\n|---|%s---|' % (' | '.join(n for n, _ in sets), '--:|' * len(sets)))
    for r in sorted(rule_names(), key=lambda r: (is_covered(count[r], a.least), sum(count[r].values()), r)):
        print('| %s | %s | %s |' % (r, ' | '.join(str(count[r][n]) for n, _ in sets), 'yes' if is_covered(count[r], a.least) else 'no'))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = ap.add_subparsers(required=True)
    m = sub.add_parser('measures'); m.set_defaults(do=measures)
    m.add_argument('--set', action='append', default=[], metavar='NAME=FILE')
    m.add_argument('--roles')
    m.add_argument('--generated', action='store_true')
    c = sub.add_parser('changes'); c.set_defaults(do=changes)
    c.add_argument('old'); c.add_argument('new'); c.add_argument('--gold'); c.add_argument('--show', action='store_true')
    v = sub.add_parser('coverage'); v.set_defaults(do=coverage)
    v.add_argument('readings', nargs='+', metavar='NAME=READINGS'); v.add_argument('--least', type=int, default=3)
    a = ap.parse_args()
    a.do(a)


if __name__ == '__main__': main()
