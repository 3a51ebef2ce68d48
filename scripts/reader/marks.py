"""Marked prompts: text with the words that ask for something in braces."""

import dataclasses
import pathlib
import re
import unicodedata
import zlib

import schema

# While a line is read, one character of no text stands for each escaped one.
STAND_INS = {"\\\\": "\ue000", "\\{": "\ue001", "\\}": "\ue002"}
MARK = re.compile(r"\{([a-zA-Z])((?:\.[\w?]+)*)\s+([^{}]*)\}")

# The heading of prompts that are not in English, which get no English courtesy; "English as a German writes it" and
# "German hand" are English.
OTHER_LANGUAGE = re.compile(r"^# *(German|French|Spanish|Portuguese|Italian|Dutch)\b(?!.* hand)|^#.*languages", re.I)


@dataclasses.dataclass
class Span:
    """Words start to end (exclusive) of a prompt, with a value for each head of their kind."""

    kind: str
    start: int
    end: int
    values: dict[str, str]

    def copy(self) -> "Span":
        return Span(self.kind, self.start, self.end, dict(self.values))

    @property
    def open(self) -> bool:
        """A reader may leave the words out."""
        return self.values.get("open") == "?"


@dataclasses.dataclass
class Example:
    """The words of a prompt with their spans. free has words of which the gold says too little to learn from."""

    words: list[str]
    spans: list[Span]
    source: str
    text: str
    free: set[int] = dataclasses.field(default_factory=set)
    english: bool = True

    @property
    def overlaps(self) -> bool:
        """Two spans have a word in common, because a space is missing between them."""
        return any(s.start < before.end for before, s in zip(self.spans, self.spans[1:]))


def words_of(text: str) -> list[tuple[int, int]]:
    """Returns where words start and end: runs of letters, marks and digits; any other visible character is one."""
    out, start = [], None
    for i, c in enumerate(text):
        if unicodedata.category(c)[0] in "LMN":
            start = i if start is None else start
            continue
        if start is not None:
            out.append((start, i))
            start = None
        if not c.isspace():
            out.append((i, i + 1))
    if start is not None:
        out.append((start, len(text)))
    return out


def values_of(kind: str, attributes: list[str]) -> dict[str, str]:
    values = {head: schema.HEADS[head][0][0] for head in schema.heads_of(kind)}
    for attribute in attributes:
        values[schema.place(kind, attribute)] = attribute
    return values


def parse(line: str, source: str, english: bool = True) -> Example:
    """Reads a marked prompt."""
    for escaped, stand_in in STAND_INS.items():
        line = line.replace(escaped, stand_in)
    text, ranges, at = "", [], 0
    for m in MARK.finditer(line):
        text += line[at:m.start()]
        body = m[3].strip()
        ranges.append((m[1], [a for a in m[2].split(".") if a], len(text), len(text) + len(body)))
        text += body
        at = m.end()
    text += line[at:]
    if "{" in text or "}" in text:
        raise ValueError(f"a brace without its partner or without a code: {line}")
    for escaped, stand_in in STAND_INS.items():
        text = text.replace(stand_in, escaped[1])
    places = words_of(text)
    spans = []
    for kind, attributes, start, end in ranges:
        inside = [i for i, (a, b) in enumerate(places) if a < end and b > start]
        if not inside:
            raise ValueError(f"a mark without words: {line}")
        spans.append(Span(kind, inside[0], inside[-1] + 1, values_of(kind, attributes)))
    return Example([text[a:b] for a, b in places], spans, source, text, english=english)


def load(folder: pathlib.Path) -> list[Example]:
    """Reads all files of a folder; a prompt that stands there twice counts once."""
    out, seen = [], set()
    for file in sorted(folder.glob("*.txt")):
        english = True
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            line = line.strip()
            if line.startswith("#"):
                english = not OTHER_LANGUAGE.search(line)
            if not line or line.startswith("#"):
                continue
            try:
                example = parse(line, file.stem, english)
            except ValueError as e:
                raise ValueError(f"{file.name}:{number}: {e}") from e
            if example.text not in seen and not example.overlaps:
                seen.add(example.text)
                out.append(example)
    return out


def is_dev(text: str) -> bool:
    """Says whether a prompt is in the dev part, which is never trained on: every tenth by hash."""
    return zlib.crc32(text.encode()) % 10 == 0
