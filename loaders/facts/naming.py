"""Read other names of terms, what they abbreviate, what replaced them, and templates for card texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .context import Context, Continued, Listing, OtherWords, Pattern, Sentence, Template
from .kinds import bare_name, has_main_verb, items_in

_QUOTED = re.compile(r"\"([^\"]{1,80}?)[.,]?\"")
_DESCRIPTION = re.compile(r" (?:and|or|for|of|in|on|with|that) ")
"""Words that show a description, not a name."""

_NARROWED = re.compile(
    r"(?:(?:all|these|such) )?(?P<noun>[a-z]+) that\b.* are (?:[a-z]+ )+(?P=noun)$", re.DOTALL
)
"""How a text says that things now have another kind: "All lamps that shone are now old lamps"."""

_SEE_TITLE = re.compile(r"\s*See rule [\d.a-z]+, \"([^\"]+?)[.,]?\"", re.IGNORECASE)
_MOST_WORDS = 6
"""The maximum number of words in a name; anything longer is a description."""


def _also_called(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherWords]:
    known, name = bare_name(match["known"] or match["renamed"]), bare_name(match["name"])
    is_former = bool(match["former"] or match["renamed"])
    relation = "formerlyCalled" if is_former else "alsoCalled"
    if max(len(known.split()), len(name.split())) > _MOST_WORDS or _DESCRIPTION.search(known):
        return
    known_term, name_term = context.term(known), context.term(name)
    if re.match(r"(?:it|this|these|they)\b", known, re.IGNORECASE):
        if sentence.own and name_term != sentence.own:
            yield OtherWords(sentence.own, relation, name)
    elif known_term and known_term != name_term:
        yield OtherWords(known_term, relation, name)
    elif name_term and not known_term and not is_former:
        yield OtherWords(name_term, relation, known)


def _rule_called(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherWords]:
    if sentence.is_entry:
        for name in dict.fromkeys(_QUOTED.findall(match["names"]) or [bare_name(match["names"])]):
            if name.lower() not in context.forms(sentence.own) and len(name.split()) <= _MOST_WORDS:
                yield OtherWords(sentence.own, "alsoCalled", bare_name(name))


def _stands_for(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherWords]:
    if sentence.is_entry and sentence.own:
        quoted = _QUOTED.match(match["words"])
        words = quoted[1] if quoted else match["words"].rstrip(".")
        if words:
            yield OtherWords(sentence.own, "standsFor", words.rstrip(","))


def _old_term_for(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherWords]:
    subject = match["subject"].strip()
    said = _QUOTED.findall(subject)
    term = context.term(said[-1]) if said else context.term(subject)
    if sentence.is_entry and not term and (not said or _is_form(said[-1], sentence, context)):
        term = sentence.own if not subject or said or re.match(r"(?:this|it|the)\b", subject, re.I) else ""
    if term and (term == sentence.own or said) and not has_main_verb(match["new"]):
        yield from _replaced(term, match["new"], context)


def _now(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Continued]:
    """Read what cards say or have now, as words for the last term quoted before it, else for the entry's."""
    said = _QUOTED.findall(sentence.text[: match.start()])
    term = sentence.own if sentence.is_entry else ""
    if said and (context.term(said[-1]) or not _is_form(said[-1], sentence, context)):
        term = context.term(said[-1])
    title = _SEE_TITLE.match(sentence.rest)
    new = match["words"] or match["kind"] or (title[1] if title else "")
    length = title.end() if title and new == title[1] else 0
    if term and new and len(new.split()) <= _MOST_WORDS:
        yield from ((it, length) for it in _replaced(term, new, context))


