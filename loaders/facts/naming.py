"""Sentences about names and wordings: other names, what a name stands for or gave way to, and templates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..language.names import singular
from .context import Context, Pattern, Sentence, Where, bare_name, has_main_verb
from .statements import GivesWay, OtherName, StandsFor, Template

_QUOTED = re.compile(r"\"([^\"]{1,80}?)[.,]?\"")
_PARAMETER = re.compile(r"\[[^\[\]]+\]|\b[NXYZ]\b")
_DESCRIPTION = re.compile(r" (?:and|or|for|of|in|on|with|that) ")
"""Words of a description, which is no name."""

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
    said = " ".join(_PARAMETER.sub("", words).lower().split())
    return any(form in said or said in form for form in forms)


def _template(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Template]:
    template = _wording(match)
    term = _term_in(template.wording, sentence, context)
    if template.wording and term:
        yield replace(template, term=term)


def _written(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Template]:
    """Build from how something is written: in an entry that has its name, or places to be filled in."""
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
    """Return the term that a wording uses: that of the entry or rule, else the one it begins with.

    Where a parameter is a part of its first word, that word may be a term: "[Type]hum" is *Typehum*.
    """
    joined = _JOINED.sub(r"\1", wording).split()
    if joined and _JOINED.match(wording) and (own := context.term(joined[0])):
        return own
    begun = _begun_with(wording, context)
    if any(re.search(rf"\b{re.escape(form)}", wording.lower()) for form in _forms(sentence.own, context)):
        longer = any(form in begun.replace("-", " ").split() for form in _forms(sentence.own, context))
        return begun if longer and begun != sentence.own else sentence.own
    return begun


def _forms(term: str, context: Context) -> set[str]:
    return {form for name in context.names(term) for form in (name.lower(), name.lower().rstrip("!"))}


def _begun_with(wording: str, context: Context) -> str:
    """Return the term whose name a wording begins with, the longest, or ``""``."""
    words = re.split(r" ?[\[—-]| (?=[NXYZ]\b)", wording)[0].split()
    while words:
        term = context.term(" ".join(words))
        if term:
            return term
        words.pop()
    return ""


_JOINED = re.compile(r"\[(\w+)\](?=\w)")
_ARTICLE = r"(?:(?:the|an?) )?"
_SAY = (
    r"(?:simply )?(?:use|say|read|refer to|reference)s?,? (?:simply )?(?:the )?"
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
            "nformal term for",
            "slang term for",
        ),
        re.compile(
            r"^(?:This is )?(?:[Aa]n? )?(?:acronym|nickname|abbreviation|shorthand|[Ii]nformal term"
            r"|slang term) for "
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
        "read as",
        ("should be read as",),
        re.compile(r"\bshould be read as \"(?P<new>[^\"]+?)[.,]?\""),
        _now,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "now have",
        ("now have the", "to have the"),
        re.compile(
            r"(?:\bnow|\berrata to) have the (?P<new>\"?[\w-]+\"? (?:subtype|supertype|card type"
            r"|creature type))\b"
        ),
        _now,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "are now",
        (" now ",),
        re.compile(
            r"^(?P<subject>[^.;:]+?) (?:is|are) now (?:simply )?(?:called |known as )?(?!an? )"
            r"(?P<new>[^.;:,()]+?)\.$",
        ),
        _are_now,
        where=Where.ANYWHERE,
    ),
    Pattern("renamed", ("renamed",), re.compile(r"\bhas been renamed\.$"), _renamed),
    Pattern(
        "template",
        (" means", "written"),
        re.compile(
            r"(?:(?<!term )\"(?P<wording>[^\"]{1,90}?),?\"(?: on an? [^\".;]{1,60}?)? means"
            r"(?: that)?,? (?!the same)(?P<meaning>[^ ].*)$)",
            re.DOTALL,
        ),
        _template,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "bare template",
        (" means",),
        re.compile(
            r"^(?:To )?(?P<wording>[A-Za-z' ]{2,30} (?:\[[^\]]+\]|N\b)[^\".;]{0,30}?) means,? "
            r"(?P<meaning>[^ ].*)$",
            re.DOTALL,
        ),
        _template,
        where=Where.ANYWHERE,
    ),
    Pattern(
        "term which means",
        ("which means",),
        re.compile(
            r"\bterm \"?(?P<wording>[^\",.;:]{2,40})\"?, which means,? (?P<meaning>\".*)$",
            re.DOTALL,
        ),
        _template,
    ),
    Pattern(
        "written as",
        ("written",),
        re.compile(r"\bwritten(?: as)?,? \"(?P<wording>[^\"]{1,90}?)[.,]?\""),
        _written,
        where=Where.ANYWHERE,
    ),
)
"""What else a term is called, what it is short for, what took its place, and how it is written."""
