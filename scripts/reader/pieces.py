"""Words to numbers: word pieces as the encoder's tokenizer splits them, and the shape of a word."""

import dataclasses
import functools
import json
import pathlib
import unicodedata

import known

MAX_WORD = 100  # bytes; a longer word is unknown
UNKNOWN, BEGIN, END = 100, 101, 102  # [UNK], [CLS], [SEP]
MAX_PIECES = 254  # of a prompt, without the marks at its ends
SHAPES = [
    "lower", "lower in a prompt without capitals", "capital", "capitals", "mixed", "digits", "letters and digits",
    "sign",
]


class Vocabulary:
    """The pieces of the encoder."""

    def __init__(self, tokenizer: pathlib.Path):
        self.ids: dict[str, int] = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]

    @functools.lru_cache(200_000)
    def pieces(self, word: str) -> tuple[int, ...]:
        """Splits a word into the longest known pieces from the left; a word with an unknown part is one unknown."""
        word = "".join(c for c in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(c) != "Mn")
        out, at = [], 0
        if len(word.encode()) > MAX_WORD:
            return (UNKNOWN,)
        while at < len(word):
            end = len(word)
            while end > at and (self.ids.get(("##" if at else "") + word[at:end])) is None:
                end -= 1
            if end == at:
                return (UNKNOWN,)
            out.append(self.ids[("##" if at else "") + word[at:end]])
            at = end
        return tuple(out) or (UNKNOWN,)


def shape(word: str, capitals: bool) -> int:
    """Returns the shape of a word of a prompt with or without capitals."""
    kinds = {unicodedata.category(c)[0] for c in word}
    if not kinds & set("LN"):
        return 7
    if "L" not in kinds:
        return 5
    if "N" in kinds:
        return 6
    if word == word.lower():
        return 0 if capitals else 1
    if word == word.upper() and len(word) > 1:
        return 3
    return 2 if word[1:] == word[1:].lower() else 4


@dataclasses.dataclass
class Input:
    """Pieces, shape and features of the words of a prompt that the model reads: those in the first [MAX_PIECES]."""

    pieces: list[list[int]]
    shapes: list[int]
    features: list[list[int]]


def encode(vocabulary: Vocabulary, words: list[str], features: list[list[int]]) -> Input:
    capitals = any(w != w.lower() for w in words)
    out, count = [], 0
    for word in words:
        pieces = list(vocabulary.pieces(word))
        count += len(pieces)
        if count > MAX_PIECES:
            break
        out.append(pieces)
    return Input(out, [shape(w, capitals) for w in words[: len(out)]], features[: len(out)])


class Encoder:
    """Makes the input of prompts."""

    def __init__(self, vocabulary: Vocabulary, known: known.Known):
        self.vocabulary, self.known = vocabulary, known

    def encode(self, prompts: list[list[str]]) -> list[Input]:
        return [encode(self.vocabulary, p, f) for p, f in zip(prompts, self.known.features(prompts))]
