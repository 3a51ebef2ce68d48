"""How well spans are read: exact spans, and prompts without any error."""

import collections

import marks


def kept(spans: list[marks.Span]) -> set[tuple]:
    return {key(s) for s in spans if not s.open}


def key(s: marks.Span) -> tuple:
    values = tuple(sorted((head, value) for head, value in s.values.items() if value and head != "open"))
    return (s.kind, s.start, s.end, values)


class Score:
    """Counts over prompts. Spans that a reader may leave out count neither as right nor as wrong."""

    def __init__(self) -> None:
        self.right = self.read = self.gold = self.prompts = self.whole = self.whole_kinds = 0
        self.by_kind: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0])
        self.by_source: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
        self.heads: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
        self.sure: list[tuple[float, bool]] = []  # the log-probability of each reading, and whether it is right

    def add(self, e: marks.Example, read: list[marks.Span], log_p: float) -> None:
        optional = {i for s in e.spans if s.open for i in range(s.start, s.end)} | e.free
        read = [s for s in read if not set(range(s.start, s.end)) & optional]
        gold, said = kept(e.spans), kept(read)
        self.right += len(gold & said)
        self.read += len(said)
        self.gold += len(gold)
        self.prompts += 1
        self.whole += gold == said
        self.sure.append((log_p, gold == said))
        self.whole_kinds += {k[:3] for k in gold} == {k[:3] for k in said}
        self.by_source[e.source][0] += gold == said
        self.by_source[e.source][1] += 1
        for k in gold | said:
            counts = self.by_kind[k[0]]
            counts[0] += k in gold and k in said
            counts[1] += k in said
            counts[2] += k in gold
        places = {(s.kind, s.start, s.end): s for s in read}
        for s in e.spans:
            other = places.get((s.kind, s.start, s.end))
            for head, value in s.values.items() if other and not s.open else []:
                self.heads[head][0] += other.values[head] == value
                self.heads[head][1] += 1

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, self.read + self.gold)

    def line(self) -> str:
        n = max(1, self.prompts)
        return (f"{self.prompts} prompts: spans F1 {self.f1:.3f}, wholly right {self.whole / n:.3f}, "
                f"without attributes {self.whole_kinds / n:.3f}")

    def details(self) -> str:
        out = ["kind: exact spans, read, gold"]
        out += [f"  {k} {a} {b} {c}" for k, (a, b, c) in sorted(self.by_kind.items(), key=lambda x: -x[1][2])]
        out += ["attributes on spans of the right extent"]
        out += [f"  {head} {a / b:.3f} of {b}" for head, (a, b) in self.heads.items()]
        out += ["the surest to the least sure quarter: least log-probability, wholly right"]
        sure, quarter = sorted(self.sure, reverse=True), max(1, len(self.sure) // 4)
        for some in (sure[i : i + quarter] for i in range(0, quarter * 4, quarter)):
            out += [f"  {some[-1][0]:.2f} {sum(right for _, right in some) / len(some):.3f}"] if some else []
        out += ["file: wholly right"]
        out += [f"  {source} {a} of {b}" for source, (a, b) in sorted(self.by_source.items())]
        return "\n".join(out)
