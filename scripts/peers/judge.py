"""Compares the answers of a system with those of the oracle."""

from collections import Counter

from peer import Peer
from systems import PAGE


def judge(peer: Peer, search: dict, expected: dict[int, str]) -> str:
    """What is wrong with a system's answer to a search, as people missing (-) and people too many (+), or empty."""
    page, _ = peer.call("answer", search)
    if search["kind"] == "best":
        wanted = page[:len(expected)]
        return difference(set(wanted), set(expected) if len(expected) < PAGE else set(wanted) & set(expected))
    everyone, _ = peer.call("everyone", search)
    wrong = difference(set(everyone), set(expected))
    if search["kind"] == "count":
        return wrong or difference_of(page, len(expected))
    if search["kind"] == "facet":
        return wrong or facets(page, expected)
    full = min(PAGE, len(set(everyone)))
    if len(everyone) != len(set(everyone)) or len(set(page)) != full or not set(page) <= set(everyone):
        raise RuntimeError(f"{peer.name}, {search['ask']}: the first page contradicts the rest: {page}")
    return wrong


def difference(got: set[int], expected: set[int]) -> str:
    missing, extra = len(expected - got), len(got - expected)
    return " ".join([f"−{missing}"] * bool(missing) + [f"+{extra}"] * bool(extra))


def difference_of(got: int, expected: int) -> str:
    return "" if got == expected else f"{got} instead of {expected}"


def facets(got: dict[str, int], expected: dict[int, str]) -> str:
    """Checks the ten most frequent countries; of those that are as frequent as the tenth, any will do."""
    counts = Counter(country for country in expected.values() if country)
    most = [n for _, n in counts.most_common(10)]
    right = all(counts[country] == n for country, n in got.items()) and sorted(got.values(), reverse=True) == most
    return "" if right else "other countries"
