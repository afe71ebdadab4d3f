"""Find where a card meets another card or a term, and which chain of links leads from a card to a term."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from shlex import quote

from ...loaders.cards.records import key_of, without_name
from ...loaders.editions import StoredSet
from ...loaders.indexing.stemmer import telling_stems
from ...loaders.language.words import sentences
from ...ontology import DCTERMS, RG, SKOS, UnknownNameError, literal
from ..evidence.links import NameFinder, cut
from ..finding.names import identify
from ..finding.things import resolve
from ..reliance.interaction import interaction, is_general, why_and_where
from ..reliance.levels import Reach
from ..session import Answer, Cells, Scope, Session
from .current import (
    NamedCard,
    TermOnCard,
    abilities_of,
    about_cards,
    current_cards,
    keywords_of,
    meant_by_both,
    named_terms,
    rarest_first,
    terms_and_actions,
)
from .naming import card_meant, cards_in, told_of
from .ruled import alike, grounds_of, nearest, nearest_sentence, rulings_about, rulings_on, things_in

_MOST_TRIED = 8
"""The number of a card's terms, rarest first, from which a chain is searched."""

_BEHIND = "The numbers are of rules about the card’s keywords or, as a guess, behind its rulings."

_Said = Mapping[str, Sequence[str]]
"""The sentences of a card for each term in its words."""

_RULED = "A card’s name with a date marks a ruling."

_WORD = 0.25
"""The weight of a word of a card, relative to what it names, in the rulings on another."""

_SHORT = 2
"""A chain of this many steps comes before rulings: a term of the card, and what its rule names."""

_MOST_RULINGS = _MOST_KEYWORDS = 2
"""The number of rulings shown for each of two cards, and of keyword abilities that are compared."""

_MOST_OF_KEYWORDS = 2
"""The number of places where they meet that are told with another question."""

_MOST_OF_BOTH = 3
"""The number of places where two cards meet that are told with another question."""


def in_common(
    session: Session, names: Sequence[str], edition: str | None, otherwise: Callable[[], Answer]
) -> Answer:
    """Return what two things have in common: on cards if one of them is a card, else by `otherwise`."""
    first, second = names
    met = meeting(session, first, second, edition)
    return otherwise() if met is None else met


def meeting(session: Session, first: str, second: str, edition: str | None = None) -> Answer | None:
    """Return what a card has in common with another card or a term, None if neither name is a card's.

    Columns are those of `interaction`. For two cards, the rows are what their keyword abilities share; the
    terms that both name, the rarest on cards first, with both sentences; then terms that one of them and a
    rule behind the other name. For a card and a term, they are where the rules about the term name what the
    card names. Each card's sentence has its name beside it, and each ground the number of the rule about it.
    """
    data = current_cards(session)
    cards = [card_meant(session, name) for name in (first, second)]
    if data is None or not any(cards):
        return None
    scope = session.scope(edition)
    notes: tuple[str, ...] = (*told_of(*cards), f"{data.title}.")
    known = [(it, sentences_with_terms(session, data, it.iri)) for it in cards if it]
    card, quotes = known[0]
    if len(known) > 1:
        another = known[1][0]
        is_same = another.iri == card.iri
        notes += ("They are the same card.",) if is_same else ()
        meanings = meant_by_both(session, terms_and_actions(session, scope, quotes), quotes, known[1][1])
        shared = [term for term in quotes if term in meanings]
        keyed = _of_keywords(session, scope, data, known)
        ruled = [] if is_same else _told_of_each(session, scope, data, card, another)
        behind = (
            []
            if is_same
            else [
                *_behind(session, scope, data, known[0], another, shared),
                *map(_turned, _behind(session, scope, data, known[1], card, shared)),
            ]
        )
        notes += ((_RULED,) if ruled else ()) + ((_BEHIND,) if keyed or behind else ())
        # What nearly every card does is shown only if there is nothing else.
        named = rarest_first(session, data, shared, common=False) or (() if keyed or behind else shared)
        rows = [*keyed, *ruled, *_named_by_both(data, (card, another), meanings, named), *behind]
        rows = sorted(dict.fromkeys(rows), key=lambda row: is_general(row) or not keyed.get(row, True))
    else:
        name = first if cards[1] else second
        other = resolve(session, [name], edition)
        concept = other.things[0].iris[0]
        if other.things[0].kind == "term":
            about = named_terms(session, scope, [concept])
            met: list[Cells] = [(concept, about[concept].number, None)] if concept in quotes else []
            if quotes:
                met += session.run("cards", "common", scope, {"concept": [concept], "term": list(quotes)})
        else:
            scope, below = other.scope, other.things[0].iris
            units = [*below]
            while below:
                below = tuple(it for it, _ in session.pairs(scope, DCTERMS.isPartOf, to=below))
                units += below
            met = _naming(session, scope, dict(session.pairs(scope, SKOS.notation, of=units)), quotes)
        rows = _named_in(session, scope, data, known[0], met)
        printed = named_terms(session, scope, () if rows else keywords_of(session, data, card.iri))
        if keywords := sorted(it.name for it in printed.values()):
            rows = [row for it in keywords for row in interaction(session, (it, name), edition).rows]
            through = f"This is what {name} shares with keywords of {card.name}: {', '.join(keywords)}."
            notes += (through,) if rows else ()
        rows = [*map(_turned, rows)] if cards[1] else rows
    columns = ("ground", "number", "quote", "other_number", "other_quote", "document")
    return Answer("interaction", columns, tuple(rows), scope.label, notes)


