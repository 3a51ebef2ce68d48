#!/usr/bin/env python3
"""Scores how a people-search service understands prompts, against gold that knows nothing of its planner.

  python3 judge.py BASE TOKEN FILE [--detail OUT] [--save OUT] [--saved IN] [--category A,B]
      [--network gold|strict|lenient] [--check-gold]

Each prompt of FILE is sent to POST BASE/v2/people/search; metadata.interpretation of the answer is compared with the
gold (sets/README.md says how gold is written). The last line of output is JSON: rates in total and per category, and
how often each kind of error was met. --detail writes one line a prompt: verdict, errors, and what was understood.
--save keeps the answers, --saved judges kept ones instead of asking. Python 3.11, standard library only.

  correct  everything asked for is there, nothing else is, and what no record holds is reported
  partial  something is lost, or no record holds it, and the answer says so; or an unsupported word vanished silently
  wide     something asked for is lost silently: too many people
  wrong    something else was asked for: other words, field, time, side, bound, polarity; both instead of either
"""

import argparse, collections, itertools, json, re, sys, time, unicodedata, urllib.error, urllib.request

# ------ words
STOP = set(
    "a an and or of at in on the to for by with from as is are be who whom whose that which not no do does "
    "my me i we our us you your it its he she they their them his her this these those there here all any some "
    "de la le les des du un une et ou el los las y o e da do dos das em na no os a il lo gli i di del della "
    "im am der die das den dem und oder bei in mit von van het een en bij met zu zur zum aus".split()
)
LITERAL = {w for w in STOP if len(w) > 1} - set(
    "it us no as all he us im am en el al os".split()
)  # words that begin or end no value that was understood
MISC = str.maketrans({"ø": "o", "ß": "ss", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "’": "'", "‘": "'"})


def fold(s):
    s = unicodedata.normalize("NFKD", str(s).lower().translate(MISC))
    return "".join(c for c in s if not unicodedata.combining(c))


def toks(s):
    return re.findall(r"[^\W_]+", re.sub(r"'s\b", "", fold(s)))


def stem(w):
    if len(w) > 4 and w.endswith("ies"):
        return w[:-3] + "y"
    if len(w) > 4 and w.endswith(("sses", "shes", "ches", "xes")):
        return w[:-2]
    if len(w) > 2 and w.endswith("s") and not w.endswith("ss"):
        return w[:-1]
    return w


def same(a, b):
    return a == b or stem(a) == stem(b)


def loose(a, b):
    """a word of the gold and one of a value: the same root is enough"""
    if same(a, b):
        return True
    if len(a) < 4 or len(b) < 4:
        return False
    n = 0
    for x, y in zip(a, b):
        if x != y:
            break
        n += 1
    return n >= 4 and n >= min(len(a), len(b)) - (1 if min(len(a), len(b)) < 8 else 2) and abs(len(a) - len(b)) <= 5


def wordlist(ws):
    """the words of a gold list; words of grammar only where nothing else is"""
    t = [x for w in ws for x in toks(w)]
    return [x for x in t if x not in STOP] or t


# ------ what was understood
JOB = ("position", "title", "seniority", "function", "company")
PLACES = ("country", "state", "city", "region", "metro", "location", "place", "area", "neighbourhood")
NETRE = re.compile(
    r"network|\bpaths?\b|introduc|connection|degree of|\bdegree\b.*\b(you|contact|away)|relationship|contacts?\b|"
    r"\bknows?\b|acquaint|circle",
    re.I,
)
NETKEY = re.compile(r"network|introduc|connect|degrees|relationship|circle|knows|^paths?$", re.I)


def split_values(v):
    out, cur, q = [], "", False
    for ch in v:
        if ch == '"':
            q = not q
        if ch == "," and not q:
            out.append(cur)
            cur = ""
        else:
            cur += ch
    return [x.strip() for x in out + [cur] if x.strip()]


class Claim:
    """one thing that the service says it asks for"""

    def __init__(self, base, when, pos, text, vals, raw, kind="filter", plus=(), says="", relation="", step=None):
        self.base, self.when, self.pos, self.raw, self.kind, self.says = base, when, pos, raw, kind, says
        self.plus = [toks(v) for v in plus]  # what must hold on its own
        self.text = toks(text)
        self.vals = [toks(v) for v in vals]
        self.value = ", ".join(vals)
        self.relation, self.step, self.soft = relation, step, False

    def in_text(self, w):
        return any(same(w, t) for t in self.text)

    def in_vals(self, w):
        return any(loose(w, t) for v in self.vals for t in v)

    def covers(self, w):
        return self.in_text(w) or self.in_vals(w)

    def one_value_has(self, ws):
        return any(all(any(loose(w, t) or (len(w) >= 4 and t.startswith(w)) for t in v) for w in ws) for v in self.vals)

    def side(self):
        return "person" if self.base in PLACES else "company"

    def __repr__(self):
        return ("-" if not self.pos else "") + self.raw


def parse_field(f):
    m = re.match(r"^(any|past|previous|first|current|ever|former|last)([A-Z]\w*)$", f)
    if not m:
        return f, "now"
    b = m.group(2)[0].lower() + m.group(2)[1:]
    return b, {
        "any": "any",
        "ever": "any",
        "past": "past",
        "former": "past",
        "previous": "prev",
        "last": "prev",
        "first": "first",
        "current": "now",
    }[m.group(1)]


def filter_claims(field, value, text, excluded, kind="filter"):
    base, when = parse_field(field)
    raw = "%s=%s <- %s" % (field, value if len(value) < 90 else value[:90] + "…", text)
    if NETKEY.search(field):
        return [Claim("network", None, not excluded, text, [value], raw, "network", says=field + " " + value)]
    pos, neg, plus = [], [], []
    for v in split_values(value):
        sign = re.match(r"^[+=-]*", v).group(0)
        s = v[len(sign) :].strip('"')
        if "-" in sign:
            neg.append(s)
        else:
            pos.append(s)
        if "+" in sign and "-" not in sign:
            plus.append(s)
    if excluded or not pos:
        return [Claim(base, when, False, text, neg or pos, raw, kind)]
    if base not in known():  # a field that this table does not know: like a condition in words
        return [
            Claim(
                "condition",
                None,
                True,
                text,
                [field + " " + v for v in pos],
                raw,
                "condition",
                says=field + ": " + value,
            )
        ]
    out = [Claim(base, when, True, text, pos, raw, kind, plus)]
    if neg:
        out.append(Claim(base, when, False, text, neg, raw, "inner"))
    return out


def condition_claims(c):
    says, text, rel = str(c.get("says") or ""), str(c.get("text") or ""), str(c.get("relation") or "")
    m = re.match(r"^([a-z][A-Za-z]+): (.*)$", says)
    if m and not rel:
        return filter_claims(m.group(1), m.group(2), text, bool(c.get("excluded")), "condition")
    raw = "condition(%s) <- %s" % (says, text)
    if rel or c.get("step") is not None:
        return [
            Claim(
                "relation",
                None,
                not c.get("excluded"),
                text,
                [says],
                raw,
                "relation",
                says=says,
                relation=rel,
                step=c.get("step"),
            )
        ]
    if NETRE.search(says) and not toks(says) == toks(text):
        return [Claim("network", None, not c.get("excluded"), text, [says], raw, "network", says=says)]
    return [
        Claim(
            "condition",
            None,
            not c.get("excluded"),
            text,
            re.split(r", or | or |, ", says),
            raw,
            "condition",
            says=says,
        )
    ]