def _are_now(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[OtherWords]:
    subject = match["subject"].lower()
    if not sentence.is_entry or not (
        any(form in subject for form in context.forms(sentence.own))
        or re.match(r"(?:all|these|such|this|it)\b", subject)
    ):
        return
    if _NARROWED.match(f"{subject} are {match['new'].lower()}"):
        return
    if context.term(match["new"]) or context.term(re.sub(r" cards?$", "", match["new"])):
        yield from _replaced(sentence.own, match["new"], context)


def _replaced(term: str, words: str, context: Context) -> Iterator[OtherWords]:
    by = bare_name(words)
    new = context.term(by) or context.term(re.sub(r" (?:cards?|subtype|supertype|card type|type)$", "", by))
    if by and new != term:
        yield OtherWords(term, "gaveWayTo", by, new)


def _is_form(words: str, sentence: Sentence, context: Context) -> bool:
    """Return whether quoted words are the term of the entry, or are used for it."""
    said = without_parameters(words).lower()
    return any(form in said or said in form for form in context.forms(sentence.own))


_ARTICLE = r"(?:(?:the|an?) )?"
_SAY = (
    r"(?:simply )?(?:use|say|read(?: as)?|refer to|reference)s?,? (?:simply )?(?:the (?:[a-z]+'s )?)?"
    r"(?:term|word|phrase|supertype|subtype)? ?(?:an? [a-z]+ being )?"
)

PATTERNS = (
    Pattern(
        "also called",
        (" called ", " known as ", " referred to as ", "term for", "name for"),
        r"(?:(?:^|; |\. |, |(?<=\) and ))(?P<known>[^.:;,()]{2,60}?)"
        r"(?:,? (?:is|are) also |,? \(also |(?P<former> (?:used to be|was) ))"
        r"(?:called|known as|referred to as)"
        r"|^The (?:old|older|former|earlier) (?:term|name) for (?P<renamed>[^.;:()\"]+?) was) "
        r"(?P<name>\"[^\"]+\"|[^.:;,()]+?)[).,;]",
        _also_called,
    ),
    Pattern(
        "referred to as",
        (" called", "referred to as", "known as"),
        r"^(?:This|It)(?: rule)? is (?:often |sometimes |also )?(?:called|referred to as|known as)"
        r" (?P<names>[^.:;()]+)",
        _rule_called,
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
        r"^(?:(?:This|The term \"[^\"]+\") is )?(?:[Aa]n? )?(?:acronym|nickname|abbreviation|shorthand"
        r"|[Ii]nformal term|slang term)(?: for|(?:, used for|(?:,? which|that) describes?)) "
        r"(?P<words>\"[^\"]+\"|[^;]+$)",
        _stands_for,
        where="opening",
    ),
    Pattern(
        "old term for",
        ("term for", "name for", 'term "', "word for"),
        rf"(?i)^(?P<subject>[^.;:]*?)\b(?:is |are )?{_ARTICLE}(?:obsolete|old|older|former|earlier|previous) "
        rf"(?:term|name|word|phrase) for {_ARTICLE}(?P<new>\"[^\"]+\"|[^.;:()]+?)(?: casual"
        rf" variant)?\.?\"?$",
        _old_term_for,
    ),
    Pattern(
        "now say",
        (" now", "errata", "ewer ", "should be read", "renamed"),
        r"(?i)(?:\bnow (?=[a-z])|\berrata [^.;]{0,60}?\bto |\bnewer (?:[a-z]+ )?cards |\bshould be )"
        rf"{_SAY}\"(?P<words>[^\"]+?)[.,]?\""
        r"|(?:\bnow|\berrata (?:to|[^.;]{0,60}?\bso they)) have the "
        r"(?P<kind>\"?[\w-]+\"? (?:subtype|supertype|card type|creature type))\b"
        r"|\bhas been renamed\.$",
        _now,
    ),
    Pattern(
        "are now",
        (" now ",),
        r"^(?P<subject>[^.;:]+?) (?:is|are) now (?:simply )?(?:called |known as )?(?!an? )"
        r"(?P<new>\"[^\".]+\.?\"|[^.;:,()\"]+?)\.?$",
        _are_now,
    ),
)
"""Patterns for a term's other names, what it abbreviates, and what replaced it."""


_PARAMETER = re.compile(r"\[[^\[\]]+\]|\b[NXYZ]\b")
_SYMBOL = re.compile(r"\{(\w+)[ }]")
_JOINED = re.compile(r"\[(\w+)\](?=\w)")


def without_parameters(wording: str) -> str:
    """Return a wording without its placeholders.

    >>> without_parameters("Stride [cost] and N")
    'Stride and'
    """
    return " ".join(_PARAMETER.sub("", wording).split())


def _means_one_of(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Listing]:
    """Read the meaning of the term quoted in the sentence before: "It means a lamp, moth, or box card."."""
    named = re.match(r'The term "(?P<name>[^"]+)" ', sentence.before)
    if named and context.term(named["name"]):
        yield Listing(named["name"], "", tuple(f"{it} {match['noun']}" for it in items_in(match["items"])))


def _template(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Template]:
    template = _wording(match)
    term = _term_in(template.wording, sentence, context)
    if template.wording and term:
        yield replace(template, term=term)


def _written(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Template]:
    """Read how something is written: in an entry that has its name, or placeholders."""
    template = _wording(match)
    term = _term_in(template.wording, sentence, context)
    if template.wording and (
        (sentence.is_entry and (term or template.parameters)) or (term and term == sentence.own)
    ):
        yield replace(template, term=sentence.own)


def _wording(match: re.Match[str]) -> Template:
    wording = match["wording"].strip().rstrip(" ,.")
    meaning = match["meaning"].strip() if "meaning" in match.re.groupindex else ""
    return Template("", wording, tuple(dict.fromkeys(_PARAMETER.findall(wording))), meaning)


def _term_in(wording: str, sentence: Sentence, context: Context) -> str:
    """Return the term that a wording uses: the entry's or rule's, else the one that it begins with.

    If a parameter is part of its first word, that word may be a term: "[Type]hum" is *Typehum*. A beginning
    in braces is a symbol.
    """
    if symbol := _SYMBOL.match(wording):
        return context.term(f"{symbol[1]} symbol") or sentence.own
    joined = _JOINED.sub(r"\1", wording).split()
    if joined and _JOINED.match(wording) and (own := context.term(joined[0])):
        return own
    begun = _begun_with(wording, context)
    small = wording.lower()
    forms = context.forms(sentence.own)
    if any(form in small and re.search(rf"\b{re.escape(form)}", small) for form in forms):
        longer = any(form in begun.split("-") for form in forms)
        return begun if longer and begun != sentence.own else sentence.own
    return begun


def _begun_with(wording: str, context: Context) -> str:
    """Return the term with the longest name that a wording begins with, or ``""``."""
    words = re.split(r" ?[\[—-]| (?=[NXYZ]\b)", wording)[0].split()
    while words:
        term = context.term(" ".join(words))
        if term:
            return term
        words.pop()
    return ""


TEMPLATES = (
    Pattern(
        "means one of",
        ("t means a",),
        r"^(?:Specifically, )?[Ii]t means an? (?P<items>[^.:;()]+, or [^.:;(),]+) (?P<noun>[a-z]+)\.$",
        _means_one_of,
    ),
    Pattern(
        "template",
        (" means", " is the same as"),
        r"(?s)(?:(?<!term )\"(?P<wording>[^\"]{1,90}?),?\"(?: on an? [^\".,;]{1,60}?)?"
        r" (?:means|is the same as)(?: that)?,? (?!the same)(?P<meaning>[^ ].*)$)",
        _template,
    ),
    Pattern(
        "bare template",
        (" means",),
        r"(?s)(?P<wording>(?:^(?!To )|(?<=^To ))[A-Za-z' ]{2,30} (?:\[[^\]]+\]|N\b)[^\".;]{0,30}?"
        r"|(?<=\bterm )[a-z]+)"
        r"(?:, which)? means,? "
        r"(?P<meaning>[^ ].*)$",
        _template,
    ),
    Pattern(
        "written as",
        ("written", "labeled", "the phrase"),
        r"\b(?:written|labeled|cards used? the phrase)(?: as)?,? \"(?P<wording>[^\"]{1,90}?)[.,]?\"",
        _written,
    ),
)
"""Patterns for how cards write a term, and what that means."""
