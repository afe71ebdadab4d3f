"""Sentences about names: what else a term is called, what it is short for, and what took its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..language.names import singular
from .context import Context, Pattern, Sentence, Where, bare_name, has_main_verb
from .statements import GivesWay, OtherName, StandsFor
from .wordings import without_parameters

_QUOTED = re.compile(r"\"([^\"]{1,80}?)[.,]?\"")
_DESCRIPTION = re.compile(r" (?:and|or|for|of|in|on|with|that) ")
"""Words of a description, which is no name."""

_NARROWED = re.compile(
    r"(?:(?:all|these|such) )?(?P<noun>[a-z]+) that\b.* are (?:[a-z]+ )+(?P=noun)$", re.DOTALL
)
"""What says of some things of which kind they are now: "All lamps that shone are now old lamps"."""

_MOST_WORDS = 6
"""How many words a name may have; more are a description."""


def _also_called(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherName]:
    known, name = bare_name(match["known"]), bare_name(match["name"])
    if max(len(known.split()), len(name.split())) > _MOST_WORDS or _DESCRIPTION.search(known):
        return
    known_term, name_term = context.term(known), context.term(name)
    if re.match(r"(?:it|this|these|they)\b", known, re.IGNORECASE):
        if sentence.own and name_term != sentence.own:
            yield OtherName(sentence.own, name)
    elif known_term and known_term != name_term:
        yield OtherName(known_term, name)
    elif name_term and not known_term:
        yield OtherName(name_term, known)


def _rule_called(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherName]:
    if sentence.is_entry:
        own = {name.lower() for name in context.names(sentence.own)}
        for name in dict.fromkeys(_QUOTED.findall(match["names"]) or [bare_name(match["names"])]):
            if name.lower() not in own and len(name.split()) <= _MOST_WORDS:
                yield OtherName(sentence.own, bare_name(name))


def _formerly(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherName]:
    pronoun = re.match(r"(?:it|this)$", match["known"], re.IGNORECASE)
    term = sentence.own if pronoun else context.term(match["known"])
    name = bare_name(match["name"])
    if term and len(name.split()) <= _MOST_WORDS and context.term(name) != term:
        yield OtherName(term, name, is_former=True)


def _stands_for(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[StandsFor]:
    if sentence.is_entry and sentence.own:
        quoted = _QUOTED.match(match["words"])
        words = quoted[1] if quoted else match["words"].rstrip(".")
        if words:
            yield StandsFor(sentence.own, words.rstrip(","))


def _old_term_for(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[GivesWay]:
    subject = match["subject"].strip()
    said = _QUOTED.findall(subject)
    term = context.term(said[-1]) if said else context.term(subject)
    if sentence.is_entry and not term and (not said or _is_form(said[-1], sentence, context)):
        term = sentence.own if not subject or said or re.match(r"(?:this|it|the)\b", subject, re.I) else ""
    if term and (term == sentence.own or said) and not has_main_verb(match["new"]):
        yield from _replaced(term, match["new"], context)


def _old_term_was(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherName]:
    term = context.term(match["known"])
    if term:
        yield OtherName(term, bare_name(match["name"]), is_former=True)


def _now(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[GivesWay]:
    """Build from what cards say or have now: of the term quoted last before it, else of the entry's."""
    said = _QUOTED.findall(sentence.text[: match.start()])
    term = sentence.own if sentence.is_entry else ""
    if said and (context.term(said[-1]) or not _is_form(said[-1], sentence, context)):
        term = context.term(said[-1])
    if term and len(match["new"].split()) <= _MOST_WORDS:
        yield from _replaced(term, match["new"], context)


