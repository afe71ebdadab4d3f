"""Sentences about wordings: how what a term says is written on a card, and what those words mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .context import Context, Pattern, Sentence, Where
from .statements import Template

_PARAMETER = re.compile(r"\[[^\[\]]+\]|\b[NXYZ]\b")
_SYMBOL = re.compile(r"\{(\w+)[ }]")
_JOINED = re.compile(r"\[(\w+)\](?=\w)")


def without_parameters(wording: str) -> str:
    """Return a wording without the places in it that are to be filled in.

    >>> without_parameters("Stride [cost] and N")
    'Stride and'
    """
    return " ".join(_PARAMETER.sub("", wording).split())


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


def _phrase(match: re.Match[str], sentence: Sentence, context: Context) -> Iterator[Template]:
    """Build from the words that cards use, where they have places to be filled in."""
    template = _wording(match)
    if sentence.is_entry and template.parameters:
        yield replace(template, term=sentence.own)


def _wording(match: re.Match[str]) -> Template:
    wording = match["wording"].strip().rstrip(" ,.")
    meaning = match["meaning"].strip() if "meaning" in match.re.groupindex else ""
    return Template("", wording, tuple(dict.fromkeys(_PARAMETER.findall(wording))), meaning)


def _term_in(wording: str, sentence: Sentence, context: Context) -> str:
    """Return the term that a wording uses: that of the entry or rule, else the one it begins with.

    Where a parameter is a part of its first word, that word may be a term: "[Type]hum" is *Typehum*. What
    it begins with in braces is a symbol.
    """
    if symbol := _SYMBOL.match(wording):
        return context.term(f"{symbol[1]} symbol") or sentence.own
    joined = _JOINED.sub(r"\1", wording).split()
    if joined and _JOINED.match(wording) and (own := context.term(joined[0])):
        return own
    begun = _begun_with(wording, context)
    small = wording.lower()
    forms = [form for form in _forms(sentence.own, context) if form in small]
    if any(re.search(rf"\b{re.escape(form)}", small) for form in forms):
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


PATTERNS = (
    Pattern(
        "template",
        (" means", " is the same as"),
        re.compile(
            r"(?:(?<!term )\"(?P<wording>[^\"]{1,90}?),?\"(?: on an? [^\".,;]{1,60}?)?"
            r" (?:means|is the same as)(?: that)?,? (?!the same)(?P<meaning>[^ ].*)$)",
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
        "cards use",
        ("the phrase",),
        re.compile(
            r"^(?:Some|Many|Most) (?:[a-z]+ )?cards used? the phrase \"(?P<wording>[^\"]{1,90}?)[.,]?\""
        ),
        _phrase,
    ),
    Pattern(
        "written as",
        ("written", "labeled"),
        re.compile(r"\b(?:written|labeled)(?: as)?,? \"(?P<wording>[^\"]{1,90}?)[.,]?\""),
        _written,
        where=Where.ANYWHERE,
    ),
)
"""How a term is written on cards, and what that means."""
