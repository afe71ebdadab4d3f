"""Parse glossaries without dates and numbers: prose that lost its headings, and copies from reading sites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...ontology import DocumentKind, SourceError
from ..language.names import is_title
from ..language.words import (
    count_lines,
    ending,
    ends_paragraph,
    fold,
    fragment_id,
    normalise,
    unbalanced_quotes,
)
from ..records import Document, Problem, Severity
from .furniture import is_furniture
from .glossary import SENSE
from .lines import Line, Wrapping, clean_lines, is_full
from .pieces import Draft, Piece, collect, entries, example_of, paragraphs
from .references import with_references
from .source import Source

_TITLE_WORDS = 6

_KEPT = 0.5
"""The minimum ratio of headings to paragraphs in a text that kept them; in whole glossaries it is 2 : 3."""

_SENTENCE_END = re.compile(r"[.?!:;][\"”’')\]]*$")
_TITLE_LENGTH = 60
"""The longest heading in any edition's glossary has 41 characters."""

_STATE = re.compile(r"\((?:obsolete|informal)\)$", re.IGNORECASE)
_LONGEST = 90
"""The longest heading with a state has 70."""

_BACK = re.compile(r"credits|questions\?|customer service(?: information)?", re.IGNORECASE)
"""The beginning of the part after a glossary."""

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"")
_TALK = re.compile(r"\b(?:I(?:[’'](?:m|ve|d|ll))?|[Ww]e(?:[’'](?:re|ve|d|ll))?|[Mm]y|[Oo]ur) [a-z]\w*")
"""What a writer says about people at a table; cards say it too, but within quotation marks."""


_WIDEST_WRAP = 160
_WRAPPED_SHARE = 0.1
"""A text is wrapped if one in ten of its lines, of at most this many characters, stops inside a sentence."""


def parse_fragment(source: Source, kind: DocumentKind) -> Document:
    """Return the content of a glossary without dates and numbers; raise SourceError if it has no paragraph.

    In a web copy, paragraphs are below their heading. Copies are cut anywhere, so there may be loose
    paragraphs before the first heading, and a heading without a paragraph at the end.

    Prose lost most of its headings, and a paragraph below one may not belong to it. So all paragraphs are
    loose, and the remaining headings are entries without paragraphs. The term of each is found later, by
    comparison with an edition (`rulesgraph.loaders.linking.align`). Prose with a heading for every second
    paragraph kept its headings, and is read like a copy.

    Filtered words and turned quotes are repaired in both; a changed paragraph keeps its words in `as_found`.
    Keys count from 1. The document's id is made from its words alone: line breaks, kinds of quotes and
    furniture do not change it.
    """
    lines, drawn = clean_lines(source.lines)
    pieces = read_pieces(lines)
    counts = Counter(it.kind for it in pieces)
    if not counts["paragraph"]:
        raise SourceError(
            f"there is no paragraph in this {kind.value}",
            way_out="Give a text with whole sentences, such as a glossary.",
        )
    talk = [
        match[0]
        for it in pieces
        if it.kind == "paragraph"
        for match in _TALK.finditer(_QUOTED.sub("", it.text))
    ]
    if len(talk) > 1:
        raise SourceError(
            f"this is a text about the game: “{talk[0]}” and “{talk[1]}”, which rules never say",
            way_out="Give a text of the rules themselves.",
        )
    has_headings = kind is DocumentKind.WEB_COPY or counts["heading"] >= _KEPT * counts["paragraph"]
    drafts, loose, stray = _placed(pieces, below_headings=has_headings)
    name = fragment_id(normalise(" ".join(it.text for it in pieces if it.kind != "furniture")))
    opening = " ".join(next(it.text for it in pieces if it.kind == "paragraph").split()[:_TITLE_WORDS])
    problems = [*_problems(pieces, stray), *(_cuts(drafts, loose) if has_headings else ())]
    furniture = (n for it in pieces if it.kind == "furniture" for n in range(it.first_line, it.last_line + 1))

    document = Document(
        kind=kind,
        document=name,
        edition=name,
        title=f"{kind.value.capitalize()} from “{opening} …”",
        issued=None,
        checksum=source.checksum,
        encoding=source.encoding,
        lines=count_lines(source.lines),
        entries=entries(drafts),
        paragraphs=paragraphs(loose),
        problems=tuple(sorted(problems, key=lambda it: it.first_line)),
        furniture=tuple(sorted((*furniture, *drawn))),
    )
    return with_references(document)


