"""What a store of rules can be asked about cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..operations import operation

if TYPE_CHECKING:
    from ...queries.session import Answer, Session
    from ...queries.session.answer import Sheet


class CardAsking:
    """What `Rules` knows about cards, over the session that it holds."""

    session: Session

    def card_sets(self) -> Answer:
        """List the card data sets, the newest first, which is the one that questions see.

        Columns: card_set (its id, which `drop` takes), title, issued, cards, rulings.

        >>> len(rules.card_sets())
        1
        """
        from ...queries.cards.current import card_sets
        from ...queries.session import Answer

        columns = ("card_set", "title", "issued", "cards", "rulings")
        found = card_sets(self.session)
        rows = tuple((it.set_id, it.title, it.issued, it.cards, it.rulings) for it in found)
        return Answer("card_sets", columns, rows)

    @operation("tool")
    def card(self, name: str, *, limit: int | None = None, edition: str | None = None) -> Sheet:
        """Gather everything known about one card: words, keywords, the terms and rules they touch, rulings.

        Args:
            name: the name of the card or of a face, or a part of it that no other card has.
            limit: give at most this many rows of each table.
            edition: the edition whose rules are shown, see `Rules`.

        For each ruling it names the rule it rests on: *stated* by the ruling, or *retrieved*, which is a
        guess, with the share of such guesses that are right; and what became of the rule since.

        Raises `UnknownNameError` if no loaded card has the name.

        >>> [table.name for table in rules.card("Quickglass Blade").tables]
        ['text', 'keywords', 'touches', 'rulings']
        """
        from ...queries.sheets.card import card_sheet

        found = card_sheet(self.session, name, edition=edition)
        return found._replace(tables=tuple(table.limited(limit) for table in found.tables))

    @operation("tool")
    def cards_changed(self, before: str, after: str, *, limit: int | None = None) -> Answer:
        """List the cards that the changes between two editions of the rules touch, the strongest first.

        Args:
            before: the earlier edition, by its id or date.
            after: the later edition.
            limit: give at most this many rows.

        Columns: card, term, number, link (``"keyword"`` or ``"mention"``), quote (the card's words), before
        and after (the sentence of the rule). Only rules with other words count, through the terms that they
        define; a term that a tenth of all cards name is left out, and a note says so.

        Raises `UsageError` if no cards are loaded.

        >>> lanterns.cards_changed("cr-2031-02-01", "cr-2031-07-01")
        Traceback (most recent call last):
            ...
        rulesgraph.ontology.errors.UsageError: no cards are loaded
          `rulesgraph build` reads MTGJSON's and Scryfall's files.
        """
        from ...queries.cards.changed import cards_changed

        return cards_changed(self.session, before, after).limited(limit)

    @operation("tool")
    def rulings_changed(self, card: str = "", *, edition: str | None = None) -> Answer:
        """List the rulings on cards whose rule has changed since their day.

        Args:
            card: the name of one card; the rulings on all together take a minute or two.
            edition: the edition whose rules are shown, see `Rules`.

        Columns are those of `check`. A rule that the ruling cites, by its number of that day, is a
        ``"warning"``; one that it only probably rests on (right in nine of ten) is an ``"info"``.

        Raises `UsageError` if no cards are loaded, `UnknownNameError` for a name that no card has.

        >>> next(iter(rules.rulings_changed("Quickglass Blade")))["message"]
        'Rule 420.5, which it cites, has changed since 2008-02-01: moved and reworded 2009-07-11.'
        """
        from ...queries.cards.ruled import rulings_changed
        from ...queries.checking.defects import COLUMNS
        from ...queries.session import Answer

        rows = rulings_changed(self.session, card, edition)
        return Answer("check", COLUMNS, tuple(rows), self.session.scope(edition).label)
