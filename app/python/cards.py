"""The methods of `Rules` about cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..operations import operation

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...queries.session import Answer, Session
    from ...queries.session.answer import Sheet


class CardAsking:
    """The part of `Rules` about cards, using its session."""

    session: Session

    def card_sets(self) -> Answer:
        """List the card data sets, newest first; questions use the newest.

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
        """Collect everything known about a card: text, keywords, rulings, the terms and rules they touch.

        Args:
            name: the name of the card or of one of its faces, or a part of the name that no other card has.
            limit: give at most this many rows of each table.
            edition: the edition whose rules are shown, see `Rules`.

        For each ruling you get the rule that it rests on, and what has happened to that rule since. The rule
        is either *stated* by the ruling, or *retrieved*: a guess, given with the share of such guesses that
        are right.

        Raises `UnknownNameError` if no loaded card has the name.

        >>> [table.name for table in rules.card("Quickglass Blade").tables]
        ['text', 'keywords', 'touches', 'rulings']
        """
        from ...queries.sheets.card import card_sheet

        found = card_sheet(self.session, name, edition=edition)
        return found._replace(tables=tuple(table.limited(limit) for table in found.tables))

    @operation("tool")
    def cards_changed(self, before: str, after: str, *, limit: int | None = None) -> Answer:
        """List the cards that the changes between two editions of the rules affect, most affected first.

        Args:
            before: the earlier edition, by its id or date.
            after: the later edition.
            limit: give at most this many rows.

        Columns: card, term, number, link (``"keyword"`` or ``"mention"``), quote (the card's words), before
        and after (the sentence of the rule). Only reworded rules count, through the terms that they define.
        Terms named by a tenth of all cards are left out, and a note says so.

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
    def rulings_changed(
        self,
        card: str = "",
        *,
        edition: str | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Answer:
        """List the card rulings whose rule has changed since they were made.

        Args:
            card: the name of one card (default: all cards, which takes a minute or two).
            edition: the edition whose rules are shown, see `Rules`.
            progress: is called with what is being done, how much of it is done, and the total.

        Columns are those of `check`. If the ruling cites the rule by its number at the time, the row is a
        ``"warning"``; if the rule is only a probable guess (right in nine of ten cases), it is an ``"info"``.

        Raises `UsageError` if no cards are loaded, `UnknownNameError` for a name that no card has.

        >>> next(iter(rules.rulings_changed("Quickglass Blade")))["message"]
        'Rule 420.5, which it cites, has changed since 2008-02-01: moved and reworded 2009-07-11.'
        """
        from ...queries.cards.ruled import rulings_changed
        from ...queries.checking.defects import COLUMNS
        from ...queries.session import Answer

        rows = rulings_changed(self.session, card, edition, progress)
        return Answer("check", COLUMNS, tuple(rows), self.session.scope(edition).label)