def both(
    session: Session, scope: Scope, data: StoredSet, cards: Sequence[NamedCard], asked: Collection[str]
) -> dict[Cells, bool]:
    """Return where two cards meet: in what their keywords do, then in `_MOST_OF_BOTH` rulings and sentences.

    Rows with most of the signs that are `asked` come first; rulings without any are left out. Each row says
    whether it is worth showing: not if keywords share only what many others have.
    """
    known = [(it, sentences_with_terms(session, data, it.iri)) for it in cards]
    every = _of_keywords(session, scope, data, known, asked)
    keyed = {row: is_told for row, is_told in every.items() if not is_general(row)}
    found = terms_and_actions(session, scope, known[0][1])
    meanings = meant_by_both(session, found, known[0][1], known[1][1])
    shared = rarest_first(session, data, meanings, common=False)
    ruled = _told_of_each(session, scope, data, *cards)
    named = {row[2:5]: row for row in reversed([*_named_by_both(data, cards, meanings, shared)])}
    rows = [*ruled, *reversed(named.values())]  # of the same sentences once, by the rarest term
    having = {row: _count_of(session, f"{row[2]} {row[4]}", asked) for row in rows}
    kept = [row for row in rows if having[row] or not asked or row not in ruled]
    kept.sort(key=lambda row: -having[row])
    return dict([*keyed.items()][:_MOST_OF_KEYWORDS]) | dict.fromkeys(kept[:_MOST_OF_BOTH], True)


def _of_keywords(
    session: Session,
    scope: Scope,
    data: StoredSet,
    cards: Sequence[tuple[NamedCard, _Said]],
    asked: Collection[str] = (),
) -> dict[Cells, bool]:
    """Return where keyword abilities of two cards meet, pairs `asked` about first, and if that is rare."""
    own = [abilities_of(session, scope, data, card.iri, said)[:_MOST_KEYWORDS] for card, said in cards]
    pairs = [pair for pair in product(*own) if len({*pair}) == len(pair)]
    pairs.sort(key=lambda pair: -_count_of(session, " ".join(pair), asked))
    met = [interaction(session, pair, scope.label) for pair in pairs]
    return {row: it.answered for it in met for row in it.rows}


def _count_of(session: Session, text: str, signs: Collection[str]) -> int:
    return len({*things_in(session, text), *telling_stems(text)}.intersection(signs))


def _told_of_each(
    session: Session, scope: Scope, data: StoredSet, one: NamedCard, other: NamedCard
) -> list[Cells]:
    """Return the rulings on each of two cards that are about what the other card says."""
    theirs = _ruled(session, scope, data, other, one)
    return [*_ruled(session, scope, data, one, other), *map(_turned, theirs)]


