"""The labels of the tagger: kinds of marks and their attributes, in the order in which the model numbers them.

The codes are those of marked prompts. The model file repeats the tables, so that Go needs no copy.
"""

KINDS = list("tflLocizgFskSdDGnpywjuNq")

TAGS = ["O"] + [prefix + kind for kind in KINDS for prefix in "BI"]
TAG = {tag: number for number, tag in enumerate(TAGS)}

# The values of each head, with the kinds that have it. A mark of them has one of the values; the empty one is not
# written.
HEADS: dict[str, tuple[list[str], str]] = {
    "polarity": (["", "not"], "tflLocizgFskSdDGnpywjuNq"),
    "time": (["", "past", "any", "prev"], "tflLocizg"),
    "side": (["", "co", "any", "pc"], "p"),
    "span": (["", "ten", "et"], "y"),
    "bound": (["", "min", "max", "eq", "abt", "last"], "FGy"),
    "size": (["", "min", "max", "eq", "abt", "last", "adj"], "z"),
    "join": (["", "or", "both"], "tflLocizgFskSdDGnpywju"),
    "step": (["", "s1", "s2", "s3"], "tflLocizgFskSdDGnpywju"),
    "how": (
        ["moved", "then", "promoted", "returned", "first", "only", "stay", "atleast", "count", "previous", "none",
         "became", "intro", "knows", "worked_with", "studied_with", "other"],
        "q",
    ),
    "event": (["", "left", "joined", "became", "held"], "w"),
    "degree": (["1", "2", "all"], "N"),
    "open": (["", "?"], "tflLocizgFskSdDGnpywjuNq"),
}


def heads_of(kind: str) -> list[str]:
    """Returns the attributes that a kind can have."""
    return [head for head, (_, kinds) in HEADS.items() if kind in kinds]


def place(kind: str, attribute: str) -> str:
    """Returns the head of an attribute of a kind; no kind has a value twice."""
    for head in heads_of(kind):
        if attribute in HEADS[head][0]:
            return head
    raise ValueError(f"{kind} has no attribute {attribute}: use those of the README of marked prompts")