class Answer:
    def __init__(self, meta):
        i = meta.get("interpretation") or {}
        self.claims, self.steps = [], i.get("steps") or []
        for f in i.get("filters") or []:
            self.claims += filter_claims(
                f.get("field", ""), str(f.get("value", "")), str(f.get("text") or ""), bool(f.get("excluded"))
            )
        for c in i.get("conditions") or []:
            self.claims += condition_claims(c)
        for c in i.get("criteria") or []:
            if isinstance(c, str):
                c = {"name": c, "text": c}
            self.claims.append(
                Claim(
                    "criterion",
                    None,
                    True,
                    c.get("text") or "",
                    [str(c.get("name") or "")],
                    "criterion(%s) <- %s" % (c.get("name"), c.get("text")),
                    "criterion",
                )
            )
        for src in (i, meta):
            for k, v in src.items():
                if k in (
                    "filters",
                    "conditions",
                    "criteria",
                    "steps",
                    "ignored",
                    "notes",
                    "network_stage_complete",
                    "interpretation",
                    "counts",
                    "source",
                    "generated_sql",
                    "corrections",
                    "alternatives",
                    "closest",
                    "without",
                ):
                    continue
                if (
                    src is i and not NETKEY.search(k) and isinstance(v, list)
                ):  # members of the interpretation that are new
                    for x in v:
                        if isinstance(x, dict) and (x.get("text") or x.get("says")):
                            for y in condition_claims(x):
                                y.soft = True
                                self.claims.append(y)
                if NETKEY.search(k) and v not in (None, False, "", [], {}):
                    for x in v if isinstance(v, list) else [v]:
                        t = str(x.get("text") or "") if isinstance(x, dict) else ""
                        says = json.dumps(
                            {a: b for a, b in x.items() if a not in ("span", "text") and b is not None}
                            if isinstance(x, dict)
                            else x,
                            ensure_ascii=False,
                        )
                        of = x.get("introducers_of") if isinstance(x, dict) else None
                        self.claims.append(
                            Claim(
                                "network",
                                None,
                                True,
                                t,
                                [says],
                                "%s: %s" % (k, says[:120]),
                                "network",
                                says=k + " " + says,
                                step=of if isinstance(of, int) and not isinstance(of, bool) else None,
                            )
                        )
        self.ignored = toks(" ".join(str(x) for x in i.get("ignored") or []))
        self.notes = toks(" ".join(str(x) for x in i.get("notes") or []))
        self.mode = meta.get("mode")

    def told(self, ws):
        ws = [w for w in ws if w not in STOP] or ws
        return any(any(same(w, t) for t in self.ignored) or any(loose(w, t) for t in self.notes) for w in ws)

    def step_claims(self, n):
        s = self.steps[n] if isinstance(n, int) and n < len(self.steps) else None
        if not s:
            return []
        out = []
        for f, v in (s.get("filters") or {}).items():
            out += filter_claims(f, str(v), "", str(v).lstrip().startswith("-"))
        for c in out:
            c.text = toks(s.get("text") or s.get("says") or "")
        for r in s.get("relations") or []:
            if isinstance(r, dict):
                out += condition_claims(r)
        return out


# ------ kinds of gold and fields
# kind: (fields that can hold it, fields that may help)
COMPANY_KIND = {
    "companyIndustry",
    "companyKeywords",
    "companyType",
    "company",
    "companyFundingStage",
    "keywords",
    "industry",
    "companyCategory",
    "companyDescription",
    "condition",
}
FIELDS = {
    "title": (
        {"position", "title", "role"},
        {
            "seniority",
            "function",
            "keywords",
            "skills",
            "companyIndustry",
            "companyKeywords",
            "companyType",
            "fieldOfStudy",
            "degree",
            "topics",
            "condition",
        },
    ),
    "function": ({"function", "position", "title"}, {"condition", "seniority"}),
    "level": ({"seniority", "position", "title", "level"}, {"condition"}),
    "owner": ({"seniority", "position", "title", "condition"}, {"companyType"}),
    "lead": (
        {
            "position",
            "title",
            "function",
            "seniority",
            "keywords",
            "skills",
            "companyIndustry",
            "companyKeywords",
            "fieldOfStudy",
            "condition",
        },
        set(),
    ),
    "company": ({"company", "companyUrl", "companySocial", "employer", "condition"}, set()),
    "industry": (COMPANY_KIND, {"companySize"}),
    "size": ({"companySize"}, set()),
    "stage": ({"companyFundingStage", "fundingStage"}, {"companyType", "companySize", "companyKeywords"}),
    "founded": ({"companyFoundedYear", "condition"}, set()),
    "skill": ({"skills", "keywords", "position", "languages", "language", "certifications", "condition"}, set()),
    "topic": (
        {
            "keywords",
            "skills",
            "companyKeywords",
            "companyIndustry",
            "companyType",
            "position",
            "function",
            "fieldOfStudy",
            "topics",
            "condition",
        },
        set(),
    ),
    "school": ({"school"}, {"condition"}),
    "degree": ({"degree", "condition"}, {"keywords", "position"}),
    "field": ({"fieldOfStudy", "condition"}, {"degree", "keywords", "position"}),
    "graduated": ({"graduationYear", "condition"}, set()),
    "name": ({"name"}, set()),
    "years": ({"experienceYears", "tenureYears", "stayYears", "condition"}, set()),
}
LEVELS = set(
    "founder cofounder co partner intern internship director vp vice president manager head executive chief level entry "
    "junior "
    "senior lead leader leadership owner management entrepreneur c trainee founded".split()
)
LEADERS = set(
    "head director vp vice chief lead leader manager president officer principal superintendent supervisor cxo".split()
)
TIMED = {"title", "function", "level", "owner", "lead", "company", "industry", "size", "stage", "founded"}


def whens(c, force=None):
    w = set((force or c.get("when") or "now").split("|"))
    if "past" in w:
        w |= {"prev"}
    if "any" in w:
        w |= {"first"} if "first" in w else set()
    return w


_known = set()


def known():
    if not _known:
        for a, b in FIELDS.values():
            _known.update(a | b)
        _known.update(PLACES)
        _known.update("company" + p[0].upper() + p[1:] for p in PLACES)
        _known.update(
            "endYears startYear startDate endDate endYear companyStartYear name socialId socialUrl companySocialUrl "
            "email".split()
        )
    return _known


def alts(c):
    a = [wordlist(x) for x in [c.get("words") or []] + (c.get("or") or [])]
    return [x for x in a if x]


def all_words(c):
    ws = [w for a in alts(c) for w in a] + wordlist(c.get("with") or [])
    for k in ("steps",):
        for s in c.get(k) or []:
            for x in s:
                ws += all_words(x)
    for k in ("who", "to"):
        for x in c.get(k) or []:
            ws += all_words(x)
    return ws


def side_ok(c, cl):
    of = set(str(c.get("of") or "person").split("|"))
    if cl.base in PLACES:
        return "person" in of
    b = cl.base[7:8].lower() + cl.base[8:]
    if cl.base.startswith("company") and b in PLACES:
        return ("company" in of and cl.when == "now") or ("any" in of and cl.when in ("any", "past", "prev"))
    return cl.base == "condition"


def is_place(cl):
    b = cl.base[7:8].lower() + cl.base[8:]
    return cl.base in PLACES or (cl.base.startswith("company") and b in PLACES)


def field_ok(c, cl):
    k = c["is"]
    if cl.kind in ("criterion", "relation", "network"):
        return False
    if k == "place":
        return is_place(cl) or cl.base == "condition"
    if k in FIELDS:
        return cl.base in FIELDS[k][0] or cl.base in FIELDS[k][1]
    return False


def time_ok(c, cl, force=None):
    if c["is"] == "place" or cl.when is None:
        return True
    timed = cl.base in ("position", "title", "role", "seniority", "function") or cl.base.startswith("company")
    if not timed:
        return True
    if c["is"] in ("skill", "topic", "field", "degree", "school", "name"):
        return cl.when in whens(c, force) | (
            {"any"} if c.get("when") is None and c["is"] in ("skill", "topic") else set()
        )
    return cl.when in whens(c, force)


