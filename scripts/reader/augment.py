"""Variants of examples: other names, courtesy, other case, lost signs, typing errors."""

import csv
import gzip
import pathlib
import random
import re

import marks

BEFORE = """Hi, |Hello, |Please find |Can you find me |I'm looking for |Looking for |Show me |I need |We need |
Could you please give me |Hey, |Good morning, |Dear team, |get me |find me |list |search |who are the |Do you have |
We would like to meet |I want to talk to |Thanks in advance! |Hi there! I hope you can help. |okay so |um |so |right, |
I'd be grateful for |Any chance you know |We are hiring: |Wanted: |Help me find |Who are |Give me |pull up |
I am trying to find |For a project, |For a client, |My boss asked me for |For an article, |Urgent: |Quick one: """
AFTER = """.|please|, please|, thanks|. Thanks!|thank you|?|asap|. Thank you very much in advance.|if possible|, cheers|
for me|. Much appreciated!|right away|or so|, any ideas?|. Best regards"""
OPENED = set(
    "hi hello find show look looking get give who can could please i we my so um is are do does any list".split()
)

SURNAMES = """Kessler Okafor Brandt Lindqvist Moreau Castellani Hargreaves Nakamura Petrov Whitmore Delgado Osei
Ferreira Kowalczyk Abbott Sorensen Iyer Mbeki Hollis Ravenscroft Tanaka Balogun Marchetti Dubois Novák Szabó Yıldız
Haddad Nguyen Kaur Banerjee Chukwu Papadopoulos Ionescu Van Dijk O'Brien Müller García Souza Lefèvre Rossi""".split()
GIVEN = """James Maria Carlos Anna Jan Piotr Marta Emma Sophie Pierre Claire Hans Klaus Ingrid Lars Erik Olga Ivan
Dmitri Mohammed Ahmed Omar Fatima Aisha Wei Ming Hiroshi Yuki Priya Rahul Amit Deepa Kofi Ama Chidi Ngozi Achieng
Tunde Femi Sarah Jennifer Karen Laura Daniel Mark Paul Kevin George Tom Ben Alex Nick Hugo Felix Paolo Giulia Elena
Sofia Beatriz Rui Mateus Fernando Javier Matteo Anders Kari Freya Aino Mehmet Emre Elif Eleni Zoltán Tomáš Jana
Agnieszka""".split()
STARTS = """Nor Bright Alpha Vega Blue Green Quant Helio Terra Omni Aqua North Silver Cloud Data Bio Nova Iron Grand
Stone""".split()
ENDS = "lake well forge path wind bridge mark line point gate field core works ware ly io ify tech base loop".split()
FORMS = ["", " Group", " & Sons", " Systems", " Labs", " Bank", " Foods", " Energy", " Partners", " Logistics",
         " Pharma", " AI", " Air", "soft", " Industries", " Media", " GmbH", " Consulting", " Hotels", " Clinic", " Brewery"]


def parts(text: str) -> list[str]:
    return [re.sub(r"\s+", " ", p) for p in text.replace("\n", "").split("|")]


def words(text: str) -> list[str]:
    return [text[a:b] for a, b in marks.words_of(text)]


def rows(file: pathlib.Path) -> list[list[str]]:
    """Reads a table of tab-separated columns."""
    opened = gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else open(file, encoding="utf-8")
    with opened as f:
        return [r for r in csv.reader(f, delimiter="\t", quoting=csv.QUOTE_NONE) if r and not r[0].startswith("#")]


