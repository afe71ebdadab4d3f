"""Enumerations become lists: kinds and their members, parts of the turn, layers, steps to follow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..language.names import singular
from ..language.sentences import sentences
from .context import Context, Pattern, Sentence, Where, bare_name, without_parentheses
from .kinds import game_kinds
from .statements import Division, Kind, KindOf, Listing, Position, Steps

_NUMBERED = re.compile(r"[;,:]?\s*(?:and )?\(\d+\)\s*")
_NOT_AN_ITEM = re.compile(
    r"\b(?:that|which|is|are|was|were|has|have|if|when|can|may|must|any|each)\b|[.:;\"?]|^and/or\b|^"
    r"(?:so on|others)$"
)
_MOST_WORDS = 5
"""How many words the name of an item may have."""

_ORDINALS = {
    word: place
    for place, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}


def items_in(text: str) -> tuple[str, ...]:
    """Return the names that an enumeration holds, or none when it is not one of names alone.

    >>> items_in("oil (see rule 1), wick, and power and glow.")
    ('oil', 'wick', 'power and glow')
    """
    text = without_parentheses(text).strip().rstrip(".")
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and re.match(r"(?:and|or) ", parts[-1]):
        parts[-1] = re.sub(r"^(?:and|or) ", "", parts[-1])
    else:
        parts[-1:] = re.split(r" and | or ", parts[-1])
    names = tuple(bare_name(part) if not part.startswith("The ") else part for part in parts if part)
    sound = all(name and len(name.split()) <= _MOST_WORDS and not _NOT_AN_ITEM.search(name) for name in names)
    return names if sound else ()


def _listing(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing]:
    name = bare_name(match["name"])
    cls = game_kinds().of(name)
    if not cls and not context.term(name):
        return
    groups = match.groupdict()
    items = items_in(match["items"])
    following = context.following(sentence.unit)
    if not match["items"].strip():
        rest = sentence.rest.strip() or (following.text if following else "")
        items = items_in(rest)
    least = 1 if "explicit" in groups else 3
    if len(items) >= least and not re.search(r"\b(?:the following|as follows)\b", match["items"]):
        yield Listing(name, cls, items, current_as=(groups.get("set") or "").removesuffix("(tm)"))


def _several_are(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing | KindOf]:
    name = match["name"]
    cls = game_kinds().of(name)
    items = items_in(match["items"])
    terms = [term for item in items if (term := context.term(item))]
    if len(items) < 2 or len(terms) < len(items):
        return
    # A rule on one thing says of what kind it is, not which of that kind there are.
    if sentence.own in terms:
        yield from (KindOf(term, (Kind(cls, context.term(name)),)) for term in terms)
    else:
        yield Listing(name, cls, items)


def _opposites(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing]:
    """Read what stands in pairs: "three glow categories: lit/unlit, full/empty, and open/shut"."""
    cls = game_kinds().of(match["name"])
    pairs = items_in(match["items"])
    if (cls or context.term(match["name"])) and pairs and all(pair.count("/") == 1 for pair in pairs):
        yield Listing(match["name"], cls, tuple(item for pair in pairs for item in pair.split("/")))


def _rules_as_follows(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing]:
    name, parts = bare_name(match["name"]), tuple(context.parts(sentence.unit))
    cls = game_kinds().of(name)
    if parts and not sentence.rest.strip() and (cls or context.term(name)):
        yield Listing(name, cls, rules=parts)


def _layers(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing]:
    name = match["name"]
    text = sentence.text[match.end() :]
    if re.match(r"\s*\(1\)", text):
        inline = [part.strip(" .") for part in _NUMBERED.split(without_references(text)) if part.strip(" .")]
        yield Listing(name, game_kinds().of(name), tuple(part for part in inline), is_ordered=True)
    elif parts := tuple(context.parts(sentence.unit)):
        yield Listing(name, game_kinds().of(name), rules=parts, is_ordered=True)


def without_references(text: str) -> str:
    """Return `text` without brackets that hold more than the number of an item."""
    return re.sub(r"\s*\((?!\d+\))[^()]*\)", "", text)


def _division(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Division]:
    part = singular(match["part"])
    cls = game_kinds().of(part)
    if not cls or "TurnPart" not in game_kinds().above[cls]:
        return
    whole = bare_name(match["whole"])
    if re.match(r"(?:it|this)\b", whole, re.IGNORECASE):
        names = context.names(sentence.own)
        whole = names[0] if names else ""
    items = items_in(match["items"])
    if whole and len(items) > 1:
        full = tuple(item if item.lower().endswith(part) else f"{item} {part}" for item in items)
        yield Division(whole, cls, full)


def _place(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Position]:
    subject = match["subject"].replace(",", "")
    if re.match(r"(?:this|it)\b", subject, re.IGNORECASE):
        part = sentence.own if sentence.is_entry else ""
    else:
        is_own = sentence.own and context.is_called(sentence.own, subject)
        part = sentence.own if is_own else context.term(subject)
    cls = game_kinds().of(match["what"].split()[-1])
    if part and cls and "TurnPart" in game_kinds().above[cls]:
        whole = match["whole"] or "turn"
        yield Position(part, cls, _ORDINALS.get(match["ordinal"].lower(), 0), bare_name(whole))


def _steps(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Steps]:
    named = re.match(r"(?:First, )?[Tt]o ([^,.:;]{3,60}), ", sentence.text) or re.match(
        r"([A-Z][^,.:;]{2,60}?) (?:follows|proceeds|is done)\b", sentence.text
    )
    own = context.names(sentence.own)
    name = bare_name(named[1]) if named else (own[0] if own else context.chapter(sentence.unit))
    inline = sentence.text[match.end() :].lstrip(": ")
    rules = tuple(context.parts(sentence.unit))
    if rules:
        yield Steps(name, rules=rules)
    elif name and sentence.text[match.end() : match.end() + 1] == ":":
        text = f"{inline} {sentence.rest}"
        steps = tuple(text[a:b] for a, b in sentences(text))
        if len(steps) > 1:
            yield Steps(name, items=steps)


_COUNT = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty"
    r"|several|various|many)"
)
_NAMED_KINDS = game_kinds().plurals
"""What the kinds of the game are called, as a sentence says it of several things: "zones"."""

_ALSO = r"(?:(?:normally|currently|only|always|basic|also) )*"

_ORDINAL_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "last", "final")

PATTERNS = (
    Pattern(
        "list of",
        ("list of",),
        re.compile(
            r"^The (?:complete |full )?list of (?P<name>[^,.;:]+?)(?:, (?:updated|current) (?:through"
            r"|as of|with) the "
            r"(?P<set>[^,]+?)(?: core)?(?: set| expansion)?,)? is(?P<explicit> as follows)?:\s*"
            r"(?P<items>.*)$",
            re.DOTALL,
        ),
        _listing,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "the kinds are",
        ("s are ", "s are:", "parts of ", " game are ", "he only "),
        re.compile(
            rf"^(?:The|An? [\w-]+'s) (?:only )?(?:{_COUNT} )?"
            r"(?P<name>[a-z][a-z -]{2,40}?s(?: of an? [a-z]+)?)"
            r"(?: in (?:the (?:[A-Z][a-z]+ )?game|[A-Z][a-z]+))? are:?\s+"
            r"(?P<items>[^:]+)\.$"
        ),
        _listing,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "kinds of some length",
        (" long:",),
        re.compile(
            rf"^(?:The|All(?: other)?|One|{_COUNT.title()}) (?P<name>[a-z][a-z -]{{2,40}}?) (?:is|are)"
            rf" [a-z ]+ long:\s+"
            r"(?P<explicit>)(?P<items>[^:]+)\.$"
        ),
        _listing,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "there are",
        ("here are",),
        re.compile(
            rf"^There are {_ALSO}{_COUNT} (?P<name>\"?[a-z][^:.;,()]*?\"?)(?: in (?:the|a) [^:.;]+)?: "
            rf"(?P<items>.*)\.$"
        ),
        _listing,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "in pairs",
        (" categories",),
        re.compile(
            rf"^[A-Z][^.:;,]* {_COUNT} (?P<name>[a-z]+) categories(?:, each of which has two [a-z ]+)?: "
            r"(?P<items>[^.:;]+/[^.:;]+)\.$"
        ),
        _opposites,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "several are",
        (*(f" are {kind}" for kind in _NAMED_KINDS), " are the "),
        re.compile(
            rf"^(?:Of (?:that|this) list, )?(?P<items>[A-Z][^.:;()]*? and [^.:;(),]*?) are (?:the )?"
            rf"(?P<name>{'|'.join(_NAMED_KINDS)})"
            r"(?:\.|, even if [^.:;]*\.)$"
        ),
        _several_are,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "has parts",
        (" phases", " steps"),
        re.compile(
            rf"^(?:The|Each|An?)?\s*(?P<whole>[^.:;,]+?) (?:is divided into|consists of|has|is made up"
            rf" of|comprises) "
            rf"{_COUNT} (?P<part>phases|steps)(?:, [^:]*)?: (?P<items>[^.]+)\.$"
        ),
        _division,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "as follows",
        ("as follows:",),
        re.compile(r"^The (?P<name>[^.:;]+?) (?:is|are) as follows:$"),
        _rules_as_follows,
    ),
    Pattern(
        "so many",
        ("here are",),
        re.compile(rf"^There are {_ALSO}{_COUNT} (?P<name>[a-z][^.:;,()]*?):$"),
        _rules_as_follows,
    ),
    Pattern(
        "more of them",
        (" additional ",),
        re.compile(
            r"^[A-Z][^.:;,]*? (?:have|has|include|includes|use|uses) additional (?P<name>[a-z][^.:;,()]*?)"
            r"(?: (?:that|which) [^.:;]+)?:$"
        ),
        _rules_as_follows,
    ),
    Pattern(
        "in layers",
        ("layers",),
        re.compile(
            rf"\bin (?:a series of|{_COUNT}) (?P<name>(?:sub)?layers)(?: in the (?:following )?order"
            rf"(?: described below)?)?[:.]"
        ),
        _layers,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "place in the turn",
        (*(f" is the {ordinal} " for ordinal in _ORDINAL_WORDS), " is also the "),
        re.compile(
            r"^(?:The [a-z]+, or (?=[a-z]+, ))?(?P<subject>[^.:;,]{2,50}?|[a-z]+, [a-z ]+) is (?:also )?the "
            rf"(?P<ordinal>{'|'.join(_ORDINAL_WORDS)})(?: and (?:final|last))? "
            r"(?P<what>(?:[a-z]+ )?(?:step|phase))"
            r"(?: (?:of|in) (?:the|each|a) (?P<whole>turn|[a-z ]+? phase))?\b"
        ),
        _place,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "steps in order",
        ("in order", "following order", "following steps"),
        re.compile(
            r"\b(?:follows? (?:the|these) steps(?: [a-z ]{1,30}?)?,? in order|proceeds? in the"
            r" following order"
            r"|follows? (?:the following|these) steps(?: in order)?|perform the actions listed [^,]*"
            r" in order)\b",
            re.IGNORECASE,
        ),
        _steps,
        where=Where.ANYWHERE,
    ),
)
"""What the rules enumerate."""
