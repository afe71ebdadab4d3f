"""Read lists: the members of a kind, the parts of a turn, layers, steps to follow."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from ...ontology import grouped
from ..language.names import plural, singular
from ..language.words import sentences, straight
from ..linking.edition import EditionView, Unit
from ..records import Rule
from .context import Context, Continued, Division, Fact, KindOf, Listing, Pattern, Position, Sentence, Steps
from .kinds import Kind, bare_name, game_kinds, items_in

_BRACKETS = re.compile(r"\s*\((?!\d+\))[^()]*\)")
"""Brackets that hold more than the number of an item."""

_NUMBERED = re.compile(r"[;,:]?\s*(?:and )?\(\d+\)\s*")
_LEAST = 3
"""The minimum number of parts or headings in a list."""

_PART_OPENING = re.compile(r"(?:An?|The) (?P<name>(?:[A-Z][\w'’-]* )+(?P<kind>[a-z]+)) (?:is|has)\b")
"""The beginning of a part that defines one thing: "A Tall Lantern lamp is ..."."""

_ORDINALS = {
    word: place
    for place, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}


def _listing(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing | Continued]:
    """Read a list whose items are in the sentence, after it, or each in its own subrule."""
    name = bare_name(match["name"].removesuffix(" categories"))
    cls = game_kinds().of(name)
    if not cls and not context.term(name):
        return
    groups = match.groupdict()
    inline = (groups.get("items") or "").strip()
    following = context.following(sentence.unit)
    rest = sentence.rest.strip() or (following.text if following else "")
    items = items_in(inline or rest)
    if all(item.count("/") == 1 for item in items):  # opposites: "lit/unlit, full/empty, and open/shut"
        items = tuple(one for item in items for one in item.split("/"))
    # What calls itself a list is one, however short.
    if len(items) >= (1 if "explicit" in groups else 3):
        if not re.search(r"\b(?:the following|as follows)\b", inline):
            current_as = (groups.get("set") or "").removesuffix("(tm)")
            listed = (following,) * len(items) if following and items == items_in(following.text) else ()
            length = 0 if inline or listed else len(sentence.rest)
            yield Listing(name, cls, items, listed, current_as=current_as), length
    elif not inline and not rest and (parts := tuple(context.parts(sentence.unit))):
        yield Listing(name, cls, rules=parts)


def _several_are(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing | KindOf]:
    name = match["name"]
    cls = game_kinds().of(name)
    items = items_in(match["items"])
    terms = [term for item in items if (term := context.term(item))]
    if len(items) < 2 or len(terms) < len(items):
        return
    # A rule about one thing says what kind it is, not which things of that kind exist.
    if sentence.own in terms:
        yield from (KindOf(term, (Kind(cls, context.term(name)),)) for term in terms)
    else:
        yield Listing(name, cls, items)


def _layers(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing]:
    name = match["name"]
    text = sentence.text[match.end() :]
    if re.match(r"\s*\(1\)", text):
        inline = [part.strip(" .") for part in _NUMBERED.split(_BRACKETS.sub("", text)) if part.strip(" .")]
        yield Listing(name, game_kinds().of(name), tuple(inline), is_ordered=True)
    elif parts := tuple(context.parts(sentence.unit)):
        # A rule about all of them may follow the rules about each: "Layer 1a: …".
        titled = tuple(part for part in parts if re.match(r"Layer \w+:", part.text))
        yield Listing(name, game_kinds().of(name), rules=titled or parts, is_ordered=True)


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


def _steps(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Steps | Continued]:
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
        text = f"{inline} {sentence.rest}".partition(" See rule ")[0]
        steps = tuple(text[a:b] for a, b in sentences(text))
        if len(steps) > 1:
            yield Steps(name, items=steps), len(text) - len(inline) - 1


_COUNT = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty"
    r"|several|various|many)"
)
_NAMED_KINDS = game_kinds().plurals
"""The plural names of the game's kinds: "zones"."""

_ALSO = r"(?:(?:normally|currently|only|always|basic|also) )*"

_ORDINAL_WORDS = (*_ORDINALS, "last", "final")