def numbers(v):
    """(low, high) of a range as filters write it; None is open"""
    v = v.strip().lower().replace("–", "-").replace(",", "") if not re.search(r",\s", v) else v.lower()
    los, his = [], []
    for p in split_values(v):
        p = p.strip('"+ ') if p.startswith("+") else p.strip('" ')
        band = {"small": (1, 50), "medium": (51, 500), "large": (501, 5000), "enterprise": (5001, None)}.get(p)
        m = re.match(r"^(>=|<=|>|<)?\s*(\d+(?:\.\d+)?)\s*(?:(-|to|\.\.)\s*(\d+(?:\.\d+)?)|(\+))?$", p)
        if band:
            a, b = band
        elif not m:
            continue
        else:
            op, x, dash, y, pl = m.groups()
            x = float(x)
            if dash:
                a, b = x, float(y)
            elif pl or op in (">", ">="):
                a, b = x, None
            elif op in ("<", "<="):
                a, b = None, x
            else:
                a, b = x, x
        los.append(a)
        his.append(b)
    if not los:
        return None
    return (None if None in los else min(los), None if None in his else max(his))


def bound_ok(c, rng):
    lo, hi = rng
    if c.get("last") is not None:
        y = time.localtime().tm_year
        return lo is not None and abs(lo - (y - c["last"])) <= 1 and (hi is None or hi >= y - 1)
    if c.get("about") is not None:
        x = c["about"]
        big = x >= 1000
        return (
            lo is not None
            and hi is not None
            and lo <= x <= hi
            and (hi - lo) >= min(1, x * 0.1)
            and lo >= x * 0.5
            and hi <= x * 1.7
        )
    for want, got in ((c.get("min"), lo), (c.get("max"), hi)):
        if (want is None) != (got is None):
            if want is None and got in (0, 1) and got is lo:
                continue
            if got is None and want in (0, 1):
                continue
            return False
        if want is not None and abs(want - got) > (
            1 if want >= 2 and c["is"] in ("size", "years", "founded", "graduated") else 0
        ):
            return False
    return True


EVENT = {
    "left": r"\b(left|ended|leaves|leaving|gone)\b",
    "joined": r"\b(came|joined|come|started|began at|arrived|hired|new to)\b",
    "became": r"\b(promoted|became|become|job began|took|appointed|in the (present )?(job|role)|role)\b",
    "held": r"\b(was there|were there|held|was in|there (in|from|between|to)|during|at the time|in office|job in)\b",
    "experience": r"\bexperience\b",
}
HOW = {
    "returned": r"came back|return|back to|again|two stays|separate stays",
    "promoted": r"promot|same (company|stay)|risen|rose|from within",
    "first": r"first|began|started|earliest",
    "only": r"only|nowhere else|never|no other|one employer|single",
    "stay": r"stay|year|month|there for|lasted|long|tenure",
    "atleast": r"at least|two|three|both|of them|more",
    "count": r"two|three|more|at least|several|founded|serial|\d",
    "none": r"no (present|current) job|out of work|no job|between jobs|unemployed",
    "became": r".",
    "moved": r".",
    "then": r".",
    "both": r".",
    "previous": r"prev|before|last|right before",
}


class Result:
    def __init__(self):
        self.errors, self.used, self.expl = [], set(), set()

    def add(self, kind, sev, what):
        self.errors.append((kind, sev, what))


WRONG, WIDE, PARTIAL = 3, 2, 1