# -- pieces -----------------------------------------------------------------------------------------


def read_pieces(lines: Sequence[Line]) -> list[Piece]:
    """Return the pieces of a text in order: headings, paragraphs, examples and furniture.

    Their words are repaired before they are classified. Paragraphs may be on one line each, with or without
    blank lines between them, or be wrapped at one width.
    """
    wrapping = _wrapping(lines)

    def opened(place: int, pieces: Sequence[Piece]) -> Piece | None:
        line = lines[place]
        if is_furniture(line.text):
            return Piece("furniture", [(line.number, line.text)])
        may_go_on = wrapping.wrapped and pieces and not line.apart and pieces[-1].kind != "furniture"
        if may_go_on and (line.text[0].islower() or is_full(lines[place - 1], line, wrapping)):
            return example_of(line)
        return example_of(line) or _sense_of(line, pieces) or Piece("paragraph", [(line.number, line.text)])

    pieces = collect(lines, wrapping, opened)
    is_back = False
    for it in pieces:
        mended = mend(it.found)
        it.mended = mended if mended != it.found else ""
        is_back = is_back or _BACK.fullmatch(it.text) is not None
        if is_back or is_furniture(it.text):
            it.kind = "furniture"
        elif it.kind == "paragraph" and is_heading(it.text):
            it.kind = "heading"
    return pieces


def _sense_of(line: Line, pieces: Sequence[Piece]) -> Piece | None:
    """Return the numbered sense that a line begins, the next one below a heading, or None."""
    sense = SENSE.match(line.text)
    for it in reversed(pieces if sense else ()):
        if it.number or is_heading(it.text):
            due = int(it.number or 0) + 1
            break
    else:
        return None
    assert sense
    words = line.text[sense.end() :]
    return (
        Piece("paragraph", [(line.number, words)], sense["number"]) if int(sense["number"]) == due else None
    )


def _wrapping(lines: Sequence[Line]) -> Wrapping:
    """Return the width at which the text is wrapped, if one is.

    A line is wrapped if the next one continues in lower case and no sentence ends in between.
    """
    inside = (a for a, b in pairwise(lines) if b.text[0].islower() and not b.apart)
    broken = [a.width for a in inside if not _SENTENCE_END.search(a.text)]
    broken = [width for width in broken if width <= _WIDEST_WRAP]
    return Wrapping(len(broken) > _WRAPPED_SHARE * len(lines), max(broken, default=0))


def is_heading(text: str) -> bool:
    """Return whether a line is a heading: short or with a state, not a sentence, beginning like a name."""
    state = _STATE.search(text)
    is_sentence = _SENTENCE_END.search(text) and not (text.endswith("!") and is_title(text[:-1]))
    if len(text) > (_LONGEST if state else _TITLE_LENGTH) or is_sentence:
        return False
    first = next((char for char in text if char.isalnum()), "")
    return bool(first) and not first.islower()


def _placed(pieces: Sequence[Piece], *, below_headings: bool) -> tuple[list[Draft], list[Piece], list[Piece]]:
    """Return the entries, the pieces outside of them, and the examples outside of any paragraph."""
    drafts: list[Draft] = []
    loose: list[Piece] = []
    stray: list[Piece] = []
    last: list[Piece] = stray
    """The list with the last paragraph; the examples after it go there too."""
    for piece in pieces:
        if piece.kind == "heading":
            drafts.append(Draft(piece))
        elif piece.kind == "paragraph":
            last = drafts[-1].pieces if below_headings and drafts else loose
            last.append(piece)
        elif piece.kind == "example":
            last.append(piece)
    return drafts, loose, stray


# -- problems ---------------------------------------------------------------------------------------


def _problems(pieces: Sequence[Piece], stray: Sequence[Piece]) -> Iterator[Problem]:
    """Yield what is wrong with the text, or was wrong and has been repaired."""
    for it in stray:
        yield _problem("stray-text", "this example belongs to no paragraph", it)
    for it in pieces:
        if it.mended and it.kind in ("heading", "example"):
            message = f"“{it.found}” was repaired to “{it.mended}”"
            yield _problem("mended-words", message, it, Severity.INFO)
    seen: set[str] = set()
    for it in pieces:
        if it.kind in ("paragraph", "example") and it not in stray and unbalanced_quotes(it.text):
            yield _problem("unbalanced-quotes", "a quotation has only one of its two quotation marks", it)
        if it.kind == "paragraph" and it.text in seen:
            yield _problem("duplicate-text", "the same words appear twice", it)
        seen.add(it.text)