PATTERNS = (
    Pattern(
        "list of",
        ("list of",),
        r"(?s)^The (?:complete |full )?list of (?P<name>[^,.;:]+?)(?:, (?:updated|current) (?:through"
        r"|as of|with) the "
        r"(?P<set>[^,]+?)(?: core)?(?: set| expansion)?,)? is(?P<explicit> as follows)?:\s*"
        r"(?P<items>.*)$",
        _listing,
    ),
    Pattern(
        "the kinds are",
        ("s are ", "s are:", "parts of ", " game are ", "he only ", " can be are "),
        rf"^(?:The|An? [\w-]+'s) (?:only )?(?:{_COUNT} )?(?:[a-z]+s that an? (?=[a-z -]+ can be are ))?"
        r"(?P<name>[a-z][a-z -]{2,40}?(?:s(?: of an? [a-z]+)?|(?= can be are )))"
        r"(?: in (?:the (?:[A-Z][a-z]+ )?game|[A-Z][a-z]+)| can be)? are:?\s+"
        r"(?P<items>[^:]+?)(?:, as well as [^,:]*)?\.$",
        _listing,
    ),
    Pattern(
        "kinds of some length",
        (" long:",),
        rf"^(?:The|All(?: other)?|One|{_COUNT.title()}) (?P<name>[a-z][a-z -]{{2,40}}?) (?:is|are)"
        rf" [a-z ]+ long:\s+"
        r"(?P<explicit>)(?P<items>[^:]+)\.$",
        _listing,
    ),
    Pattern(
        "there are",
        ("here are", " in each of "),
        rf"^(?:There are {_ALSO}|[A-Z][^.:;,]* in each of ){_COUNT} (?P<name>\"?[a-z][^:.;,()]*?\"?)"
        r"(?: in (?:the|a) [^:.;]+|, each of which [^:.;]+)?:(?: (?P<items>.*)\.)?$",
        _listing,
    ),
    Pattern(
        "several are",
        (" are ",),
        rf"^(?:Of (?:that|this) list, )?(?P<items>[A-Z][^.:;()]*? and [^.:;(),]*?) are (?:the )?"
        rf"(?P<name>{'|'.join(_NAMED_KINDS)})"
        r"(?:\.|, even if [^.:;]*\.)$",
        _several_are,
    ),
    Pattern(
        "has parts",
        (" phases", " steps"),
        rf"^(?:The|Each|An?)?\s*(?P<whole>[^.:;,]+?) (?:is divided into|consists of|has|is made up"
        rf" of|comprises) "
        rf"{_COUNT} (?P<part>phases|steps)(?:, [^:]*)?: (?P<items>[^.]+)\.$",
        _division,
    ),
    Pattern(
        "as follows",
        ("as follows:", " additional "),
        r"^(?:The|[A-Z][^.:;,]*? additional) (?P<name>[a-z][^.:;,()]*?)"
        r"(?: (?:is|are) as follows| (?:that|which) [^.:;]+):$",
        _listing,
        where="opening",
    ),
    Pattern(
        "in layers",
        ("layers",),
        rf"\bin (?:a series of|{_COUNT}) (?P<name>(?:sub)?layers)(?: in the (?:following )?order"
        rf"(?: described below)?)?[:.]",
        _layers,
    ),
    Pattern(
        "place in the turn",
        (" is the ", " is also the "),
        r"^(?:The [a-z]+, or (?=[a-z]+, ))?(?P<subject>[^.:;,]{2,50}?|[a-z]+, [a-z ]+) is (?:also )?the "
        rf"(?P<ordinal>{'|'.join(_ORDINAL_WORDS)})(?: and (?:final|last))? "
        r"(?P<what>(?:[a-z]+ )?(?:step|phase))"
        r"(?: (?:of|in) (?:the|each|a) (?P<whole>turn|[a-z ]+? phase))?\b",
        _place,
    ),
    Pattern(
        "steps in order",
        ("in order", "following order", "following steps"),
        r"(?i)\b(?:follows? (?:the|these) steps(?: [a-z ]{1,30}?)?,? in order|proceeds? in the"
        r" following order"
        r"|follows? (?:the following|these) steps(?: in order)?|perform the actions listed [^,]*"
        r" in order)\b",
        _steps,
    ),
)
"""Patterns for what the rules enumerate."""


# -- lists shown by the place of their items ------------------------------------------------------


def listed_below(view: EditionView, context: Context, former: Collection[tuple[str, str]]) -> Iterator[Fact]:
    """Yield the lists whose items are the parts of a rule or chapter.

    Either each part begins with the name of a thing of the same kind, and a sentence of the rule names that
    kind: "Some moths bring a stray lamp.", whose parts begin "A Tall lamp is" or the like, lists stray lamps.
    Or a chapter's title is a kind of thing and most of its rules are headings, which name the things of that
    kind; `former` are terms with their former classes.
    """
    units = {unit.rule: unit for unit in context.units() if unit.rule}
    for unit in units.values():
        if len(parts := context.parts(unit)) >= _LEAST:
            yield from _opened(unit, parts, context)
    for document in view.documents:
        below = grouped((rule.parent, rule) for rule in document.rules)
        for rule in document.rules:
            cls = game_kinds().of(rule.title or "")
            own = [it for it in below[rule.number] if (context.term(it.title or ""), cls) not in former]
            yield from _headed(rule, own, view, context, units)


def _opened(unit: Unit, parts: Sequence[Unit], context: Context) -> Iterator[Fact]:
    names = [match for part in parts if (match := _PART_OPENING.match(part.text))]
    kinds = {match["kind"] for match in names}
    if len(names) < len(parts) or len(kinds) > 1:
        return
    [kind] = kinds
    cls = game_kinds().of(kind)
    if not cls and not context.term(kind):
        return
    naming = re.compile(rf"\ban? (?P<name>(?:[a-z-]+ )?{re.escape(kind)})\b")
    for start, end in sentences(unit.text):
        if match := naming.search(straight(unit.text[start:end])):
            name = match["name"] if cls else plural(match["name"])
            items = tuple(it["name"] for it in names)
            yield Fact("as follows", Listing(name, cls, items, tuple(parts)), unit, unit.text[start:end])
            return


def _headed(
    rule: Rule, below: Sequence[Rule], view: EditionView, context: Context, units: Mapping[str, Unit]
) -> Iterator[Fact]:
    kind = rule.title or ""
    cls = game_kinds().of(kind)
    heads = [it for it in below if it.title]
    if not cls or len(heads) < _LEAST or 2 * len(heads) <= len(below):
        return
    names = tuple(it.title or "" for it in heads)
    # Headings that repeat the kind ("Lanterns by Night") divide the subject.
    noun = singular(kind.split()[-1]).lower()
    if any(noun == singular(word).lower() for name in names for word in name.split()):
        return
    unit, *own = (units[view.iris.rule(view.edition, it.number, it.occurrence)] for it in (rule, *heads))
    yield Fact("heading", Listing(kind, cls, names, tuple(own)), unit, unit.text)
    for head in own:
        for term in dict.fromkeys(filter(None, (context.term(head.text), *context.joined(head.text)))):
            yield Fact("heading", KindOf(term, (Kind(cls, context.term(kind)),)), head, head.text)
