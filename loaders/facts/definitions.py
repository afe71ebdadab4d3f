"""Read what kind of thing a term is: "Echo is a triggered ability"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...ontology import slug
from ..language.names import gerunds, plural, singular
from .context import Context, Continued, KindOf, Pattern, Sentence, kinds_in
from .kinds import Kind, bare_name, game_kinds, has_no_verb, noun_phrase, without_parentheses

_QUOTED_OF = re.compile(
    r"(?:an? |the )?\"(?P<name>[^\"]+)\" of "
    r"|(?:effects that use the words?|an? [a-z]+ (?:that is an?|printed with the type))"
    r" \"(?P<used>[^\"]+)\"$",
    re.IGNORECASE,
)
_WHOSE = re.compile(r"^(?:an?|the|each) [a-z]+'s ", re.IGNORECASE)
_OF_WHAT = re.compile(r" (?:of|to|on) (?:an? )?[a-z]+(?: or [a-z]+)*$")
_MASS = re.compile(r"[A-Z][a-z]+ (?=[a-z]+(?:ed|en|t) |in |that |which )")
"""The beginning of a definition without an article: "Light shed by a lantern"."""

_PRONOUN = re.compile(r"(?:it|this|these|they)$", re.IGNORECASE)
_INTRODUCTION = re.compile(r"^(?:along with|in|on|for|within|during|under) [^,.;]{1,60}, ", re.IGNORECASE)
_LISTED = re.compile(r",? and |, ")
_COUNTED = re.compile(r"(?P<count>two|three|four) (?:[a-z-]+ )*(?:abilities|effects|costs)\b")
_ONE_OF_THEM = re.compile(
    r"\b(?:the )?(?P<which>first|second|third|fourth|second and third|second and fourth|third and"
    r" fourth|one|other)"
    r"(?: of which)? (?:is|are) (?P<what>(?:an? )?[^.;]*)",
    re.IGNORECASE,
)
"""How a text says what each of several abilities is: "The first is a …. The second and third are …"."""

_AND_ALSO = re.compile(r"(?: type)? and (an? .*)|, and (?P<part>part of .*)", re.DOTALL)
_OF_THE_SAME = re.compile(
    r"an? (?:[a-z]+ )?(?:version|variant|form) of (?:the|this) (?P<noun>[a-z]+)(?: that\b|[.,;]|$)"
)
"""How a form of the subject itself is described: "a brighter version of the lamp"."""

_MAKING = re.compile(
    r"(?:^|\b(?:that|which|of which)\b[^.;:]*?) (?:linked to|(?:may )?creates?) "
    r"(?P<what>an? [a-z -]*ability)\b"
)
"""What else a thing consists of: "a static ability linked to a triggered ability"."""

_CONDITION = re.compile(r"(?:(?!that\b|which\b)[^,.;])* only if ")
_CLAUSE = re.compile(r" (?:that|which|in|whose) ")
_WORDS = re.compile(r"[a-z0-9]+")
_COUNTS = {"two": 2, "three": 3, "four": 4}
_MOST_WORDS = 7
"""The maximum number of words in a name that begins a sentence."""


def _is_a(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[KindOf]:
    what = match["what"]
    term = _subject(match["subject"], sentence, context) or _proper(match["subject"], what, sentence, context)
    if (
        _CONDITION.match(what)
        or (_OF_THE_SAME.match(what) and term == sentence.own)
        or not term
        or (not match["article"] and not _is_bare_plural(match["verb"], what))
    ):
        return
    kinds = kinds_in(_completed(what), context)
    if kinds:
        kinds += _second(what, context)
    if kinds and all(kind.term != term for kind in kinds):
        both = context.joined(match["subject"]) if match["verb"] == "are" else ()
        yield from (KindOf(it, kinds) for it in both or (term,))


def _second(what: str, context: Context) -> tuple[Kind, ...]:
    """Return the other kind of a thing that has two: "a lamp and a bag", "a lamp, and part of a bag"."""
    after = noun_phrase(what).after
    other = _AND_ALSO.match(after)
    return kinds_in(other[1] or other["part"], context) if other else _made(after, context)


def _made(text: str, context: Context) -> tuple[Kind, ...]:
    """Return the kinds of the other abilities that a keyword's abilities are linked to or create."""
    found = (kind for match in _MAKING.finditer(text) for kind in kinds_in(match["what"], context))
    return tuple(kind for kind in found if kind.cls)


