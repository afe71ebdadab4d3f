"""Find the cards that a release of the rules touches, and the changes that a card is touched by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from shlex import quote

from ...loaders.language.numbers import parent
from ...loaders.language.words import fold, sentences
from ...ontology import UnknownNameError, counted, grouped, in_a_list, literal
from ..evidence.links import NameFinder, cut
from ..history.diff import Difference, diff
from ..history.links import path_between, timeline
from ..history.marking import stretches_of
from ..session import Answer, Cells, Session
from .current import FEW, about_cards, named_terms, rarest_first, required_cards
from .naming import card_called

_COLUMNS = ("card", "term", "number", "link", "quote", "before", "after")

_LINKS = ("keyword", "type", "mention", "reminder")
"""How a card names a term, strongest first: printed keyword, its type, its words, its reminder text alone."""

_TOO_MANY = 0.02
"""The share of all cards from which mentioning a term says nothing about any of them."""


def cards_changed(session: Session, before: str, after: str, within: str | None = None) -> Answer:
    """Return the cards that the changes between two editions touch, the strongest first.

    A card is touched by a new or reworded rule that defines a term in the card's words, or that names one
    which it lists (a predefined token), or the type of the card that its chapter defines; a rule that only
    treats of a term counts if the words that changed name it. Printed keywords come first, then types, the
    rarest terms, and tokens that only reminder text names. There is a row for each such rule, with the card's
    sentence (or type line), and the sentences of the rule that changed. `within` is that of `diff`.
    """
    data = required_cards(session)
    found = diff(session, before, after, only="added,reworded", within=within)
    rows = [row for row in found.changes.rows if row[1] == "rule"]
    begun = {parent(str(row[3])) for row in rows if row[0] == "added" and "." in str(row[3])}
    marked: dict[str, str] = {}
    for how, _, _, number, words, *_ in rows:
        # The words of a new rule have no marks. Its title alone says nothing that the rules below do not.
        is_new = how == "added"
        if not is_new or number not in begun or str(words).endswith("."):
            marked[str(number)] = f"{{+{words}+}}" if is_new else str(words)
    changed = {number: _sentences(words) for number, words in marked.items()}
    numbers = [literal(number) for number in changed]
    scope = session.scope(found.terms.edition)
    defined = session.run("cards", "defined_by", scope, {"number": numbers}) if numbers else []
    names = NameFinder(session, {str(term) for _, term, *_ in defined})
    defined = [
        (number, term, name, how)
        for number, term, name, how in defined
        if how != "treated" or names.span(_changed_words(marked[str(number)]), str(term))
    ]
    through = grouped((str(term), str(number)) for number, term, *_ in defined)
    told = grouped((str(term), str(number)) for number, term, _, how in defined if how != "type")
    labels = {str(term): str(name) for _, term, name, _ in defined}
    listed = {str(term): str(name).lower() for _, term, name, how in defined if how == "begins"}
    named = about_cards(session, data, "naming_terms", {"term": list(through)}) if through else []
    cards = grouped(
        (str(term), (str(link), str(name), str(text)))
        for term, name, text, link in named
        if link == "type" or term in told
    )
    known = {(term, name) for term, own in cards.items() for _, name, _ in own}
    faces = about_cards(session, data, "faces", {}) if listed else []
    for name, text in sorted({(str(it[2]), str(it[4])) for it in faces if "(" in str(it[4])}):
        for term, word in listed.items():
            if word in text.lower() and (term, name) not in known:
                cards[term].append(("reminder", name, text))
    notes = [data.title, *found.changes.notes]
    told_of_many: list[str] = []
    ranked: list[tuple[tuple[int, int, str], Cells]] = []
    for term, own in cards.items():
        label, uses = labels[term], Counter(_weak(link) for link, *_ in own)
        common = [link for link, count in uses.items() if link and count > max(FEW, _TOO_MANY * data.cards)]
        if common:
            told_of_many.append(term)
            count = sum(uses[link] for link in common)
            only = f"{count:,} cards only {'are or mention' if 'type' in common else 'mention'} {label}"
            notes.append(f"{only}: `rulesgraph ask cards_with {quote(label)}` lists them.")
        for link, name, text in own:
            if _weak(link) not in common:
                at = text.lower().find(label.lower()) if link == "reminder" else -1
                sentence = cut(text, (at, at + 1) if at >= 0 else names.span(text, term))
                key = _LINKS.index(link), len(own), name
                numbers = through[term] if link == "type" else told[term]
                ranked += ((key, (name, label, it, link, sentence, *changed[it])) for it in numbers)
    ordered = tuple(row for _, row in sorted(ranked, key=lambda it: it[0]))
    some = {str(row[2]) for row in ordered}.union(*(through[term] for term in told_of_many))
    none = [number for number in changed if number not in some]
    if none:
        notes.append(
            f"{counted(len(none), 'new or reworded rule')} without cards to show: {in_a_list(none, 8)}."
        )
    return Answer("cards_changed", _COLUMNS, ordered, found.changes.edition, tuple(notes))


def _weak(link: str) -> str:
    """Return what so many cards may have that it says nothing: a type, or a word; keywords always count."""
    return "" if link == "keyword" else "type" if link == "type" else "mention"


def diff_with_cards(
    session: Session,
    before: str,
    after: str,
    *,
    only: str | Sequence[str] | None = None,
    within: str | None = None,
) -> Difference:
    """Compare two editions as `diff`; a card means the rules about the terms in its words.

    Terms that nearly every card names count only if it names no others.
    """
    try:
        return diff(session, before, after, only=only, within=within)
    except UnknownNameError as error:
        card = card_called(session, within) if within and error.kind == "rule or entry" else None
        if within is None or card is None:
            raise
        newest = max(path_between(timeline(session), before, after, session), key=lambda it: it.age_key)
        data, scope = required_cards(session), session.scope(newest.id)
        touched = {str(row[1]) for row in about_cards(session, data, "touched", {"card": [card.iri]})}
        terms = rarest_first(session, data, touched, common=False) or touched
        about = [it for it in named_terms(session, scope, terms).values() if it.number]
        if not about:
            raise
    found = diff(
        session, before, after, only=only, within=", ".join(sorted({str(it.number) for it in about}))
    )
    note = (
        f"{card.name} is a card: these are the changes to rules about {', '.join(it.ground for it in about)}."
    )
    return found._replace(changes=found.changes._replace(notes=(note, *found.changes.notes)))


def _changed_words(words: str) -> str:
    """Return the words that went or came, from words with their marks; a full stop parts the stretches.

    >>> _changed_words("A lamp burns [-one oil-]{+two oil+} a {+long+} day.")
    'one oil. two oil. long'
    """
    return ". ".join(text for what, text in stretches_of(words) if what != "same")


def _sentences(words: str) -> tuple[str, str]:
    """Return the sentences that changed, before and after, from words with their marks.

    >>> _sentences("A lamp is lit. It burns [-one oil-]{+two oil+} a day. It is red.")
    ('It burns one oil a day.', 'It burns two oil a day.')
    """
    stretches = stretches_of(words)
    texts = [" ".join(it for what, it in stretches if what != other) for other in ("come", "gone")]
    before, after = ([fold(text[start:end]) for start, end in sentences(text)] for text in texts)
    gone, come = ([it for it in one if it not in other] for one, other in ((before, after), (after, before)))
    return " ".join(gone), " ".join(come)