# ------ judging one reading
class Judge:
    def __init__(self, ans, gold, claims=None, network="gold", top=True):
        self.a, self.gold, self.top, self.net = ans, gold, top, network
        self.claims = ans.claims if claims is None else claims
        self.errors, self.explained, self.helped = [], set(), collections.Counter()
        self.required = self.met = 0
        self.goldwords = [w for c in gold if c["is"] != "unsupported" for w in all_words(c)]
        for c in gold:
            for m in c.get("means") or []:
                self.goldwords += toks(m)
            if c["is"] == "lead":
                self.goldwords += sorted(LEADERS)

    def err(self, kind, sev, what):
        self.errors.append((kind, sev, what))

    def name(self, c):
        a = " | ".join(" ".join(x) for x in alts(c))
        n = "–".join(str(c[k]) for k in ("min", "max", "about", "last") if k in c)
        return "%s%s%s %s" % (
            "not " if c.get("not") else "",
            c["is"],
            "@" + c["when"] if c.get("when") else "",
            (a + " " + n).strip(),
        )

    # -- one constraint
    def one(self, c, force=None):
        k = c["is"]
        if k in ("network", "introduction"):
            return self.network(c)
        if k == "unsupported":
            return self.unsupported(c)
        if k == "judgement":
            return self.judgement(c)
        if k == "relation":
            return self.relation(c)
        if k == "career":
            return self.career(c)
        if k == "when":
            return self.event(c)
        if k in ("years", "size", "founded", "graduated") and any(x in c for x in ("min", "max", "about", "last")):
            return self.number(c, force)
        return self.worded(c, force)

    def good(self, c, force=None):
        want = not c.get("not")
        ws = all_words(c)
        return [
            x
            for x in self.claims
            if field_ok(c, x)
            and x.pos == want
            and time_ok(c, x, force)
            and (c["is"] != "place" or side_ok(c, x))
            and (
                not x.text
                or not ws
                or x.kind == "inner"
                or any(x.in_text(w) for w in ws)
                or (c["is"] == "lead" and x.base == "seniority")
            )
        ]

    def need_value(self, c, cl):
        """fields whose text may hold words that their value has lost"""
        if c["is"] == "topic":
            return True
        if c["is"] == "title" and cl.base in ("companyIndustry", "companyKeywords", "companyType", "keywords"):
            return True
        return False

    def covers(self, c, cl, w):
        if cl.kind == "inner" and not cl.in_vals(w):
            return False
        if c["is"] in ("skill", "topic") and cl.base == "position" and cl.text and not cl.in_text(w):
            return False  # a synonym's word
        if c["is"] == "skill" and cl.base == "position" and not all(any(loose(w, t) for t in v) for v in cl.vals):
            return False  # not demanded
        return cl.in_vals(w) if self.need_value(c, cl) and not c.get("means") else cl.covers(w)

    def main_ok(self, c, cl, alt):
        k = c["is"]
        if k == "title":
            if cl.base in FIELDS["title"][0]:
                return True
            if cl.base == "seniority":
                return all(any(loose(w, l) for l in LEVELS) for w in alt) or any(
                    cl.one_value_has(toks(m)) for m in c.get("means") or []
                )
            if cl.base in ("keywords", "condition"):
                return all(cl.in_vals(w) or cl.in_text(w) for w in alt)
            return False
        if k == "place":
            return True
        return cl.base in FIELDS[k][0]

    def worded(self, c, force=None):
        r, good, A = Result(), self.good(c, force), alts(c)
        if c["is"] == "lead":
            return self.lead(c, good, r)
        covers = []
        for alt in A:
            per = [[x for x in good if self.covers(c, x, w)] for w in alt]
            main = [x for x in good if any(self.covers(c, x, w) for w in alt) and self.main_ok(c, x, alt)]
            if c["is"] == "owner":
                main = [
                    x
                    for x in main
                    if x.base != "seniority"
                    or any(t in ("founder", "owner", "partner", "proprietor") for v in x.vals for t in v)
                ]
                per = [[y for y in p if y in main] or main for p in per] if main else [[] for p in per]
            covers.append((alt, per, main))
        lost = [
            (alt, [w for w, p in zip(alt, per) if not p], main) for alt, per, main in covers if not all(per) or not main
        ]
        used = {x for alt, per, main in covers for p in per for x in p}
        r.used = used
        if not A:
            r.used = set()
        # explained
        ws = all_words(c)
        held = [
            w
            for w in ws
            if c["is"] == "title" and any(x.base == "position" and x.kind != "inner" and x.in_text(w) for x in good)
        ]
        for x in good:
            mine = (
                [w for w in ws if w not in held]
                if c["is"] == "title"
                and x.base
                in ("fieldOfStudy", "degree", "skills", "keywords", "companyIndustry", "companyKeywords", "companyType")
                else ws
            )
            if any(x.in_text(w) for w in mine) or (not x.text and any(x.in_vals(w) for w in ws)):
                r.expl.add(x)
        if ({"past", "prev"} & whens(c, force)) and not c.get("not"):
            for x in self.claims:  # "former": not there now
                if not x.pos and x.when == "now" and field_ok(c, x) and any(x.in_text(w) for w in all_words(c)):
                    r.expl.add(x)
        if lost:
            self.why_lost(c, lost, covers, r, force)
            return r
        # both or either
        if len(A) > 1 and not c.get("not"):

            def holds(x, alt):
                sole = [w for w in alt if sum(w in a for a in A) == 1] or alt
                return any(self.covers(c, x, w) for w in sole)

            single = [x for x in used if all(all(self.covers(c, x, w) for w in alt) for alt in A)] or [
                x for x in used if all(holds(x, alt) for alt in A)
            ]
            conj = (
                any(len(x.plus) >= 2 for x in single)
                or not single
                or any(x is not y and (x.base, x.when) == (y.base, y.when) for x in single for y in single)
            )
            if c.get("join") == "and" and single and not conj:
                r.add("either where both", WIDE, self.name(c))
            if c.get("join") == "and" and not single and c["is"] in TIMED and c.get("when"):
                ws = [x.when for x in used if x.kind == "filter" and not x.plus]
                if len(ws) > len(set(ws)):
                    r.add("both where either", WRONG, "%s: asked of one and the same job" % self.name(c))
            if c.get("join") is None and conj:
                r.add("both where either", WRONG, self.name(c))
        if c["is"] == "place" and not c.get("not"):
            for alt in A:
                if len(alt) < 2:
                    continue
                for x in used:
                    hits = [[w for w in alt if any(loose(w, t) for t in v)] for v in x.vals]
                    if x.base == "condition" or len(x.vals) > 1:
                        part = [h for h in hits if h and len(h) < len([w for w in alt if x.in_vals(w)])]
                        if (
                            part
                            and len({tuple(h) for h in hits if h}) > 1
                            and not any(len(h) == len(alt) for h in hits)
                        ):
                            r.add("value", WIDE, "%s split into alternatives" % self.name(c))
                            break
        # with
        for w in wordlist(c.get("with") or []):
            hs = [
                x
                for x in self.claims
                if x.pos
                and x.kind not in ("network",)
                and x.in_text(w)
                and time_ok(c, x, force)
                and (
                    x.in_vals(w)
                    or x.base
                    in ("position", "title", "seniority", "function", "skills", "condition", "degree", "fieldOfStudy")
                )
            ]
            if not hs:
                if self.a.told([w]):
                    r.add("missing", PARTIAL, '%s: "%s" (told)' % (self.name(c), w))
                else:
                    r.add("missing", WIDE, '%s: "%s" lost silently' % (self.name(c), w))
            else:
                for x in hs:
                    if (
                        x.base in FIELDS["title"][0] | FIELDS["title"][1]
                        and x.in_text(w)
                        and (w not in held or x.base in ("position", "seniority", "function", "condition"))
                    ):
                        r.expl.add(x)
        if c["is"] == "company" and c.get("when") == "past" and not c.get("not") and not force:
            gone = [
                x
                for x in self.claims
                if (not x.pos and x.base == "company" and x.when == "now" and any(x.covers(w) for a in A for w in a))
                or (x.kind == "condition" and re.search(r"not (there|at it|with it) now|no longer", x.says))
            ]
            if not gone:
                r.add("time", WIDE, "%s: also those who are there now" % self.name(c))
        self.value_checks(c, used, r)
        return r

    def value_checks(self, c, used, r):
        means = [toks(m) for m in c.get("means") or []]
        if means and not any(x.one_value_has(m) for x in used for m in means):
            part = any(loose(w, t) for m in means for w in m for x in used for v in x.vals for t in v)
            r.add(
                "value",
                WIDE if part else WRONG,
                "%s means %s, understood: %s"
                % (self.name(c), " / ".join(c["means"]), "; ".join(x.value[:60] for x in used)),
            )
        for n in c.get("never") or []:
            bad = (
                [x for x in used if x.one_value_has(toks(n)) and x.pos == (not c.get("not"))]
                if not c.get("not")
                else [x for x in used if x.one_value_has(toks(n))]
            )
            if bad:
                r.add("value", WRONG, '%s: "%s" in the value' % (self.name(c), n))

    def why_lost(self, c, lost, covers, r, force):
        """the reason why a constraint isn't met; the claims that misread it count as explained"""
        words = [w for alt, ws, main in lost for w in (ws or alt)]

        def touch(x):
            return x.kind not in ("criterion",) and any(x.in_text(w) for w in words)

        same_field = [x for x in self.claims if touch(x) and field_ok(c, x) and x not in r.used]
        pol = [
            x for x in same_field if x.pos == bool(c.get("not")) and x.kind != "inner" and x not in self.companions()
        ]
        tim = [x for x in same_field if x.pos != bool(c.get("not")) and not time_ok(c, x, force)]
        sid = [x for x in same_field if c["is"] == "place" and x.pos != bool(c.get("not")) and not side_ok(c, x)]
        oth = [
            x
            for x in self.claims
            if touch(x)
            and not field_ok(c, x)
            and x not in r.used
            and x.kind in ("filter", "condition", "relation")
            and not any(o is not c and o["is"] not in ("unsupported",) and self.explains(o, x) for o in self.gold)
        ]
        partly = len(lost) < len(covers) or any(len(ws) < len(alt) for alt, ws, main in lost)
        if c.get("told") and not pol and not oth and self.a.told(words):
            return
        if tim:
            r.add("time", WRONG, "%s read as %s" % (self.name(c), tim[0]))
            r.expl |= set(tim)
        elif sid:
            r.add("side", WRONG, "%s read as %s" % (self.name(c), sid[0]))
            r.expl |= set(sid)
        elif pol:
            r.add("polarity", WRONG, "%s read as %s" % (self.name(c), pol[0]))
            r.expl |= set(pol)
        elif oth:
            r.add("field", WRONG, "%s read as %s" % (self.name(c), oth[0]))
            r.expl |= set(oth)
        elif self.a.told(words):
            r.add("missing", PARTIAL, "%s%s (told)" % (self.name(c), ": " + " ".join(words) if partly else ""))
        else:
            r.add(
                "missing",
                WRONG if len(lost) < len(covers) and not c.get("not") else WIDE,
                "%s%s lost silently" % (self.name(c), ": " + " ".join(words) if partly else ""),
            )

    def companions(self):
        out = set()
        for c in self.gold:
            if c["is"] in TIMED and c.get("when") and {"past", "prev"} & whens(c) and not c.get("not"):
                for x in self.claims:
                    if not x.pos and x.when == "now" and field_ok(c, x) and any(x.in_text(w) for w in all_words(c)):
                        out.add(x)
        return out

    def explains(self, o, x):
        if o["is"] in ("network", "introduction", "unsupported", "judgement", "relation"):
            return False
        if o["is"] in ("career",):
            return any(self.explains(y, x) for s in o.get("steps") or [] for y in s) or any(
                x.in_text(w) for w in all_words(o)
            )
        if o["is"] == "when":
            return x.base in ("condition", "endYears", "tenureYears") and any(x.in_text(w) for w in all_words(o))
        if o["is"] in ("years", "size", "founded", "graduated") and not alts(o):
            return field_ok(o, x) and x.base != "condition"
        return field_ok(o, x) and x.pos == (not o.get("not")) and any(x.in_text(w) for w in all_words(o))

    def lead(self, c, good, r):
        words = [w for alt in alts(c) for w in alt]
        hold = [x for x in good if any(x.covers(w) for w in words)]
        lost = [w for w in words if not any(x.covers(w) for x in good if x.base != "seniority" or x.in_vals(w))]
        lev = [
            x
            for x in good
            if x.base == "seniority"
            or (
                x.base == "position"
                and x in hold
                and any(set(v) & LEADERS or any(stem(t) in LEADERS for t in v) for v in x.vals)
            )
        ]
        r.used = set(hold)
        r.expl = set(hold) | {x for x in good if x.base == "seniority"}
        if lost:
            self.why_lost(c, [(words, lost, hold)], [(words, [], hold)], r, None)
        elif not lev:
            r.add("missing", WIDE, "%s: the level lost" % self.name(c))
        for w in wordlist(c.get("with") or []):
            if not any(x.covers(w) for x in self.claims if x.pos):
                r.add("missing", PARTIAL if self.a.told([w]) else WIDE, '%s: "%s"' % (self.name(c), w))
        self.value_checks(c, r.used, r)
        return r

    def number(self, c, force=None):
        r = Result()
        of = set(str(c.get("of") or "").split("|"))
        names = {"experienceYears": "experience", "tenureYears": "tenure"}
        cands = []
        for x in self.claims:
            if x.kind == "filter" and field_ok(c, x) and x.base != "condition":
                rng = numbers(x.value)
                if rng:
                    cands.append(
                        (
                            x,
                            rng,
                            (c["is"] != "years" or names.get(x.base) in of)
                            and (c["is"] == "years" or time_ok(c, x, force)),
                        )
                    )
            elif x.kind == "condition" and x.base == "condition":
                m = re.search(
                    r"(<=|>=|<|>)?\s*(\d+(?:\.\d+)?)(?:\s*-\s*(\d+))?(\+)?\s*(month|year|people|employee)", x.says
                )
                if m and c["is"] in ("years", "size"):
                    f = 1 / 12 if m.group(5) == "month" else 1
                    a = float(m.group(2)) * f
                    b = float(m.group(3)) * f if m.group(3) else a
                    rng = (
                        (None, a)
                        if m.group(1) in ("<", "<=")
                        else (a, None)
                        if m.group(1) in (">", ">=") or m.group(4)
                        else (a, b)
                    )
                    kind = "experience" if "experience" in x.says else "tenure"
                    cands.append((x, rng, c["is"] != "years" or kind in of))
        cands = [y for y in cands if y[0].pos != bool(c.get("not")) or c.get("not")]
        ok = [x for x, rng, right in cands if right and bound_ok(c, rng)]
        if ok:
            r.used = r.expl = set(ok)
            return r
        near = [(x, rng) for x, rng, right in cands if right]
        other = [(x, rng) for x, rng, right in cands if not right and bound_ok(c, rng)]
        digits = [str(int(c[k])) for k in ("min", "max", "about", "last") if k in c] + [w for a in alts(c) for w in a]
        if near:
            r.add("bound", WRONG, "%s read as %s" % (self.name(c), near[0][0]))
            r.expl = {near[0][0]}
        elif other:
            r.add("time", WRONG, "%s read as %s" % (self.name(c), other[0][0]))
            r.expl = {other[0][0]}
        elif self.a.told(digits + [NUMWORD.get(d, d) for d in digits]):
            if not c.get("told"):
                r.add("missing", PARTIAL, self.name(c) + " (told)")
        else:
            r.add("missing", WIDE, self.name(c) + " lost silently")
        return r

    def event(self, c):
        r = Result()
        ev = set((c.get("event") or "").split("|"))
        ws = [w for a in alts(c) for w in a]
        fields = {
            "endYears": "left",
            "tenureYears": "joined",
            "startYear": "joined",
            "startDate": "joined",
            "endDate": "left",
            "endYear": "left",
            "companyStartYear": "joined",
        }
        cl = [
            x
            for x in self.claims
            if (x.base in ("condition", "relation") or x.base in fields) and any(x.in_text(w) for w in ws)
        ]
        r.used = r.expl = set(cl)
        lost = [w for w in ws if not any(x.covers(w) for x in cl)]
        if not cl or lost:
            oth = [
                x
                for x in self.claims
                if x not in cl
                and x.kind == "filter"
                and any(x.in_text(w) for w in ws)
                and not any(o is not c and self.explains(o, x) for o in self.gold)
            ]
            if oth:
                r.add("field", WRONG, "%s read as %s" % (self.name(c), oth[0]))
                r.expl = set(cl) | set(oth)
            elif self.a.told(ws):
                if not c.get("told"):
                    r.add("missing", PARTIAL, self.name(c) + " (told)")
            else:
                r.add("missing", WIDE, self.name(c) + " lost silently")
            return r
        for x in cl:
            if x.base in fields:
                if fields[x.base] not in ev:
                    r.add("time", WRONG, "%s (%s) read as %s" % (self.name(c), c.get("event"), x))
            elif toks(x.says) != x.text:
                own = any(re.search(EVENT[e], x.says) for e in ev if e in EVENT)
                others = [e for e in EVENT if e not in ev and re.search(EVENT[e], x.says)]
                if others and not own:
                    r.add("time", WRONG, "%s (%s) read as %s" % (self.name(c), c.get("event"), x))
        self.value_checks(c, r.used, r)
        return r

    def judgement(self, c):
        r = Result()
        ws = [w for a in alts(c) for w in a]
        cl = [x for x in self.claims if x.kind in ("criterion", "network") and any(x.covers(w) for w in ws)]
        r.used = r.expl = set(cl)
        if not cl:
            oth = [
                x
                for x in self.claims
                if x.kind == "filter"
                and any(x.in_text(w) for w in ws)
                and not any(o is not c and self.explains(o, x) for o in self.gold)
            ]
            if oth:
                r.add("field", WRONG, "%s read as %s" % (self.name(c), oth[0]))
                r.expl = set(oth)
            elif self.a.told(ws):
                if not c.get("told"):
                    r.add("missing", PARTIAL, self.name(c) + " (told)")
            else:
                r.add("missing", WIDE, self.name(c) + " lost silently")
        return r

    def unsupported(self, c):
        r = Result()
        ws = [w for a in alts(c) for w in a]
        free = [w for w in ws if not any(same(w, g) for g in self.goldwords)]
        for x in self.claims:
            if x.pos and x.kind in ("filter", "condition") and x.vals and free:
                dem = [w for w in free if x.in_text(w) and all(any(same(w, t) for t in v) for v in x.vals)]
                if dem and any(self.explains(o, x) for o in self.gold if o is not c):
                    r.add("extra", WRONG, 'unsupported "%s" demanded: %s' % (" ".join(dem), x))
        if not self.a.told(ws):
            r.add("unreported", PARTIAL, '"%s" neither used nor reported' % " ".join(ws))
        return r

    def network(self, c):
        r = Result()
        intro = c["is"] == "introduction"
        ws = [w for a in alts(c) for w in a]
        if c.get("to"):  # who introduces is looked for, and whom to, in a step
            return self.relation({"is": "relation", "type": ["knows"], "who": c["to"], "words": c.get("words")})
        cl = [
            x
            for x in self.claims
            if x.kind == "network"
            or (
                x.kind == "relation"
                and re.search(r"introduc|connect|knows|contact|network", x.relation + " " + x.says, re.I)
            )
        ]
        hit = [
            x
            for x in cl
            if not intro
            or re.search(
                r"introduc|path|connect|knows", x.relation + " " + x.says + " " + x.base * (x.kind == "relation"), re.I
            )
        ]
        if hit:
            r.used = r.expl = set(cl)
            s = " ".join(x.says + " " + x.value for x in hit).lower()
            got = (
                set(re.findall(r"\b([12])(?:st|nd)?\b", re.sub(r'"introducers_of": \d+', "", s)))
                | ({"1"} if re.search(r"\bfirst|direct", s) else set())
                | ({"2"} if re.search(r"\bsecond|friends? of friends?", s) else set())
            )
            want = {"any": {"1", "2"}}.get(c.get("degree"), {str(c.get("degree"))})
            if not intro and got and got != want:
                r.add(
                    "bound",
                    WIDE if want < got else WRONG,
                    "degree %s read as %s" % (c["degree"], ",".join(sorted(got))),
                )
            if c.get("strength") and not re.search(r"strength|strong|order|score|label|good", s):
                r.add("network", PARTIAL, "the order by strength is lost")
            return r
        r.expl = set(cl)
        oth = [
            x
            for x in self.claims
            if x.kind in ("filter", "relation")
            and any(x.in_text(w) for w in ws)
            and not any(o is not c and self.explains(o, x) for o in self.gold)
        ]
        told = self.a.told(ws) or bool({"network", "introduce", "scope", "know"} & set(self.a.notes))
        if oth:
            r.add("field", WRONG, "%s read as %s" % (c["is"], oth[0]))
            r.expl = set(oth)
        elif told:
            if self.net == "strict" or (self.net == "gold" and not c.get("told")):
                r.add("network", PARTIAL, "%s only told" % c["is"])
        else:
            r.add("network", WIDE, "%s lost silently" % c["is"])
        return r

    def relation(self, c):
        r = Result()
        types = set(c.get("type") or [])
        rel = [
            x
            for x in self.claims
            if (x.kind == "relation" or (x.kind == "network" and x.step is not None and "knows" in types))
            and x.pos == (not c.get("not"))
        ]
        ws = all_words(c)
        best = None
        for x in rel:
            sub = Judge(self.a, c.get("who") or [], self.a.step_claims(x.step), top=False)
            errs = sub.run()
            # what a step lacks may stand in the relation itself
            errs = [e for e in errs if not (e[0] == "missing" and any(t in toks(x.says) for t in toks(e[2])))]
            net = "knows" in types and re.search(
                r"know|contact|connect|mutual|network|introduc|friend|acquaint", x.relation + " " + x.says, re.I
            )
            if types and x.relation and x.relation not in types and not net:
                errs = errs + [("relation", WRONG, "relation %s, not %s" % (x.relation, "/".join(types)))]
            if best is None or len(errs) < len(best[1]):
                best = (x, errs)
        if best:
            r.used = r.expl = {best[0]}
            r.errors += best[1]
            for x in self.claims:  # names and companies of the relation that came along
                if x.kind == "condition" and any(x.in_text(w) for w in ws):
                    r.expl.add(x)
            return r
        if self.a.told(ws):
            if not c.get("told"):
                r.add("relation", PARTIAL, "relation to %s only told" % " ".join(ws))
        else:
            r.add("relation", WIDE, "relation to %s lost silently" % " ".join(ws))
        return r

    def career(self, c):
        r = Result()
        steps = c.get("steps") or []
        how = c.get("how") or "moved"
        own = [w for a in alts(c) for w in a]
        ws = all_words(c)
        sw = [[w for x in s for w in all_words(x)] for s in steps]
        conds = [
            x
            for x in self.claims
            if (
                x.kind in ("condition", "relation", "criterion")
                or (how == "stay" and x.base in ("tenureYears", "stayYears") and x.when != "now")
            )
            and any(x.in_text(w) for w in ws)
        ]

        def beside(y):  # the filters beside a condition that say the same
            return (
                y.kind in ("filter", "condition", "inner")
                and any(y.in_text(w) for w in ws)
                and (y.pos or (y.when == "now" and how != "returned"))
                and self.step_field(steps, y)
            )

        for x in conds:
            hold = [s for s in sw if len([w for w in s if x.covers(w)]) * 2 > len(s)]
            if (len(hold) == len(steps) if steps else any(x.covers(w) for w in own)) and (
                x.kind == "criterion" or re.search(HOW.get(how, "."), x.says + " " + " ".join(x.text))
            ):
                r.used = {x}
                r.expl = {x} | {y for y in self.claims if beside(y)}
                if x.kind == "criterion":
                    r.add("career", PARTIAL, "%s %s only orders" % (how, " ".join(own or ws)))
                return r
        # told by filters: earlier steps past, the last now
        sub, miss, per = set(), [], []
        for i, s in enumerate(steps):
            last = i == len(steps) - 1
            force = (
                "past|any|prev|first"
                if not last
                else "now|past|any|prev|first"
                if how in ("first", "stay", "returned", "atleast", "only", "count", "both", "previous")
                or len(steps) == 1
                else None
            )
            mine = set()
            for x in s:
                q = self.one(dict(x), force if x["is"] in TIMED and not x.get("when") else None)
                sub |= q.expl
                mine |= q.used
                miss += q.errors
            per.append(mine)
        if how == "returned":
            sub = {x for x in sub if x.pos}
        r.expl = sub | set(conds)
        r.used = sub
        if miss:
            r.errors += miss
            return r
        for p, q in itertools.combinations(per, 2):  # one field for two steps: either of them would do
            one = [x for x in p & q if x.kind == "filter" and len(x.plus) < 2 and x.base != "position"]
            if one and not any(x.base == "condition" and x.says and toks(x.says) == x.text for x in p & q):
                r.add("either where both", WIDE, "%s: %s" % (how, one[0]))
                return r
        prev = any(x.when in ("prev", "first") for x in sub)
        joint = any(
            len([s for s in sw if any(x.covers(w) for w in s)]) >= 2
            for x in conds
            if x.kind == "condition" and x.base == "condition"
        )
        if (
            how in ("then", "became")
            or (how in ("moved", "previous", "promoted") and (prev or joint))
            or (how == "first" and any(x.when == "first" for x in sub))
        ):
            return r
        if how == "both" and (
            any(len(x.plus) >= 2 for x in sub) or len([x for x in sub if x.pos and x.kind != "inner"]) >= len(steps)
        ):
            return r
        hw = own or ws
        if any(
            x.kind == "condition" and any(x.covers(w) for w in own) and re.search(HOW.get(how, "."), x.says)
            for x in conds
        ):
            return r
        if own and self.a.told(own):
            r.add("career", PARTIAL, "%s %s only told" % (how, " ".join(hw)))
        else:
            r.add("career", WIDE, "%s %s: the order or number of jobs is lost" % (how, " ".join(hw)))
        return r

    def owner_word(self, t):
        return any(loose(t, g) for g in self.goldwords)

    def owners(self, x, tokens):
        """what of the gold these words of a value belong to"""
        return [
            c
            for c in self.gold
            if not c.get("not")
            and c["is"] != "unsupported"
            and (c["is"] == "career" or field_ok(c, x))
            and (c["is"] != "place" or side_ok(c, x))
            and any(
                loose(w, t) for t in tokens for w in all_words(c) + [t for m in c.get("means") or [] for t in toks(m)]
            )
        ]

    def both(self, x):
        """what a plus requires beside the rest must be a qualifier, or something of its own in the gold"""

        def qual(p, c):
            return bool(c.get("with")) and all(any(loose(w, t) for w in wordlist(c["with"])) for t in p)

        own = [self.owners(x, p) for p in x.plus]
        joined = [any(c.get("join") in ("and", "either") or c["is"] == "career" for c in cs) for cs in own]
        quals = [any(qual(p, c) for c in self.gold) for p in x.plus]
        if len(x.plus) > 1:
            if all(joined) or quals.count(False) <= 1:
                return
            if any(
                all(c in cs and all(any(loose(w, t) for w in all_words(c)) for t in p) for p, cs in zip(x.plus, own))
                and len(alts(c)) == 1
                for c in self.gold
            ) and len(x.plus) == len(x.vals):
                return
            if all(own) and len({id(cs[0]) for cs in own}) == len(own) and not any(len(cs) > 1 for cs in own):
                return
            return self.err("both where either", WRONG, str(x))
        if joined[0] or quals[0]:
            return
        others = [
            c
            for c in self.gold
            if c not in own[0]
            and not c.get("not")
            and c["is"] != "unsupported"
            and field_ok(c, x)
            and (c["is"] != "place" or side_ok(c, x))
            and any(x.in_text(w) for w in all_words(c))
        ]
        if not (own[0] and others):
            self.err("both where either", WRONG, str(x))

    def lists(self):
        """a list that became two fields of one kind, where both must hold"""
        groups = collections.defaultdict(list)
        for x in self.claims:
            if x.pos and x.kind in ("filter", "condition") and x.base != "condition" and x.text:
                groups[(x.base, x.when, tuple(x.text))].append(x)
        for g in groups.values():
            if len(g) < 2:
                continue
            own = [self.owners(x, [t for v in x.vals for t in v]) for x in g]
            if any(c.get("join") in ("and", "either") or c["is"] == "career" for cs in own for c in cs):
                continue
            if all(own) and any(len({id(c) for c in combo}) == len(g) for combo in itertools.product(*own)):
                continue
            self.err("both where either", WRONG, " and ".join(str(x) for x in g))

    def step_field(self, steps, y):
        return any(field_ok(x, y) for s in steps for x in s) or not steps

    # -- all of them
    def run(self):
        got = {}
        for c in self.gold:
            r = self.one(c)
            got[id(c)] = set(r.used)
            bad = bool(r.errors)
            if c.get("optional"):
                if not bad:
                    self.explained |= r.expl
                continue
            if c["is"] != "unsupported":
                self.required += 1
                self.met += not bad
            for e in r.errors:
                if e not in self.errors:
                    self.errors.append(e)
            self.explained |= r.expl
            for x in r.used:
                self.helped[x] += max(1, len(alts(c)))
        for c, d in itertools.combinations(
            [
                c
                for c in self.gold
                if c["is"] in ("industry", "skill", "topic") and not c.get("optional") and not c.get("not")
            ],
            2,
        ):
            u, w = got.get(id(c), set()), got.get(id(d), set())
            if len(u) == 1 and u == w:  # words of the one swallowed by the field of the other
                x = next(iter(u))
                for e in (c, d):
                    if not e.get("means") and not any(x.in_vals(y) for a in alts(e) for y in a):
                        self.err("missing", WIDE, "%s lost in %s" % (self.name(e), x))
        for x in self.claims:
            if x.kind == "inner" or x.soft:
                continue
            if x.kind == "criterion":
                continue  # orders, never excludes
            if x.kind == "network":
                asked = any(
                    c["is"] in ("network", "introduction")
                    or (c["is"] == "relation" and "knows" in (c.get("type") or []))
                    for c in self.gold
                )
                if x not in self.explained and not asked:
                    self.err("extra", WRONG, str(x))
                continue
            if x not in self.explained and x not in self.companions():
                self.err("extra", WRONG, str(x))
                continue
            if x.pos and x.plus and len(x.vals) > 1:
                self.both(x)
            lit = [
                v
                for v in x.vals
                if len(v) > 1
                and (v[0] in LITERAL or v[-1] in LITERAL)
                and any(t == v[0] for t in x.text)
                and any(t == v[-1] for t in x.text)
            ]
            lit = [
                v
                for v in lit
                if not any(
                    p not in lit and all(any(loose(t, u) for u in p) for t in v if self.owner_word(t)) for p in x.vals
                )
            ]
            if x.pos and self.top and x.base in ("skills", "keywords", "position", "name", "fieldOfStudy") and lit:
                self.err("extra", WRONG, '"%s" taken literally: %s' % (" ".join(lit[0]), x))
            if (
                x.pos
                and x.kind == "filter"
                and x.base
                in ("position", "keywords", "company", "school", "name", "skills", "companyKeywords", "fieldOfStudy")
                and x.vals
            ):
                over, plain = [], []
                free = [t for t in x.text if t not in STOP and len(t) > 1 and not self.owner_word(t)]
                for v in x.vals:
                    o = [t for t in free if any(same(t, u) for u in v)]
                    (plain.append(v) if not o else over.append((o, v)))
                over = [
                    " ".join(o)
                    for o, v in over
                    if not any(
                        any(self.owner_word(t) for t in v)
                        and all(any(loose(t, u) for u in p) for t in v if self.owner_word(t))
                        for p in plain
                    )
                ]
                if x.base in ("company", "school") and any(
                    c["is"] in ("company", "school") and self.explains(c, x) for c in self.gold
                ):
                    over = []  # more of the name
                if over and self.top:
                    self.err("extra", WRONG, '"%s" demanded: %s' % (over[0], x))
        if self.top:
            self.lists()
        return self.errors


