"""Examples from prompts with gold constraints, the notation of scripts/plan-prompts/sets."""

import json
import pathlib
import re
import unicodedata

import marks
import schema

KINDS = {
    "title": "t", "function": "f", "level": "l", "lead": "L", "owner": "o", "company": "c", "industry": "i",
    "size": "z", "stage": "g", "founded": "F", "skill": "s", "topic": "k", "school": "S", "degree": "d", "field": "D",
    "graduated": "G", "name": "n", "place": "p", "years": "y", "when": "w", "judgement": "j", "unsupported": "u",
    "network": "N",
}
NUMBERS = "zFGy"

# Words of grammar, which gold constraints may hold and marks do not.
STOP = set(
    "a an and or of at in on the to for by with from as is are be who whom whose that which not no do does my me i we "
    "our us you your it its he she they their them his her this these those there here all any some de la le les des "
    "du un une et ou el los las y o e da do dos das em na no os a il lo gli i di del della im am der die das den dem "
    "und oder bei in mit von van het een en bij met zu zur zum aus".split()
)
# Words and signs that a mark may bridge.
BRIDGE = STOP - set("and or und oder y o e et ou who not no que i my is are".split()) | set("'-.’&/+") | {"s", ","}

SMALL = "small smaller tiny little klein kleine kleinen petite petites pequena pequenas start startup startups pme"
LARGE = "large larger big bigger enterprise enterprises grossen grandes corporates"
MIDDLE = "mid medium midsize midsized mittelstand mittelstandischen mittelgrossen mittelstandler pymes"
ADJECTIVES = set(f"{SMALL} {LARGE} {MIDDLE}".split())

NUMBER_WORDS = {
    0: "zero", 1: "one un una uno une ein eine einem einer um uma", 2: "two dos deux zwei dois duas due twee couple",
    3: "three tres trois drei tre drie", 4: "four cuatro quatre vier quatro quattro", 
    5: "five cinco cinq funf cinque vijf",
    6: "six seis sechs sei zes", 7: "seven siete sept sieben sete sette zeven", 8: "eight ocho huit acht oito otto",
    9: "nine nueve neuf neun nove negen",
    10: "ten diez dix zehn dez dieci tien decade decada decennie decennio jahrzehnt", 11: "eleven once onze elf",
    12: "twelve doce douze zwolf doze dodici twaalf dozen", 15: "fifteen quince quinze funfzehn quindici vijftien",
    20: "twenty veinte vingt zwanzig vinte venti twintig", 30: "thirty treinta trente dreissig trinta trenta",
    40: "forty", 50: "fifty cincuenta cinquante funfzig", 100: "hundred cien cent hundert cem cento honderd",
    200: "zweihundert doscientos", 1000: "thousand mil mille tausend",
}
NUMBER_OF = {word: number for number, words in NUMBER_WORDS.items() for word in words.split()}
RELATIONS = {
    "worked_with": "worked_with", "worked_together": "worked_with", "colleague": "worked_with",
    "former_colleague": "worked_with", "studied_with": "studied_with", "studied_together": "studied_with",
    "same_school": "studied_with", "knows": "knows", "contacts": "knows",
}


def fold(text: str) -> str:
    text = text.lower().replace("ß", "ss").replace("ø", "o").replace("ł", "l").replace("æ", "ae").replace("œ", "oe")
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word