def _named_by_both(
    data: StoredSet,
    cards: Sequence[NamedCard],
    meanings: Mapping[str, Sequence[tuple[TermOnCard, Sequence[str], Sequence[str]]]],
    terms: Iterable[str],
) -> Iterator[Cells]:
    """Yield, for each term that two cards use in the same sense, their two most similar sentences."""
    for about, quotes, others in (meaning for it in terms for meaning in meanings[it]):
        one, other = max(product(quotes or [""], others or [""]), key=lambda pair: alike(*pair))
        yield (about.ground, cards[0].name, one, cards[1].name, other, data.set_id)


def _turned(row: Cells) -> Cells:
    """Return a row with its two sides swapped."""
    return (row[0], *row[3:5], *row[1:3], *row[5:])


def _named_in(
    session: Session,
    scope: Scope,
    data: StoredSet,
    card: tuple[NamedCard, _Said],
    rules: Iterable[Cells],
) -> list[Cells]:
    """Return a row for each term of a card that rules, as (term, number, text), name: the first such rule."""
    named, quotes = card
    about, names = terms_and_actions(session, scope, quotes), NameFinder(session, quotes)
    found: dict[str, Cells] = {}
    for term, number, text in rules:
        it, said = str(term), str(text) if text else None
        quote = said and cut(said, names.span(said, it))
        own = {it: quotes[it]}
        for meant, ours, _ in meant_by_both(session, about, own, {it: [quote]} if quote else own)[it]:
            nearest_own = nearest_sentence(ours, quote or "")
            found.setdefault(it, (meant.ground, named.name, nearest_own, number, quote, data.set_id))
    return [found[it] for it in quotes if it in found]


def _behind(
    session: Session,
    scope: Scope,
    data: StoredSet,
    card: tuple[NamedCard, _Said],
    other: NamedCard,
    shared: Collection[str],
) -> list[Cells]:
    """Return where rules behind another card name what a card names, except what nearly every card names.

    These are the rules about its printed keywords, and those that its rulings rest on.
    """
    _, quotes = card
    rare = rarest_first(session, data, quotes.keys() - {*shared}, common=False)
    if not rare:
        return []
    keywords = keywords_of(session, data, other.iri)
    rows = session.run("cards", "common", scope, {"concept": keywords, "term": rare}) if keywords else []
    grounds = [grounds_of(session, it, scope.edition) for it in rulings_about(session, data, other.iri)]
    numbers = {literal(number) for changes, guessed in grounds if guessed for number in changes}
    rows += _naming(session, scope, dict(session.pairs(scope, SKOS.notation, to=sorted(numbers))), rare)
    return _named_in(session, scope, data, card, rows)


def _naming(session: Session, scope: Scope, units: Mapping[str, str], terms: Iterable[str]) -> list[Cells]:
    """Return where units, as IRI → number, name some terms: (term, number, text)."""
    texts = dict(session.pairs(scope, RG.text, of=sorted(units)))
    naming = session.pairs(scope, RG.mentions, of=sorted(texts), to=sorted(terms))
    return [(term, units[unit], texts[unit]) for unit, term in sorted(naming)]