NUMWORD = dict(
    zip(
        "1 2 3 4 5 6 7 8 9 10 11 12 15 20".split(),
        "one two three four five six seven eight nine ten eleven twelve fifteen twenty".split(),
    )
)


def expand(gold):
    """groups of alternatives -> plain lists"""
    parts = []
    for c in gold:
        if "any" in c and "is" not in c:
            parts.append([y for b in c["any"] for y in expand(b)])
        else:
            parts.append([[c]])
    return [[x for p in combo for x in p] for combo in itertools.product(*parts)]


def readings(gold):
    if gold and isinstance(gold[0], list):
        return [r for g in gold for r in expand(g)]
    return expand(gold)


def verdict(j):
    sev = max([e[1] for e in j.errors], default=0)
    if sev == WRONG:
        return "wrong"
    if sev == WIDE:
        return "wide"
    if sev == PARTIAL:
        return "wide" if j.required and j.met * 2 < j.required else "partial"
    return "correct"


ORDER = {"correct": 0, "partial": 1, "wide": 2, "wrong": 3}


def judge(gold, meta, network="gold"):
    ans = Answer(meta)
    best = None
    for g in readings(gold):
        j = Judge(ans, g, network=network)
        j.run()
        v = verdict(j)
        key = (ORDER[v], sum(e[1] for e in j.errors), len(j.errors))
        if best is None or key < best[0]:
            best = (key, v, j)
    return best[1], best[2].errors, ans


