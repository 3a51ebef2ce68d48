#!/usr/bin/env python3
"""Makes pairs of prompts that ask for the same people: made.tsv, from the dev part of the marked prompts.

  python3 scripts/plan-prompts/pairs/make.py

Each line has a kind, a prompt and another one: in another case, with courtesy, with two constraints in the other order,
or with an invented company in place of the named one. Run it in the root of the repository; the same prompts give the
same pairs.
"""
import random, re, zlib
from pathlib import Path

ALL, MOST = 280, 90
COURTESY = [
    'Hi! {}, please', 'Hello, could you find me {}? Thank you!', 'Please find {}', 'Good morning, I am looking for {}.',
    'Can you show me {}?', 'Dear team, I would like to see {}. Kind regards', '{}, thanks in advance', 'hey, {} pls',
    'I need {}, thank you very much',
    'Would you please search for {}?', 'Show me {}', 'Hi there, we want {}. Cheers!']
INVENTED = [
    'Brindlemoor', 'Ostrivane', 'Kelvenbrook Systems', 'Tarvholm', 'Quillstead', 'Norrabeck', 'Velmarine', 'Hasprey Labs',
    'Dunvarrow', 'Ixelby', 'Pellowick', 'Grenfarrow', 'Zumbrecht', 'Althaven', 'Corvidane', 'Marlspike Foods']
MARK = re.compile(r'\{([A-Za-z][^ {}]*) ([^{}]*)\}')
PHRASE = re.compile(r' (?:at|in|with|from|near|who know|who speak) \{[^{}]*\}')
HEADING = re.compile(r'^# (?!English)(German|French|Spanish|Portuguese|Italian|Dutch)')


def plain(marked: str) -> str:
    return MARK.sub(r'\2', marked)


def marked_prompts() -> list[str]:
    """English prompts of the dev part in a fixed, mixed order. Prompts that talk about something else are left out."""
    out = []
    for file in sorted(Path('query/prompt/reader/data').glob('*.txt')):
        foreign = file.stem in ('german', 'french', 'spanish', 'portuguese', 'italian', 'dutch') \
            or file.stem.startswith('languages')
        for line in file.read_text(encoding='utf-8').splitlines():
            if line.startswith('# '):
                foreign = foreign or bool(HEADING.match(line))
            elif line.strip() and not foreign and zlib.crc32(plain(line.strip()).encode()) % 10 == 0:
                out.append(line.strip())
    random.Random(54).shuffle(out)
    return [p for p in out if len(plain(p)) <= 120]


def case(marked: str, n: int) -> str:
    text = plain(marked)
    return (text.lower(), text.upper(), text.title())[(0, 0, 0, 1, 2)[n % 5]]


def courtesy(marked: str, n: int) -> str | None:
    """Only noun phrases: a question or a sentence has its own opening."""
    if not re.match(r'\{[tlf]', marked) or marked[-1] in '.?!': return None
    text = plain(marked)
    return COURTESY[n % len(COURTESY)].format(text)


def order(marked: str, n: int) -> str | None:
    """Swaps the last two phrases, or the last two marks between commas."""
    ends = list(PHRASE.finditer(marked))
    if '.or ' in marked or '.both ' in marked: return None
    if len(ends) > 1 and ends[-1].end() == len(marked) and ends[-2].end() == ends[-1].start():
        a, b = ends[-2:]
        return plain(marked[:a.start()] + b[0] + a[0])
    parts = marked.split(', ')
    if len(parts) > 2 and all(re.fullmatch(r'\{[a-zA-Z]+ [^{}]*\}', p) for p in parts):
        return plain(', '.join(parts[:-2] + [parts[-1], parts[-2]]))
    return None


def unknown(marked: str, n: int) -> str | None:
    named = [m for m in MARK.finditer(marked) if m[1].split('.')[0] == 'c' and m[2][:1].isupper()]
    if len(named) != 1: return None
    m = named[0]
    return plain(marked[:m.start()] + INVENTED[n % len(INVENTED)] + marked[m.end():])


def main():
    lines, used = [], set()
    for change in (unknown, order, courtesy, case):
        n = 0
        for marked in marked_prompts():
            if n == MOST and change is not case or len(lines) == ALL: break
            other = change(marked, n) if marked not in used else None
            if other is None or other == plain(marked): continue
            lines.append(f'{change.__name__}\t{plain(marked)}\t{other}\n')
            used.add(marked)
            n += 1
        print(change.__name__, n)
    head = '# Made by make.py: a kind, a prompt and another one that asks for the same.\n'
    Path('scripts/plan-prompts/pairs/made.tsv').write_text(head + ''.join(lines), encoding='utf-8')


if __name__ == '__main__': main()