class Converter:
    """Finds the words of the constraints of one prompt."""

    def __init__(self, prompt: str, source: str, english: bool):
        places = marks.words_of(prompt)
        self.example = marks.Example([prompt[a:b] for a, b in places], [], source, prompt, english=english)
        self.folded = [fold(w) for w in self.example.words]
        self.used: set[int] = set()
        self.lost = 0

    def convert(self, gold: list) -> marks.Example | None:
        """Returns the example, or nothing if words of a constraint are not there."""
        late = ("topic", "judgement", "unsupported")
        for c in sorted(first_reading(gold), key=lambda c: (bool(c.get("optional")), c["is"] in late)):
            self.constraint(c)
        self.example.spans.sort(key=lambda s: s.start)
        return None if self.lost else self.example

    def constraint(self, c: dict, step: str = "", optional: bool = False) -> None:
        optional = optional or bool(c.get("optional"))
        if c["is"] in ("relation", "introduction", "career"):
            return self.relation(c, optional)
        kind = KINDS.get(c["is"])
        if kind is None:
            return self.lose(optional)
        values = attributes(kind, c) | {"step": step, "open": "?" if optional else ""}
        if kind in NUMBERS and any(b in c for b in ("min", "max", "about", "last")):
            return self.numbers(c, kind, values, optional)
        near = None
        for n, alternative in enumerate([c.get("words") or []] + (c.get("or") or [])):
            wanted = content(alternative) + (content(c["with"]) if n == 0 and c.get("with") else [])
            if not wanted:
                continue
            join = "" if near is None else "both" if c.get("join") in ("and", "either") else "or"
            found = self.mark(kind, wanted, values | {"join": join}, near)
            if found is None:
                self.lose(optional)
            near = found if found is not None else near

    def relation(self, c: dict, optional: bool) -> None:
        if c["is"] == "career":
            how = c.get("how") or "moved"
        elif c["is"] == "introduction":
            how = "intro"
        else:
            how = next((RELATIONS[t] for t in c.get("type") or [] if t in RELATIONS), "other")
        steps = c.get("steps") if c["is"] == "career" else [c.get("who") or c.get("to") or []]
        for n, step in enumerate((steps or [])[:3]):
            for inner in step:
                self.constraint(inner, f"s{n + 1}", optional)
        words = content(c.get("words") or [])
        if words and not all(any(w == self.folded[i] for i in self.used) for w in words):
            values = marks.values_of("q", [how if how in schema.HEADS["how"][0] else "other"])
            self.mark("q", words, values | {"polarity": "not" if c.get("not") else ""})
        elif c["is"] == "career":
            self.lose(optional)  # nothing says which words tell of the career

    def lose(self, optional: bool) -> None:
        self.lost += not optional

    def mark(self, kind: str, wanted: list[str], values: dict, near: int | None = None) -> int | None:
        """Marks the words and returns the first. Only the first run of them is sure: the others are free."""
        found = [i for i in self.align(wanted, near) if i not in self.used]
        if not found:
            return None
        runs = self.runs(found)
        for n, (start, end) in enumerate(runs):
            if any(i in self.used for i in range(start, end)):
                end = start + 1
            if n == 0:
                self.example.spans.append(marks.Span(kind, start, end, marks.values_of(kind, []) | only(kind, values)))
            else:
                self.example.free.update(range(start, end))
            self.used.update(range(start, end))
        return runs[0][0]

    def align(self, wanted: list[str], near: int | None) -> list[int]:
        """Returns the closest places of the words, rather unused ones."""
        options = []
        for w in wanted:
            same = [i for i, f in enumerate(self.folded) if f == w]
            options.append(same or [i for i, f in enumerate(self.folded) if stem(f) == stem(w)])
        options = [o for o in options if o]
        best: tuple[float, list[int]] | None = None
        for anchor in options[0] if options else []:
            picked: list[int] = []
            for o in options:
                last, step = (picked[-1], 1) if picked else (anchor, 0)
                free = [i for i in o if i not in picked] or o
                picked.append(min(free, key=lambda i: abs(i - last - step) + 3 * (i < last) + 4 * (i in self.used)))
            cost = max(picked) - min(picked) + 6 * sum(i in self.used for i in picked)
            cost += 0 if near is None else abs(picked[0] - near) / 20
            if best is None or cost < best[0]:
                best = (cost, picked)
        return sorted(set(best[1])) if best else []

    def runs(self, found: list[int]) -> list[list[int]]:
        out: list[list[int]] = []
        for i in found:
            between = range(out[-1][1], i) if out else []
            if out and len(between) < 4 and all(self.folded[j] in BRIDGE and j not in self.used for j in between):
                out[-1][1] = i + 1
            else:
                out.append([i, i + 1])
        return out

    def numbers(self, c: dict, kind: str, values: dict, optional: bool) -> None:
        wanted = [(b, c[b]) for b in ("min", "max", "about", "last") if b in c]
        if "min" in c and c.get("min") == c.get("max"):
            wanted = [("eq", c["min"])]
        placed = 0
        for bound, value in wanted:
            near = [i for i in range(len(self.folded)) if i not in self.used and close(self.number(i), value)]
            if near:
                best = min(near, key=lambda i: abs(self.number(i) - value))
                values = values | dict.fromkeys(("bound", "size"), "abt" if bound == "about" else bound)
                self.mark_number(kind, best, values)
                placed += 1
        adjective = next((i for i, f in enumerate(self.folded) if f in ADJECTIVES and i not in self.used), None)
        if not placed and kind == "z" and adjective is not None:
            values = values | {"size": "adj"}
            self.mark_number(kind, adjective, values)
        elif placed < len(wanted):
            self.lose(optional)

    def mark_number(self, kind: str, i: int, values: dict) -> None:
        self.example.spans.append(marks.Span(kind, i, i + 1, marks.values_of(kind, []) | only(kind, values)))
        self.used.add(i)

    def number(self, i: int) -> float:
        """Returns the value of a word, or a number that no constraint has."""
        f = self.folded[i]
        if re.fullmatch(r"\d+", f):
            return float(f)
        m = re.fullmatch(r"(\d+)([km])", f)
        if m:
            return float(m[1]) * {"k": 1e3, "m": 1e6}[m[2]]
        m = re.fullmatch(r"(\d\d\d\d)s", f)
        return float(m[1]) if m else float(NUMBER_OF.get(f, -1e9))