def _completed(what: str) -> str:
    """Return the first of two kinds that share their last word: "both a card and a permanent type"."""
    shared = re.match(r"both (?P<first>an? [a-z]+) and (?:an? )?[a-z]+ (?P<noun>[a-z]+)\b", what)
    return f"{shared['first']} {shared['noun']}" if shared else what


def _represents(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[KindOf | Continued]:
    term = _subject(match["subject"], sentence, context)
    is_picture = game_kinds().of(match["subject"].split()[-1]) == "Symbol"
    if not term or (is_picture and not match["keyword"]):
        return
    what = match["what"]
    counted = _COUNTED.match(what)
    count = _COUNTS[counted["count"]] if counted else 0
    listed = what.partition(": ")[2] if counted else what
    kinds = tuple(kind for part in _LISTED.split(listed) for kind in _some(part, context))
    length = 0
    if counted and len(kinds) != count:
        parts = [*_ONE_OF_THEM.finditer(what + sentence.rest)]
        each = [part["what"] for part in parts for _ in range(2 if " and " in part["which"] else 1)]
        told = tuple(kind for it in each for kind in kinds_in(it, context))
        kinds = told if len(told) == count else kinds_in(what, context) * count
        length = parts[-1].end() - len(what) if len(told) == count else 0
    if kinds:
        yield KindOf(term, (*kinds, *_made(f" {what}", context))), length


def _some(part: str, context: Context) -> tuple[Kind, ...]:
    """Return the kind that a part of an enumeration names, as often as it says: "two static abilities"."""
    part = part.strip().removeprefix("both ")
    number = re.match(r"(an?|one|another|two|three|four) (?!of )", part)
    kinds = tuple(kind for kind in kinds_in(part, context) if kind.cls) if number else ()
    return kinds * _COUNTS.get(number[1], 1) if number else ()


def _opening(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[KindOf]:
    if not context.is_terse:
        return
    text = _INTRODUCTION.sub("", match[0], count=1)
    text = without_parentheses(text[:1].lower() + text[1:])
    own = context.names(sentence.own)
    has_article = bool(re.match(r"(?:an?|the|one|another|two|part|any)\b", text))
    is_plural = bool(own) and (singular(own[0]) != own[0] or _is_said_in_plural(own[0], text))
    kinds = tuple(kind for kind in kinds_in(text, context) if kind.term != sentence.own)
    if kinds:
        kinds += _second(text, context)
    is_mass = bool(_MASS.match(match[0])) and any(kind.term == slug(match[0].split()[0]) for kind in kinds)
    if not has_article and not is_plural and not is_mass:
        return
    if not has_no_verb(text, is_plural or text.startswith("two")):
        return
    if kinds and not _speaks_of_itself(text, context.forms(sentence.own), context):
        yield KindOf(sentence.own, kinds, is_sense=True)


def _is_said_in_plural(name: str, text: str) -> bool:
    """Return whether a text begins with the plural of a name's last word: *Moth Lamp*, "lamps with wings"."""
    return " " in name and text.partition(" ")[0] == plural(name.rpartition(" ")[2].lower())


def _speaks_of_itself(text: str, forms: set[str], context: Context) -> bool:
    """Return whether the text uses the term's name outside a descriptive clause, that is, in use."""
    folded = text.lower()
    described = folded if folded.startswith("the ") else _CLAUSE.split(folded, maxsplit=1)[0]
    words = f" {' '.join(_WORDS.findall(described))} "
    return any(
        _is_quoted(form, folded) or _is_said(form, words, context) or f" becomes {form} " in folded
        for form in forms
    )


def _is_said(form: str, words: str, context: Context) -> bool:
    """Return whether words contain a name that does not begin a longer name or a variant's name."""
    name = " ".join(_WORDS.findall(form))
    return f" {name} " in words and any(
        not context.term(f"{name} {'variant' if rest[1] == 'game' else rest[1]}")
        for rest in re.finditer(rf"(?<= ){name} ([a-z0-9]*)", words)
    )


def _is_quoted(form: str, text: str) -> bool:
    """Return whether a text uses words in quotes; followed by their kind, they are a name: "glow" ability."""
    if f'"{form}' not in text:  # a pattern for each name costs time
        return False
    uses = re.finditer(rf'"{re.escape(form)}(?:[,.]|" ?(?P<noun>[a-z]*))', text)
    return any(not game_kinds().of(use["noun"] or "") for use in uses)


def _used_to_be(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[KindOf]:
    """Read the former kind of a term: "Glow used to be an action", and in an entry "An obsolete action"."""
    own = sentence.own if sentence.is_entry and sentence.place == 0 else ""
    term = _subject(match["subject"], sentence, context) if match["subject"] else own
    kinds = tuple(kind for kind in kinds_in(match["what"], context) if kind.cls and kind.term != term)
    if term and kinds:
        yield KindOf(term, kinds, is_former=True)


def _of_some(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[KindOf]:
    """Read "Some lamps have the subtype "Glow."", a lamp type, and "the optional night rules", an option."""
    kind = f"{match['noun']} type" if match["noun"] else "option"
    suffix = "" if match["noun"] else " option"
    terms = [context.term(bare_name(it) + suffix) for it in (match["name"] or match["rules"]).split(" or ")]
    cls = game_kinds().of(kind)
    yield from (KindOf(term, (Kind(cls, context.term(kind)),)) for term in terms if term and cls)


def _called(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[KindOf]:
    is_own = sentence.is_entry and _names_own(match["subject"], sentence, context)
    term = context.term(match["subject"]) if match["such"] else sentence.own if is_own else ""
    kinds = tuple(kind for kind in kinds_in(match["what"], context) if kind.term != term)
    # The kind of "such things" counts only if the game knows it: "such effects".
    if term and kinds and (kinds[0].cls or not match["such"]):
        yield KindOf(term, kinds)


def _names_own(words: str, sentence: Sentence, context: Context) -> bool:
    """Return whether words are the entry's name, alone or followed by its kind: *dusk main phase*."""
    if context.is_called(sentence.own, words):
        return True
    bare = bare_name(words).lower()
    rests = (bare.removeprefix(form).strip() for form in context.forms(sentence.own))
    return any(rest != bare and kinds_in(rest, context) for rest in rests)


def _narrows_own(words: str, sentence: Sentence, context: Context) -> bool:
    """Return whether words are the entry's name with a genitive: *a moth's keeper*, *the keeper of a moth*.

    The gerund of a verb counts too: *keeping a moth*.
    """
    first = words.split(maxsplit=1)[0].rstrip(",").lower()
    if any(first in gerunds(name) for name in context.names(sentence.own)):
        return True
    words = _OF_WHAT.sub("", _WHOSE.sub("", _INTRODUCTION.sub("", words, count=1)))
    own = [form.lower() for name in context.names(sentence.own)[:1] for form in (name, plural(name))]
    return bare_name(words).lower() in own


def _subject(words: str, sentence: Sentence, context: Context) -> str:
    """Return the term that a sentence is about: named, or meant by a pronoun."""
    if _PRONOUN.match(words):
        if sentence.place == 0:
            return sentence.own if sentence.is_entry else ""
        opening = bare_name(sentence.before).lower()
        return sentence.own if any(_opens(opening, form) for form in context.forms(sentence.own)) else ""
    quoted = _QUOTED_OF.match(words)
    if sentence.is_entry and _narrows_own(words, sentence, context):
        return sentence.own
    if len(bare_name(words).split()) > _MOST_WORDS:
        return ""
    name = quoted["name"] or quoted["used"] if quoted else words
    if sentence.own and context.is_called(sentence.own, name):
        return sentence.own
    return "" if sentence.is_entry else context.term(name if quoted and quoted["used"] else words)


def _proper(words: str, what: str, sentence: Sentence, context: Context) -> str:
    """Return the term whose name is followed by its kind again: "A Moth lamp is a small lamp"."""
    name, _, noun = bare_name(words).rpartition(" ")
    kind = noun_phrase(what).words[-1:]
    is_kind = kind == (noun,) and (game_kinds().of(noun) or context.term(noun))
    if not is_kind or not name[:1].isupper() or words.startswith(name):
        return ""
    term = context.term(name)
    return term if term and (not sentence.is_entry or term == sentence.own) else ""


def _opens(opening: str, name: str) -> bool:
    """Return whether a sentence begins with a name, and not with its symbol's: "The lamp symbol …"."""
    following = opening.removeprefix(name).split(maxsplit=1)
    return opening.startswith(name) and not (following and game_kinds().of(following[0]) == "Symbol")


def _is_bare_plural(verb: str, what: str) -> bool:
    """Return whether "are" is followed by a plural without an article: "Landwalks are evasion abilities"."""
    phrase = noun_phrase(what)
    return (
        verb == "are"
        and what[:1].islower()
        and phrase.is_plural
        and not phrase.after.startswith((",", " and"))
    )


PATTERNS = (
    Pattern(
        "is a",
        (" is ", " are "),
        r"(?s)^(?P<subject>An? [a-z]+ that is an? \"[^\"]+\"|[^.:;()]{1,60}?),? (?P<verb>is|are) "
        r"(?:(?:always|also|each|now) )?"
        r"(?P<what>(?P<article>(?:an?|the|any|another|one of the|two|three|both) )?.*)$",
        _is_a,
        where="opening",
    ),
    Pattern(
        "represents",
        (" represent",),
        r"(?s)^(?P<subject>[^.:;()]{1,60}?) (?P<keyword>(?:is|are) an? keyword(?: ability)? (?:that|which) )?"
        r"represents? (?P<what>.*)$",
        _represents,
        where="opening",
    ),
    Pattern(
        "opening",
        (),
        r"(?s)^(?:[Aa]n?|The|One|Two|Another|Any|Part|[A-Z][a-z]+) .*$",
        _opening,
        where="entry",
    ),
    Pattern(
        "used to be",
        (" used to be ", "n obsolete "),
        r"(?s)^(?:(?P<subject>[^.:;()]{1,60}?) (?:used to be|is an obsolete) |An obsolete )"
        r"(?P<what>(?:an? )?[^.:;()]*)",
        _used_to_be,
        where="opening",
    ),
    Pattern(
        "subtype or option",
        (" have the subtype ", " the optional "),
        r"^Some (?P<noun>[a-z]+?)s have the subtype \"(?P<name>[^\"]+?)\.?\""
        r"|\buses? the optional (?P<rules>[^.,;()]{2,60}?) rules\b",
        _of_some,
        where="opening",
    ),
    Pattern(
        "called",
        (" called ", " known as "),
        r"(?i)(?:^(?=an? |the |any )|[;,] (?P<such>such ))(?P<what>[^.:;()]{3,100}?) "
        r"(?:is|are) (?:called|known as) (?P<subject>[^.:;()]{1,60})\.$",
        _called,
    ),
)
"""Patterns for the kind of thing that a term is."""