# ------ can gold be met at all
MAIN = {
    "title": "position",
    "function": "function",
    "level": "seniority",
    "owner": "seniority",
    "lead": "position",
    "company": "company",
    "industry": "companyIndustry",
    "size": "companySize",
    "stage": "companyFundingStage",
    "founded": "companyFoundedYear",
    "skill": "skills",
    "topic": "keywords",
    "school": "school",
    "degree": "degree",
    "field": "fieldOfStudy",
    "graduated": "graduationYear",
    "name": "name",
}


def ideal(reading):
    """an interpretation that says just what a reading asks for"""
    I = {"filters": [], "conditions": [], "criteria": [], "steps": [], "ignored": [], "notes": []}
    for c in reading:
        k, ws = c["is"], [" ".join(a) for a in [c.get("words") or []] + (c.get("or") or []) if a]
        text = " ".join(ws + (c.get("with") or []))
        if c.get("optional"):
            continue
        if k == "unsupported":
            I["ignored"].append(text)
            continue
        if k == "judgement":
            I["criteria"].append({"name": "x", "text": text})
            continue
        if k == "when":
            e = c["event"].split("|")[0]
            says = {
                "left": "left a job ",
                "joined": "came to the present company ",
                "became": "promoted ",
                "held": "was there ",
            }[e] + (c.get("means") or [text])[0]
            I["conditions"].append({"says": says, "text": text})
            continue
        if k == "network" or (k == "introduction" and not c.get("to")):
            I["network"] = (
                {"text": text, "degrees": {1: [1], 2: [2]}.get(c.get("degree"), [1, 2])}
                | ({"order": "strength"} if c.get("strength") else {})
                | ({"introductions": True} if k == "introduction" else {})
            )
            continue
        if k == "introduction":
            sub = ideal(c["to"])
            I["ignored"] += sub["ignored"]
            I["steps"].append(
                {
                    "says": "x",
                    "text": " ".join(f["text"] for f in sub["filters"]),
                    "filters": {
                        f["field"]: ", ".join(g["value"] for g in sub["filters"] if g["field"] == f["field"])
                        for f in sub["filters"]
                    },
                }
            )
            I["network"] = {"degrees": [1], "introducers_of": len(I["steps"]) - 1, "order": None, "text": text}
            continue
        if k == "relation":
            sub = ideal(c.get("who") or c.get("to") or [])
            I["steps"].append(
                {
                    "says": "x",
                    "text": " ".join(f["text"] for f in sub["filters"]),
                    "filters": {
                        f["field"]: ", ".join(g["value"] for g in sub["filters"] if g["field"] == f["field"])
                        for f in sub["filters"]
                    },
                }
            )
            I["conditions"].append(
                {"says": text, "text": text, "relation": (c.get("type") or ["knows"])[0], "step": len(I["steps"]) - 1}
            )
            continue
        if k == "career":
            t = " ".join(all_words(c) + [str(c[x]) for x in ("min", "max") if x in c])
            I["conditions"].append(
                {
                    "says": {
                        "returned": "came back ",
                        "promoted": "promoted ",
                        "first": "first job ",
                        "only": "only ",
                        "stay": "stay of years ",
                        "atleast": "at least two ",
                        "count": "two or more ",
                        "none": "no present job ",
                    }.get(c.get("how"), "")
                    + t,
                    "text": t,
                }
            )
            continue
        w = (c.get("when") or "now").split("|")[0]
        if k == "years":
            field = {"experience": "experienceYears", "tenure": "tenureYears"}[c["of"].split("|")[0]]
        elif k == "place":
            field = "city"
            if "person" not in c["of"]:
                field = "companyCity" if "company" in c["of"] else "anyCompanyCity"
        else:
            field = MAIN[k]
        if w != "now" and k not in (
            "years",
            "place",
            "skill",
            "topic",
            "school",
            "degree",
            "field",
            "graduated",
            "name",
        ):
            field = (
                {"past": "past", "any": "any", "prev": "previous", "first": "first"}[w] + field[0].upper() + field[1:]
            )
        if any(x in c for x in ("min", "max", "about", "last")):
            lo, hi = (c["about"] * 0.8, c["about"] * 1.2) if "about" in c else (c.get("min"), c.get("max"))
            if "last" in c:
                lo, hi = time.localtime().tm_year - c["last"], None
            if "about" in c and k == "years":
                lo, hi = c["about"] - min(2, c["about"] * 0.4), c["about"] + min(2, c["about"] * 0.4)
            val = "%g-%g" % (lo, hi) if None not in (lo, hi) else "%g+" % lo if hi is None else "<%g" % hi
            text = text or val
        else:
            # the fields of a constraint each hold one alternative; means where gold has them
            vals = [x for x in ws]
            if c.get("means"):
                vals = [c["means"][0]] + ([] if len(ws) < 2 else ws[1:])
            if k == "lead":
                vals = ["head " + v for v in vals]
            if k == "owner":
                vals = ["founder"]
            vals = [
                '"%s"' % v if "," in v or k == "place" else v
                for v in [" ".join([v] + (c.get("with") or [])) for v in vals]
            ]
            sign = "-" if c.get("not") else "+" if c.get("join") == "and" else ""
            val = ", ".join(sign + v for v in vals)
        I["filters"].append({"field": field, "value": val, "text": text, "excluded": bool(c.get("not"))})
        if k == "company" and w == "past":
            I["filters"].append(
                {"field": "company", "value": ", ".join("-" + v for v in vals), "text": text, "excluded": True}
            )
    return I