class Names:
    """Names of each kind, from Kith's tables."""

    def __init__(self, root: pathlib.Path):
        places, lexicon = root / "query/gazetteer/data", root / "query/prompt/lexicon/data"
        self.cities = [r[0] for r in rows(places / "cities.tsv.gz")][:9000]
        self.regions = [r[3] for r in rows(places / "countries.tsv")] + [r[2] for r in rows(places / "states.tsv")]
        self.titles = [t for r in rows(lexicon / "roles.tsv") for t in self.column(r, 0)[:2] if len(t) < 40]
        self.known_titles = {t.lower() for r in rows(lexicon / "roles.tsv") for t in self.column(r, 0)}
        self.schools = [t for r in rows(lexicon / "school_aliases.tsv") for t in self.column(r, 0)]
        self.skills = [self.column(r, 0)[0] for r in rows(lexicon / "skills.tsv")]
        self.known_skills = {t.lower() for r in rows(lexicon / "skills.tsv") for t in self.column(r, 0)}
        self.languages = [self.column(r, 0)[0] for r in rows(lexicon / "languages.tsv")]
        industries = [t for r in rows(lexicon / "industries.tsv") for t in self.column(r, 1)[:6]]
        self.industries = [t for t in industries if len(t) < 32 and "~" not in t]
        self.known_industries = set(self.industries)
        listed = [self.column(r, 0)[0] for r in rows(lexicon / "company_aliases.tsv")]
        made = [s + f for s in SURNAMES for f in FORMS] + [s + e for s in STARTS for e in ENDS]
        self.companies = listed * 3 + made

    @staticmethod
    def column(row: list[str], number: int) -> list[str]:
        return [t.strip() for t in row[number].split(";") if t.strip()] if len(row) > number else []

    def other(self, dice: random.Random, span: marks.Span, old: list[str]) -> list[str] | None:
        """Returns another name of the kind, if the old one is one that can be swapped."""
        text, chosen = " ".join(old).lower(), None
        singular = text[:-1] if text.endswith("s") else text
        if span.kind == "p" and not span.values["side"]:
            chosen = dice.choice(self.cities if dice.random() < 0.75 else self.regions)
        elif span.kind == "c":
            chosen = dice.choice(self.companies)
        elif span.kind == "S" and self.schools:
            chosen = dice.choice(self.schools)
        elif span.kind == "n":
            chosen = f"{dice.choice(GIVEN)} {dice.choice(SURNAMES)}" if len(old) > 1 else dice.choice(GIVEN + SURNAMES)
        elif span.kind == "s" and text in (t.lower() for t in self.languages):
            chosen = dice.choice(self.languages)
        elif span.kind == "s" and text in self.known_skills:
            chosen = dice.choice(self.skills)
        elif span.kind == "i" and text in self.known_industries:
            chosen = dice.choice(self.industries)
        elif span.kind == "t" and (text in self.known_titles or singular in self.known_titles):
            chosen = dice.choice(self.titles)
            if text != singular and not chosen.endswith("s"):
                chosen += "s"
            if old[0][:1].isupper():
                chosen = chosen.title()
        if chosen is None:
            return None
        if all(w == w.lower() for w in old) and span.kind not in "sit":
            chosen = chosen.lower()
        return words(chosen)[:6]


class Variants:
    """Makes variants of examples."""

    def __init__(self, names: Names, swaps: float):
        self.names, self.swaps = names, swaps
        self.before = [words(p) for p in parts(BEFORE)]
        self.after = [words(p) for p in parts(AFTER)]

    def vary(self, dice: random.Random, e: marks.Example) -> marks.Example:
        out = marks.Example(list(e.words), [s.copy() for s in e.spans], e.source, e.text, set(e.free), e.english)
        self.swap(dice, out)
        if out.english and dice.random() < 0.12 and out.words[0].lower() not in OPENED:
            insert(out, 0, dice.choice(self.before))
        if out.english and dice.random() < 0.1 and out.words[-1].isalnum():
            out.words += dice.choice(self.after)
        if dice.random() < 0.12:
            out.words = [w.lower() for w in out.words]
        if dice.random() < 0.08:
            drop_signs(out)
        for _ in range(3):
            if dice.random() < 0.07:
                mistype(dice, out)
        return out

    def swap(self, dice: random.Random, e: marks.Example) -> None:
        for s in e.spans:
            known = e.english or s.kind in "pcnS"
            if dice.random() < self.swaps and s.end - s.start <= 4 and known and not e.free:
                new = self.names.other(dice, s, e.words[s.start : s.end])
                if new:
                    grow, end = len(new) - (s.end - s.start), s.end
                    e.words[s.start : end] = new
                    s.end += grow
                    for other in e.spans:
                        if other is not s and other.start >= end:
                            other.start, other.end = other.start + grow, other.end + grow


def insert(e: marks.Example, at: int, new: list[str]) -> None:
    e.words[at:at] = new
    e.free = {i + len(new) if i >= at else i for i in e.free}
    for s in e.spans:
        if s.start >= at:
            s.start, s.end = s.start + len(new), s.end + len(new)


def drop_signs(e: marks.Example) -> None:
    """Leaves out signs, as in a search box or a message; those within a span stay."""
    inside = {i for s in e.spans for i in range(s.start, s.end)}
    kept = [i for i, w in enumerate(e.words) if w.isalnum() or w in "'-’" or i in inside]
    place = {old: new for new, old in enumerate(kept)}
    e.words = [e.words[i] for i in kept]
    e.free = {place[i] for i in e.free if i in place}
    for s in e.spans:
        s.start, s.end = place[s.start], place[s.end - 1] + 1


def mistype(dice: random.Random, e: marks.Example) -> None:
    """Leaves out, doubles, swaps or replaces a letter of a longer word."""
    long = [i for i, w in enumerate(e.words) if len(w) > 4 and w.isalpha()]
    if long:
        i = dice.choice(long)
        w = e.words[i]
        k = dice.randrange(1, len(w) - 1)
        near = dice.choice("eaiourtnsl")
        e.words[i] = dice.choice([w[:k] + w[k + 1 :], w[:k] + w[k + 1] + w[k] + w[k + 2 :], w[:k] + w[k] + w[k:],
                                  w[:k] + near + w[k + 1 :]])
