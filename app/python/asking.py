"""The methods of `Rules` that answer: questions, searches, single things, comparisons of editions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..operations import operation, typed_methods

if TYPE_CHECKING:
    from ...queries.history.diff import Difference
    from ...queries.reliance.levels import Reach
    from ...queries.searching.scores import Passages
    from ...queries.session import Answer, Session, Sheet, SparqlAnswer


@typed_methods
class Asking:
    """The part of `Rules` that answers questions, using its session."""

    session: Session

    @staticmethod
    def questions() -> Answer:
        """List the questions of the catalogue by name: columns name, arguments, question.

        >>> "terms_relying_on" in [row["name"] for row in rules.questions()]
        True
        """
        from ...queries.catalogue.questions import questions
        from ...queries.session import Answer

        rows = tuple(
            (it.name, ", ".join(parameter.usage for parameter in it.parameters), it.usage)
            for it in questions()
        )
        return Answer("questions", ("name", "arguments", "question"), rows)

    @operation("command", "tool")
    def ask(
        self,
        question: str,
        *arguments: str,
        via: str | Sequence[str] | None = None,
        steps: int | str | None = None,
        limit: int | None = None,
        edition: str | None = None,
    ) -> Answer:
        """Answer a question: one from the catalogue by name, with its arguments, or any question in words.

        Args:
            question: the name of a question, or a whole question in words.
            arguments: what a named question asks about, each as one text: names of terms, numbers, dates.
            via: for reliance questions, which links to follow: any of citation, note, definition and mention
                (default: all for the first step, all except mentions after that).
            steps: for reliance questions, follow at most this many links, or ``"all"``.
            limit: give at most this many rows.
            edition: the edition to ask about, see `Rules`.

        Reliance is followed for one step unless you set `steps`; `Answer.notes` says how many more rows there
        are at two and three steps. If no question in the catalogue fits, the answer is the closest rules: ten
        at most, unless you set `limit`, and five if the rules say nothing about its decisive words. Then
        `Answer.answered` is False and `Answer.lead` says why. It is also False, without rows, for any
        question in words about something unknown. `Answer.cards` is the text of the cards in the question.

        Raises `UsageError` for the wrong number of arguments, `UnknownNameError` for an unknown one.

        >>> answer = rules.ask("Which terms rely on state-based effects?")
        >>> answer.columns
        ('term', 'steps', 'link', 'quote', 'document', 'line', 'through')
        >>> answer.rows[0][:3]
        ('Equipment', 1, 'citation')
        >>> [row["term"] for row in rules.ask("terms_relying_on", "420", via=["note"])]
        ['Poison Counter']
        >>> first = rules.ask("terms_relying_on", "420", limit=3)
        >>> len(first), first.more
        (3, 8)
        """
        from ...queries.answering.ask import ask_or_abstain

        return ask_or_abstain(self.session, question, arguments, edition, _reach(via, steps), limit)

    @operation("command", "tool")
    def search(self, words: str, *, limit: int | None = 10, edition: str | None = None) -> Passages:
        """Find the rules closest to your words, as `ask` ranks them, then others that contain every word.

        Args:
            words: a name, a number, slang or any words, in any form. All of these must be there: "phrases",
                beginnings* and conditions, such as in:702 (everything under a number), kind:rule (or section,
                chapter, subrule, heading, example, entry, note, ruling, paragraph), cites:704.5 and
                edition:all.
            limit: give at most this many passages.
            edition: the edition to search, see `Rules`; a condition in the words takes precedence.

        Columns: number (None if there is none), text (verbatim), edition, document, line, score (higher is
        better, within one answer), reason, iri.

        Raises `UsageError` if there is nothing to search for, or if a condition is invalid.

        >>> for row in lanterns.search("lit lanterns", limit=2):
        ...     print(row["number"], row["line"], row["reason"])
        201.1 53 mentions Lantern; contains “lit” and “lanterns”
        310.2c 75 mentions Lantern; contains “lit” and “lanterns”
        """
        from ...queries.cards.current import current_cards
        from ...queries.searching.search import search

        found = search(self.session, words, edition=edition, limit=limit)
        if current_cards(self.session):
            from ...queries.cards.meeting import note_on_card

            found = found._replace(notes=(*note_on_card(self.session, words), *found.notes))
        return found

    @operation("command", "tool")
    def show(self, name: str, *, limit: int | None = None, edition: str | None = None) -> Sheet:
        """Collect everything known about one term, rule, section, entry or ruling, as tables with sources.

        Args:
            name: a term, or the number of a rule, section or entry.
            limit: give at most this many rows of each table.
            edition: the edition to look at, see `Rules`.

        >>> sheet = rules.show("Legend")
        >>> sheet.status, [table.name for table in sheet.tables]
        ('obsolete', ['definition', 'also see', 'cites', 'mentions'])
        """
        from ...queries.sheets.show import show

        return show(self.session, name, edition=edition).limited(limit)

    @operation("command", "tool")
    def why(
        self,
        first: str,
        second: str,
        *,
        via: str | Sequence[str] | None = None,
        steps: int | str = "all",
        edition: str | None = None,
    ) -> Answer:
        """Find the shortest chain of links by which the first thing relies on the second.

        Args:
            first: the term, rule or card that relies on the other.
            second: the term or rule that it relies on.
            via: which links to follow: any of citation, note, definition and mention (default: all at both
                ends, all except mentions in between; or two mentions in a row, with a note that says so).
            steps: follow at most this many links, or ``"all"``.
            edition: the edition to ask about, see `Rules`.

        There is one row per link, with the columns step, from, link, to, quote, document, line. If there is
        no chain, the answer has no rows, and its notes say what else the two have in common.

        >>> [(row["from"], row["link"], row["to"]) for row in rules.why("Equipment", "420")]
        [('Equipment', 'citation', '420')]
        """
        from ...queries.cards.current import current_cards
        from ...queries.reliance.interaction import why_and_where

        if current_cards(self.session):
            from ...queries.cards.meeting import why_card

            of_card = why_card(self.session, first, second, edition, _reach(via, steps))
            if of_card is not None:
                return of_card
        return why_and_where(self.session, first, second, edition=edition, reach=_reach(via, steps))

    @operation("tool")
    def interaction(
        self, first: str, second: str, *, limit: int | None = None, edition: str | None = None
    ) -> Answer:
        """Find where two things meet: what the rules for both have in common and few other rules share.

        Args:
            first: a term, rule or card.
            second: another one.
            limit: give at most this many rows.
            edition: the edition to ask about, see `Rules`.

        Columns: ground, number (for a card its name), quote, other_number, other_quote, document; the rarest
        comes first. Without a limit you get ten rows at most, and a note says how many more there are.

        >>> lanterns.interaction("Flutter", "Moth").columns
        ('ground', 'number', 'quote', 'other_number', 'other_quote', 'document')
        """
        return self.ask("interaction", first, second, limit=limit, edition=edition)

    @operation("command", "tool")
    def trace(
        self,
        number: str,
        start: str | None = None,
        end: str | None = None,
        *,
        every: bool = False,
        limit: int | None = None,
    ) -> Answer:
        """Follow a rule, a range of rules or an entry through the editions of the comprehensive rules.

        Args:
            number: a rule number, a range (502.15-502.17), or a term: its entry, then the rule that defines
                it; for rulings or tournament rules, the number of a paragraph.
            start: the edition that the number is from (default: trace the rule's whole history, from the
                newest edition that has it).
            end: an edition before or after that one (default: the newest).
            every: list every edition along the way, not only those with a change.
            limit: give at most this many rows.

        Columns: edition, number (or heading), change from the previous row, confidence (1.0: same words). If
        there are several editions, a note summarises them. For editions that are not loaded, the bundled
        authority file has the numbers and dates of rules since 1999; those rows have no confidence.

        Raises `RulesMissingError` if no edition of the comprehensive rules is loaded.

        >>> for row in lanterns.trace("301.2", "cr-2031-02-01"):
        ...     print(*row.values())
        cr-2031-02-01 301.2  1.0
        cr-2031-07-01 320.2 renumbered 1.0
        """
        if not (start or end or every):
            return self.history(number).limited(limit)
        from ...queries.history.trace import trace

        return trace(self.session, number, start or "", end, every=every).limited(limit)

    def history(self, number: str, edition: str | None = None) -> Answer:
        """Follow a rule or entry of an edition, from its first appearance to the newest edition.

        Without an edition, the rule is looked up in the newest edition that has it. The columns, and the rows
        for editions that are not loaded, are like those of `trace`. A rule that was split off is followed
        back to the rule it was part of. Paragraphs of a rulings site or of tournament rules are followed
        through the loaded releases. Other texts have no history: the answer has a note and no rows.

        >>> rules.history("G12.9", "starter").notes
        ('Only the comprehensive rules have a history of numbers. Load some with `rulesgraph build`.',)
        """
        from ...queries.history.trace import history_of

        return history_of(self.session, number, edition)

    @operation("command", "tool")
    def blame(self, name: str, *, edition: str | None = None) -> Answer:
        """Date each sentence of a rule or entry: when it got its present wording, and what it said before.

        Args:
            name: a rule number, or a term: its entry, then the rule that defines it.
            edition: an edition of the comprehensive rules (default: the newest that has it); or, for the
                number of a paragraph, a release of rulings or tournament rules.

        Columns: sentence; since and number, the edition in which it got its wording and the rule it was in at
        the time; before, what it said until then; first and first_number, where it first appeared in any
        wording (None if it is older than what is loaded); rule, the rule that has it in the edition you asked
        about. Numbers in a sentence do not count as wording. If editions are missing, a sentence may be older
        than it seems.

        Raises `RulesMissingError` if no edition of the comprehensive rules is loaded.

        >>> for row in lanterns.blame("201.2"):
        ...     print(row["since"], row["sentence"])
        cr-2031-07-01 To trim a lantern means to take one oil from it and turn it to the right.
        cr-2031-07-01 A trimmed lantern still counts as lit until the next dusk check is made.
        """
        from ...queries.history.blame import blame

        return blame(self.session, name, edition)

    @operation("command", "tool")
    def diff(
        self,
        before: str,
        after: str,
        *,
        only: str | Sequence[str] | None = None,
        within: str | None = None,
        limit: int | None = None,
    ) -> Difference:
        """Compare two editions of the comprehensive rules: what changed, and which terms rely on it.

        Two releases of a rulings site, or of tournament rules, are compared paragraph by paragraph.

        Args:
            before: the earlier edition, by its id or date.
            after: the later edition.
            only: only these changes: added, removed, reworded (moved or not), renumbered (with the same
                words), moved (to another number or name, reworded or not), references (only the numbers of
                cited rules), split, merged.
            within: only changes in these sections, chapters, rules (with their parts), terms (with their
                rules) and cards (with the rules of their terms) in both editions, separated by commas; in the
                words of the newer one; or in Glossary.
            limit: give at most this many changes, and at most this many terms.

        Columns of `Difference.changes`: change (in the words of `trace`), kind, before, after, words (removed
        ones are marked ``[-…-]``, new ones ``{+…+}``), chapter, old, new (the texts). `Difference.chapters`
        counts the changes by chapter. `Difference.terms` has the columns term, links, rests on.

        Raises `UsageError` for an unknown change or number, `RulesMissingError` if no edition of the
        comprehensive rules is loaded.

        >>> found = lanterns.diff("cr-2031-02-01", "cr-2031-07-01")
        >>> found.changes.rows[2][:4]
        ('reworded', 'rule', '201.2', '201.2')
        >>> found.terms.rows[0]
        ('Drift', 2, '320.3, 320.3a')
        >>> [row["before"] for row in lanterns.diff("cr-2031-02-01", "cr-2031-07-01", only="removed").changes]
        ['202.2']
        """
        from ...queries.cards.releases import diff_with_cards

        found = diff_with_cards(self.session, before, after, only=only, within=within)
        return found._replace(changes=found.changes.limited(limit), terms=found.terms.limited(limit))

    @operation("command", "tool")
    def sparql(self, query: str, *, edition: str | None = None) -> SparqlAnswer:
        """Run any SPARQL 1.1 query (SELECT, ASK, CONSTRUCT or DESCRIBE).

        Args:
            query: the query.
            edition: the only edition to query, see `Rules`.

        The usual prefixes need no declaration: rg, game, skos, dcterms, prov, rdf, rdfs, owl, xsd; term, ed
        and doc for the data of this store. A pattern outside GRAPH sees the newest edition, with the rules it
        was written under, and the tenures of all rules; GRAPH sees everything. With `edition`, both see that
        edition instead, and a pattern outside GRAPH still sees the tenures.

        The answer to an ASK is true or false, that to a CONSTRUCT or DESCRIBE has a row for each triple.

        Raises `UsageError` for a query that does not parse, would write, or would contact another host,
        `StoreTimeoutError` after 60 seconds, or the timeout given to `open`, and `StoreError` for a query
        that needs too much memory. A query on an in-memory store cannot be stopped.

        >>> rules.sparql("SELECT ?name { term:landwalk skos:prefLabel ?name }").rows
        (('Landwalk',),)
        >>> bool(rules.sparql("ASK { term:landwalk a rg:Term }"))
        True
        >>> len(rules.sparql("DESCRIBE term:landwalk").triples) > 3
        True
        """
        from ...queries.session.empty import with_remarks

        return with_remarks(self.session.sparql(query, edition=edition), query, edition)


def _reach(via: str | Sequence[str] | None, steps: int | str | None) -> Reach | None:
    """Return how far, and over which links, an answer may reach; None if neither is given."""
    if via is None and steps is None:
        return None
    from ...queries.reliance.levels import reach_of

    return reach_of(via if via is None or isinstance(via, str) else ",".join(via), steps)