def _ruled(session: Session, scope: Scope, data: StoredSet, card: NamedCard, other: NamedCard) -> list[Cells]:
    """Return the rulings on a card that are nearest to the words, types and keywords of another."""
    faces = about_cards(session, data, "faces", {"card": [other.iri]})
    # A type may be a word of the name: *Wick*, of Wick, Keeper of Moths.
    texts = [it for row in faces for it in (str(row[3]), without_name(str(row[4] or ""), other.name)) if it]
    said = [text[start:end] for text in texts for start, end in sentences(text)]
    naming = {it: things_in(session, it) for it in said}
    named: frozenset[str] = frozenset().union(*naming.values())
    rare = rarest_first(session, data, named, common=False)
    sought = dict.fromkeys(telling_stems(" ".join(texts)), _WORD) | dict.fromkeys(named, 1.0)
    near = [
        it for it in nearest(rulings_on(session, data, [card.iri]), sought) if it.signs.intersection(rare)
    ]
    rows: list[Cells] = []
    for it in near[:_MOST_RULINGS]:
        shared = {term: [own for own in said if term in naming[own]] for term in rare if term in it.signs}
        ruled = {term: [it.text[start:end] for start, end in sentences(it.text)] for term in shared}
        meant = meant_by_both(session, terms_and_actions(session, scope, shared), shared, ruled)
        for about, quotes, _ in (*meant.values(), [])[0][:1]:
            quote = nearest_sentence(quotes, it.text)
            rows.append((about.ground, it.about, it.text, other.name, quote, data.set_id))
    return rows


def note_on_card(session: Session, words: str) -> tuple[str, ...]:
    """Return where to look for a card, if some words are its whole name or the beginning of several."""
    try:
        card = card_meant(session, words)
    except UnknownNameError as error:
        return (f"The names of several cards begin with “{words}”: {'; '.join(error.suggestions)}.",)
    names = (card.name, *card.name.split(" // ")) if card else ()
    if not card or key_of(words) not in map(key_of, names):
        return ()
    return (f"{card.name} is a card: `rulesgraph show {quote(card.name)}` has its text, rulings and rules.",)


def sentences_with_terms(session: Session, data: StoredSet, card: str, also: str = "") -> _Said:
    """Return the terms in a card's words with their sentences, rarest first; `also` if one names it."""
    touched = {str(row[1]) for row in about_cards(session, data, "touched", {"card": [card]})}
    terms = rarest_first(session, data, touched) + [also] * bool(also and also not in touched)
    texts = [str(row[4] or "") for row in about_cards(session, data, "faces", {"card": [card]})]
    said = [text[start:end] for text in texts for start, end in sentences(text)]
    names = NameFinder(session, terms)
    found = {it: [own for own in said if names.span(own, it)] for it in terms}
    return {it: own for it, own in found.items() if own or it in touched}


def why_card(
    session: Session, name: str, second: str, edition: str | None, reach: Reach | None
) -> Answer | None:
    """Return the shortest chain from a card to a term; None if the first name is not a card's.

    If the card's own words name the term, that is the chain. Otherwise the first step is a sentence of the
    card that names a term, and the others are those of `why` from there, except through sentences about other
    cards. A ruling that names the term comes before chains of three steps.
    """
    data, card = current_cards(session), card_meant(session, name)
    if data is None or card is None:
        return None
    scope = session.scope(edition)
    target = identify(session, second)
    quotes = sentences_with_terms(session, data, card.iri, target.key if target.kind == "term" else "")
    about = named_terms(session, scope, quotes)

    def opening(term: str, quote: str) -> Cells:
        return (1, card.name, "mention", about[term].name, quote, data.set_id, None)

    columns = ("step", "from", "link", "to", "quote", "document", "line")
    if target.key in quotes:
        best: tuple[Cells, ...] = (opening(target.key, (*quotes[target.key], "")[0]),)
    else:
        chains: list[tuple[Cells, ...]] = []
        for term in [*quotes][:_MOST_TRIED]:
            found = why_and_where(session, about[term].name, second, edition=edition, reach=reach)
            if found.rows and not any(cards_in(session, str(row[4] or "")) for row in found.rows):
                rest = tuple((int(str(row[0])) + 1, *row[1:]) for row in found.rows)
                chains.append((opening(term, (*quotes[term], "")[0]), *rest))
        best = min(chains, key=len, default=())
        if len(best) != _SHORT:
            named = (it.text for it in rulings_on(session, data, [card.iri]) if target.key in it.signs)
            ruled = [(1, card.name, "ruling", target.name, text, data.set_id, None) for text in named]
            best = (*ruled[:1],) or best
    notes = (f"{data.title}.",) if best else (f"No term that {card.name} names leads to {second}.",)
    return Answer("why", columns, best, scope.label, notes)