def _cuts(drafts: Sequence[Draft], loose: Sequence[Piece]) -> Iterator[Problem]:
    """Yield where a copy begins or ends inside an entry, and headings without words elsewhere."""
    if loose and drafts:
        message = "the copy begins inside an entry whose heading it does not have"
        yield _problem("cut-off", message, loose[0], Severity.INFO)
    last = (drafts[-1].pieces if drafts else loose)[-1:]
    if last and not ends_paragraph(last[0].text):
        message = f"the copy ends in the middle of {ending(last[0].text)!r}"
        yield _problem("cut-off", message, last[0], Severity.INFO)
    for draft in drafts:
        name = draft.heading.text
        if not draft.pieces and draft is drafts[-1]:
            message = f"the copy ends with the bare heading {name}"
            yield _problem("cut-off", message, draft.heading, Severity.INFO)
        elif not draft.pieces:
            yield _problem("missing-paragraph", f"{name} has a heading but no paragraph", draft.heading)


def _problem(code: str, message: str, piece: Piece, severity: Severity = Severity.WARNING) -> Problem:
    subject = piece.text if piece.kind == "heading" else ""
    return Problem.at(piece, code, message, subject, piece.found[:80], severity)


# -- words ------------------------------------------------------------------------------------------

_BROKEN = re.compile(r"(?<![\w.+@/])[A-Za-z]+(?:\.\+?[A-Za-z]+){2,}(?![\w@/]|\.\w)")
_SEPARATOR = re.compile(r"\.\+?")
_ABBREVIATION = re.compile(r"(?:e\.g|i\.e|a\.k\.a|a\.m|p\.m|n\.b|q\.v)\.", re.IGNORECASE)
_HOST = re.compile(
    r"www\.|.*\.(?:com|org|net|edu|gov|info|io|co|uk|de|txt|html?|aspx?|php|pdf)$", re.IGNORECASE
)
_CURLY = re.compile("[“”]")
_BEFORE_OPENING = re.compile(r"[\s(\[{—–/-]?$")


def mend(text: str) -> str:
    """Return the repaired text of a web copy: white space, then filtered words, then quotes."""
    return turn_quotes(join_filtered(fold(text)))


def join_filtered(text: str) -> str:
    """Return `text` with words joined that a filter broke around single letters.

    A broken word has at least three pieces, joined by dots (``.`` or ``.+``); each dot has a single
    lower-case letter, neither first nor last, on one side. Abbreviations, initials, addresses and words of
    single letters stay.

    >>> join_filtered("cla.s.sical th.i.+mbles, e.g. from www.x.com")
    'classical thimbles, e.g. from www.x.com'
    """
    return _BROKEN.sub(_joined, text)


def _joined(match: re.Match[str]) -> str:
    word = match[0]
    pieces = _SEPARATOR.split(word)
    is_set_apart = [0 < place < len(pieces) - 1 and len(piece) == 1 for place, piece in enumerate(pieces)]
    is_filtered = all(left or right for left, right in pairwise(is_set_apart))
    is_small = all(piece.islower() for piece in pieces[1:])
    is_initials = "+" not in word and all(len(piece) == 1 for piece in pieces)
    if not is_filtered or not is_small or is_initials or _ABBREVIATION.match(word) or _HOST.match(word):
        return word
    return "".join(pieces)


def turn_quotes(text: str) -> str:
    """Return `text` with its curly double quotes turned to open and close as their places require.

    Text with as many opening as closing quotes is left as it is. A quote at the beginning or after white
    space, a dash or a bracket opens.

    >>> turn_quotes("the ”keeper” waits (”here”)")
    'the “keeper” waits (“here”)'
    """
    if text.count("“") == text.count("”"):
        return text

    def turned(quote: re.Match[str]) -> str:
        # Look only at the character before it: looking at all text before each quote would be slow.
        place = quote.start()
        return "“" if _BEFORE_OPENING.match(text[max(0, place - 1) : place]) else "”"

    return _CURLY.sub(turned, text)