def _are_now(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[GivesWay]:
    subject = match["subject"].lower()
    forms = {form.lower() for name in context.names(sentence.own) for form in (name, singular(name))}
    if not sentence.is_entry or not (
        any(form in subject for form in forms) or re.match(r"(?:all|these|such|this|it)\b", subject)
    ):
        return
    if _NARROWED.match(f"{subject} are {match['new'].lower()}"):
        return
    if context.term(match["new"]) or context.term(re.sub(r" cards?$", "", match["new"])):
        yield from _replaced(sentence.own, match["new"], context)


def _renamed(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[GivesWay]:
    title = re.match(r"\s*See rule [\d.a-z]+, \"([^\"]+?)[.,]?\"", sentence.rest, re.IGNORECASE)
    if sentence.is_entry and title:
        yield from _replaced(sentence.own, title[1], context)


def _replaced(term: str, words: str, context: Context) -> Iterator[GivesWay]:
    by = bare_name(words)
    new = context.term(by) or context.term(re.sub(r" (?:cards?|subtype|supertype|card type|type)$", "", by))
    if by and new != term:
        yield GivesWay(term, by, new)


def _is_form(words: str, sentence: Sentence, context: Context) -> bool:
    """Tell whether quoted words are the term of the entry, or words that are used for it."""
    forms = {form.lower() for name in context.names(sentence.own) for form in (name, singular(name))}
    said = without_parameters(words).lower()
    return any(form in said or said in form for form in forms)


_ARTICLE = r"(?:(?:the|an?) )?"
_SAY = (
    r"(?:simply )?(?:use|say|read|refer to|reference)s?,? (?:simply )?(?:the (?:[a-z]+'s )?)?"
    r"(?:term|word|phrase|supertype|subtype)? ?(?:an? [a-z]+ being )?"
)

PATTERNS = (
    Pattern(
        "also called",
        (" also called", " also known", " also referred"),
        re.compile(
            r"(?:^|; |\. |, )(?P<known>[^.:;,()]{2,60}?),? (?:is|are) also (?:called|known as|referred"
            r" to as) "
            r"(?P<name>\"[^\"]+\"|[^.:;,()]+?)[.,;]"
        ),
        _also_called,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "also called in passing",
        (", known as", "also called", "also known"),
        re.compile(
            r"\b[Tt]he (?P<known>(?!the )[^.:;,()\"]{2,40}?)(?:,| \(|, \() ?(?:also )?(?:called|known as) "
            r"(?P<name>(?:the )?\"[^\"]+\"|the [^.:;,()]+?)[).,;]"
        ),
        _also_called,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "referred to as",
        (" called", "referred to as", "known as"),
        re.compile(
            r"^(?:This|It)(?: rule)? is (?:often |sometimes |also )?(?:called|referred to as|known as)"
            r" (?P<names>[^.:;()]+)"
        ),
        _rule_called,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "formerly called",
        ("used to be ", "reviously"),
        re.compile(
            r"^(?:Previously, )?(?P<known>[^.:;,()\"]{2,40}?) (?:used to be|was) (?:called|known as) "
            r"(?P<name>[^.:;()]+?)\.$"
        ),
        _formerly,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "stands for",
        (
            "acronym for",
            "nickname for",
            "abbreviation for",
            "shorthand for",
            "nformal term",
            "slang term for",
        ),
        re.compile(
            r"^(?:(?:This|The term \"[^\"]+\") is )?(?:[Aa]n? )?(?:acronym|nickname|abbreviation|shorthand"
            r"|[Ii]nformal term|slang term)(?: for|(?:, used for|(?:,? which|that) describes?)) "
            r"(?P<words>\"[^\"]+\"|[^;]+$)"
        ),
        _stands_for,
    ),
    Pattern(
        "old term for",
        ("term for", "name for", 'term "', "word for"),
        re.compile(
            rf"^(?P<subject>[^.;:]*?)\b(?:is |are )?{_ARTICLE}(?:obsolete|old|older|former|earlier|previous) "
            rf"(?:term|name|word|phrase) for {_ARTICLE}(?P<new>\"[^\"]+\"|[^.;:()]+?)(?: casual"
            rf" variant)?\.?\"?$",
            re.IGNORECASE,
        ),
        _old_term_for,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "the old term was",
        ("term for", "name for"),
        re.compile(
            r"^The (?:old|older|former|earlier) (?:term|name) for (?P<known>[^.;:()\"]+?) was "
            r"(?P<name>\"[^\"]+\"|[^.;:()]+)"
        ),
        _old_term_was,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "now say",
        (" now ", "errata"),
        re.compile(
            rf"(?:\bnow (?=[a-z])|\berrata [^.;]{{0,60}}?\bto ){_SAY}\"(?P<new>[^\"]+?)[.,]?\"",
            re.IGNORECASE,
        ),
        _now,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "newer ones say",
        ("ewer ",),
        re.compile(r"\b[Nn]ewer (?:[A-Z][a-z]+ )?cards (?:use|say|read) \"(?P<new>[^\"]+?)[.,]?\" instead\b"),
        _now,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "read as",
        ("should be read as",),
        re.compile(r"\bshould be read as \"(?P<new>[^\"]+?)[.,]?\""),
        _now,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "now have",
        ("now have the", "to have the", "they have the"),
        re.compile(
            r"(?:\bnow|\berrata to|\berrata [^.;]{0,60}?\bso they) have the (?P<new>\"?[\w-]+\"?"
            r" (?:subtype|supertype|card type|creature type))\b"
        ),
        _now,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "are now",
        (" now ",),
        re.compile(
            r"^(?P<subject>[^.;:]+?) (?:is|are) now (?:simply )?(?:called |known as )?(?!an? )"
            r"(?P<new>\"[^\".]+\.?\"|[^.;:,()\"]+?)\.?$",
        ),
        _are_now,
        where=Where.ANYWHERE,
    ),
    Pattern("renamed", ("renamed",), re.compile(r"\bhas been renamed\.$"), _renamed),
)
"""What else a term is called, what it is short for, and what took its place."""
