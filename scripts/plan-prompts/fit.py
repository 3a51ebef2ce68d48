"""Fits the weights of the planner to the data that refit.py gathers.

plan-prompts --n writes readings with features. Their grades come from judge.py for sets with gold plans, from
golden files, and from eval-prompts --readings 15 for generated prompts. The log-linear model maximizes the expected
grade, with the present weights as its centre. Needs numpy and scipy.
"""
import collections, json, re
import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize

import judge

GRADE = {'correct': 1.0, 'partial': 0.4, 'wide': 0.2, 'wrong': 0.0}
RANGES = {'experienceYears', 'tenureYears', 'companySize', 'graduationYear', 'companyFoundedYear', 'pastEndYears'}
TRADE = {'companyIndustry', 'companyKeywords', 'companyType', 'keywords'}
SILENT = ('ignored:', 'note:', 'no one', 'correction:')


def lines(plan):
    """the normalized lines of a plan that affect the results"""
    return sorted(normal(l) for l in plan.split('\n') if l and l not in ('simple', 'complex', 'lookup') and not l.startswith(SILENT))


def firsts(plan):
    """the filters of a plan with their first alternatives, as in golden plans"""
    out = []
    for line in plan.split('\n'):
        m = re.match(r'^([a-zA-Z]+): (.*?)(?:  ← ".*")?$', line)
        if m and not line.startswith(SILENT): out.append((m.group(1), tuple(m.group(2).lower().split(', ')[:3])))
    return out


def normal(line):
    m = re.match(r'^(condition|criterion|relation|step \d+|network|[a-zA-Z]+): (.*?)(?:  ← "(.*)")?$', line)
    if not m: return line
    field, value, text = m.group(1), m.group(2), m.group(3) or ''
    words = ' '.join(sorted(set(re.findall(r'\w+', text.lower()))))
    if field == 'relation': return 'relation ' + value.split(' ')[0]
    if field in RANGES: return field + ' ' + value
    when = next((p for p in ('past', 'any', 'previous') if field.startswith(p) and field[len(p):len(p) + 1].isupper()), '')
    base = field[len(when):][:1].lower() + field[len(when):][1:]
    left_out = all(v.startswith('-') for v in value.split(', '))
    return ('-' if left_out else '') + when + ('trade' if base in TRADE else base) + ' ' + words


def from_gold(answers, gold):
    for row, answer in zip(read(gold), read(answers)):
        grades = []
        for r in answer['readings']:
            verdict, errors, _ = judge.judge(row['gold'], r['metadata'])
            grade = GRADE[verdict] if verdict == 'correct' else max(0, GRADE[verdict] - 0.03 * len(errors))
            grades.append(grade - left_out(r))
        yield answer['readings'], grades, 4.0


def left_out(reading):
    """a small penalty for each unused function word, so the fullest of equal readings wins"""
    return 0.005 * reading['features'].get('skip_class', 0)


def from_golden(answers, files):
    plans = {}
    for name in files:
        for block in open(name, encoding='utf-8').read().split('\n> '):
            said, _, plan = block.partition('\n')
            plan = '\n'.join(l for l in plan.split('\n') if not l.startswith(('#', 'alternative:')))
            plans[said.removeprefix('> ')] = lines(plan), firsts(plan)
    for answer in read(answers):
        if answer['prompt'] not in plans: continue
        want, shown = plans[answer['prompt']]
        grades = []
        for r in answer['readings']:
            got = lines(r['plan'])
            both = sum((collections.Counter(want) & collections.Counter(got)).values())
            exact = len(set(shown) & set(firsts(r['plan']))) / max(1, len(shown))
            grades.append(0.03 * exact - 0.03 + (2 * both / (len(want) + len(got)) if want or got else 1) - left_out(r))
        yield answer['readings'], grades, 1.0


def from_graded(name):
    for row in read(name):
        yield row['readings'], [r['grade'] - left_out(r) for r in row['readings']], 0.5


def read(name):
    return [json.loads(l) for l in open(name, encoding='utf-8') if l.strip()]


def weights(name):
    exact, starred = {}, []
    for l in open(name, encoding='utf-8'):
        if not l.strip() or l[0] == '#': continue
        key, value = l.rstrip('\n').split('\t')
        if key.endswith('*'): starred.append((key[:-1], float(value)))
        else: exact[key] = float(value)
    return exact, lambda k: next((v for p, v in reversed(starred) if k.startswith(p)), 0.0)


def fit(examples, names, centre, strength):
    index = {k: i for i, k in enumerate(names)}
    rows, cols, values, segment, grade, importance = [], [], [], [], [], []
    for readings, grades, weight in examples:
        if len(readings) < 2 or max(grades) <= min(grades): continue
        for r, g in zip(readings, grades):
            for k, v in r['features'].items():
                rows.append(len(segment)); cols.append(index[k]); values.append(v)
            segment.append(len(importance)); grade.append(g)
        importance.append(weight)
    x = sp.csr_matrix((values, (rows, cols)), shape=(len(segment), len(names)))
    segment, grade, importance = np.array(segment), np.array(grade), np.array(importance)
    starts = np.searchsorted(segment, np.arange(len(importance)))

    def loss(w):
        s = x @ w
        e = np.exp(s - np.maximum.reduceat(s, starts)[segment])
        p = e / np.add.reduceat(e, starts)[segment]
        expected = np.add.reduceat(p * grade, starts)
        gradient = x.T @ (p * (grade - expected[segment]) * importance[segment])
        d = w - centre
        return -(expected * importance).sum() + strength * (d @ d), -gradient + 2 * strength * d

    return minimize(loss, centre.copy(), jac=True, method='L-BFGS-B', options={'maxiter': 300}).x


def write(path, examples, strength, keep):
    """fits around the weights of a file, and writes the weights that differ from their default"""
    names = sorted({k for readings, _, _ in examples for r in readings for k in r['features']})
    exact, default = weights(path)
    fitted = dict(exact)
    fitted.update(zip(names, fit(examples, names, np.array([exact.get(k, default(k)) for k in names]), strength)))
    fitted.update((k, exact.get(k, default(k))) for k in keep)
    head = [l for l in open(path, encoding='utf-8').read().split('\n') if l.startswith('#') or '*\t' in l]
    body = ['%s\t%.3f' % (k, fitted[k]) for k in sorted(fitted) if abs(fitted[k] - default(k)) > 0.0005]
    open(path, 'w', encoding='utf-8').write('\n'.join(head + body) + '\n')