def check_gold(rows):
    bad = 0
    for r in rows:
        for n, g in enumerate(readings(r["gold"])):
            v, errs, ans = judge(g, {"interpretation": ideal(g)})
            if v != "correct":
                bad += 1
                print(r["id"], n, v, r["prompt"][:90], errs)
    print("%d prompts, %d readings that cannot be met" % (len(rows), bad))
    return bad


# ------ asking
def of_network(gold):
    return any(
        c["is"] in ("network", "introduction") or "knows" in (c.get("type") or []) for g in readings(gold) for c in g
    )


def ask(base, token, prompt, scope="global", tries=8):
    body = json.dumps({"prompt": prompt, "limit": 1, **({"scope": scope} if scope else {})}).encode()
    for n in range(tries):
        q = urllib.request.Request(
            base.rstrip("/") + "/v2/people/search",
            data=body,
            headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(q, timeout=60) as f:
                return 200, json.load(f).get("metadata") or {}
        except urllib.error.HTTPError as e:
            if e.code in (429, 503) and n < tries - 1:
                try:
                    wait = float(e.headers.get("Retry-After") or 1)
                except ValueError:
                    wait = 1
                time.sleep(min(30, max(0.2, wait)))
                continue
            return e.code, {}
        except (urllib.error.URLError, OSError):
            if n < tries - 1:
                time.sleep(1 + n)
                continue
            return 0, {}
    return 0, {}


def rates(l):
    n = len(l)
    c = collections.Counter(l)
    return {"n": n, **{k: c[k] for k in ORDER}, "rate_correct": round(c["correct"] / n, 4) if n else None}


def main():
    ap = argparse.ArgumentParser(description="scores how prompts are understood; see sets/README.md")
    ap.add_argument("base")
    ap.add_argument("token")
    ap.add_argument("file")
    ap.add_argument("--detail")
    ap.add_argument("--save")
    ap.add_argument("--saved")
    ap.add_argument("--category", default="")
    ap.add_argument(
        "--network",
        choices=("gold", "strict", "lenient"),
        default="gold",
        help="a network or an introduction that is only reported: as gold says (told), never enough, always enough",
    )
    ap.add_argument(
        "--check-gold", action="store_true", help="ask nothing: only see that each reading of the gold can be met"
    )
    a = ap.parse_args()
    rows = [json.loads(l) for l in open(a.file, encoding="utf-8") if l.strip()]
    if a.category:
        rows = [r for r in rows if r["category"] in a.category.split(",")]
    if a.check_gold:
        sys.exit(1 if check_gold(rows) else 0)
    saved = {}
    if a.saved:
        for l in open(a.saved, encoding="utf-8"):
            x = json.loads(l)
            saved[x["prompt"]] = (x["status"], x["metadata"])
    save = open(a.save, "w", encoding="utf-8") if a.save else None
    det = open(a.detail, "w", encoding="utf-8") if a.detail else None
    cats, allv, kinds, failed = {}, [], collections.Counter(), []
    for r in rows:
        if a.saved:
            status, meta = saved.get(r["prompt"], (0, {}))
        else:
            status, meta = ask(a.base, a.token, r["prompt"], None if of_network(r["gold"]) else "global")
            time.sleep(0.02)
        if save:
            m = dict(meta)
            m.pop("generated_sql", None)
            i = m.get("interpretation")
            if i:
                i = dict(i)
                i["steps"] = [{k: v for k, v in s.items() if k not in ("sql", "people")} for s in i.get("steps") or []]
                m["interpretation"] = i
            save.write(json.dumps({"prompt": r["prompt"], "status": status, "metadata": m}, ensure_ascii=False) + "\n")
        if status != 200 or not meta.get("interpretation"):
            v, errs, ans = "wrong", [("status", WRONG, "status %s" % status)], Answer({})
            failed.append(r["id"])
        else:
            v, errs, ans = judge(r["gold"], meta, a.network)
        cats.setdefault(r["category"], []).append(v)
        allv.append(v)
        for k in {e[0] for e in errs}:
            kinds[k] += 1
        if det:
            det.write(
                json.dumps(
                    {
                        "id": r["id"],
                        "category": r["category"],
                        "prompt": r["prompt"],
                        "verdict": v,
                        "errors": [
                            {"kind": e[0], "grade": {1: "partial", 2: "wide", 3: "wrong"}[e[1]], "what": e[2]}
                            for e in errs
                        ],
                        "understood": [repr(x) for x in ans.claims if x.kind != "inner"],
                        "ignored": (meta.get("interpretation") or {}).get("ignored"),
                        "notes": (meta.get("interpretation") or {}).get("notes"),
                        "mode": ans.mode,
                    },
                    ensure_ascii=False,
                )
                + "\n"
            )
    out = {
        "file": a.file.split("/")[-1],
        **rates(allv),
        "by_category": {k: rates(v) for k, v in cats.items()},
        "errors": dict(kinds.most_common()),
    }
    if failed:
        out["no_answer"] = failed
    for k, v in out["by_category"].items():
        print(
            "%-12s %3d  correct %3d  partial %3d  wide %3d  wrong %3d  %.0f%%"
            % (k, v["n"], v["correct"], v["partial"], v["wide"], v["wrong"], 100 * v["rate_correct"])
        )
    print(
        "%-12s %3d  correct %3d  partial %3d  wide %3d  wrong %3d  %.0f%%"
        % ("all", out["n"], out["correct"], out["partial"], out["wide"], out["wrong"], 100 * out["rate_correct"])
    )
    print(json.dumps(out, ensure_ascii=False))


if __name__ == "__main__":
    main()