def close(value: float, wanted: float) -> bool:
    return abs(value - wanted) <= (1 if wanted >= 2 else 0)


def only(kind: str, values: dict) -> dict:
    heads = schema.heads_of(kind)
    return {head: value for head, value in values.items() if head in heads}


def content(words: list[str]) -> list[str]:
    tokens = [t for w in words for t in re.findall(r"[^\W_]+", re.sub(r"'s\b", "", fold(w)))]
    return [t for t in tokens if t not in STOP] or tokens


def first_reading(gold: list) -> list[dict]:
    if gold and isinstance(gold[0], list):
        gold = gold[0]
    out = []
    for c in gold:
        out += first_reading(c["any"][0]) if "any" in c and "is" not in c else [c]
    return out


def attributes(kind: str, c: dict) -> dict[str, str]:
    """Returns the values of a constraint; of several allowed ones, that which marked prompts have."""
    when, of = set((c.get("when") or "now").split("|")), set(str(c.get("of") or "").split("|"))
    values = {"polarity": "not" if c.get("not") else ""}
    values["time"] = next((t for t in ("any", "past", "prev") if t in when), "prev" if "first" in when else "")
    if kind == "p":
        values["side"] = "any" if "any" in of else "co" if of == {"company"} else ""
    if kind == "y":
        values["span"] = "et" if len(of) > 1 else "ten" if of == {"tenure"} else ""
    if kind == "w":
        events = schema.HEADS["event"][0]
        values["event"] = next((e for e in (c.get("event") or "").split("|") if e in events and e), "held")
    if kind == "N":
        values["degree"] = {"1": "1", "2": "2"}.get(str(c.get("degree")), "all")
    return values


def load(files: list[pathlib.Path]) -> tuple[list[marks.Example], int]:
    """Reads sets; also says how many prompts have gold that cannot be marked."""
    out, left_out = [], 0
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            english = row.get("lang", "en") == "en" and "language" not in row["category"]
            example = Converter(row["prompt"], file.stem, english).convert(row["gold"])
            if example is None:
                left_out += 1
            else:
                out.append(example)
    return out, left_out
