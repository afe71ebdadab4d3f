"""What can be asked of a store of rules: questions, single things, editions compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...queries.session import Session

if TYPE_CHECKING:
    from ...loaders.store import Triples
    from ...queries.history.diff import Difference
    from ...queries.reliance.reach import Reach
    from ...queries.searching.found import Passages
    from ...queries.session import Answer
    from ...queries.sheets.show import Sheet
    from .nodes import RuleNode, TermNode


class Asking:
    """What answers: the questions that `Rules` takes, over the session that it holds."""

    session: Session

    @staticmethod
    def questions() -> Answer:
        """List the questions of the catalogue: columns name, arguments, question.

        >>> "terms_relying_on" in [row["name"] for row in rules.questions()]
        True
        """
        from .tables import questions

        return questions()

    def ask(
        self,
        question: str,
        *arguments: str,
        via: str | Sequence[str] | None = None,
        steps: int | str | None = None,
        edition: str | None = None,
    ) -> Answer:
        """Answer a question of the catalogue, by its name with its arguments, or in words.

        Args:
            question: a name that `questions` lists, or a whole question.
            arguments: what a named question asks about: terms by any of their names, numbers, dates.
            via: for questions of reliance, the links to follow: some of ``"citation"``, ``"note"``,
                ``"definition"`` and ``"mention"``; by default any for the first step, and all but mentions
                beyond it.
            steps: for questions of reliance, how many links an answer may be away: a number (1 by default) or
                ``"all"``; `Answer.notes` tell how many more there are at two and three.
            edition: see `Rules`.

        Raises:
            UsageError: for the wrong number of arguments, or a question in words that is not understood.

        >>> answer = rules.ask("Which terms rely on state-based effects?")
        >>> answer.columns
        ('term', 'steps', 'link', 'quote', 'document', 'line', 'through')
        >>> answer.rows[0][:3]
        ('Equipment', 1, 'citation')
        >>> [row["term"] for row in rules.ask("terms_relying_on", "420", via=["note"])]
        ['Poison Counter']
        """
        from ...queries.answering.ask import ask

        return ask(self.session, question, arguments, edition=edition, reach=_reach(via, steps))

    def search(self, words: str, *, limit: int = 10, edition: str | None = None) -> Passages:
        """Find the passages that have all of some words, or else any of them, the best first.

        Args:
            words: words in any form, ``"phrases"``, beginnings (``moth*``), and conditions: ``in:702`` (what
                stands under a number), ``kind:rule`` (or section, chapter, subrule, heading, example, entry,
                note, ruling, paragraph), ``cites:704.5``, ``edition:all``.
            limit: how many passages to give at most.
            edition: see `Rules`; a condition in the words wins.

        Columns: number (None where there is none), text (verbatim), edition, document, line, score (the more
        the better, within one answer), reason, iri. `Passages.marks` tells where the words stand in a text.

        Raises `UsageError` where nothing is looked for, or a condition is wrong.

        >>> for row in lanterns.search("lit lanterns", limit=2):
        ...     print(row["number"], row["line"], row["reason"])
        201.1 53 “lit” in its text; “lanterns” in its heading
        None 101 “lit”, “lanterns” in its text
        """
        from ...queries.searching.search import search

        return search(self.session, words, edition=edition, limit=limit)

    def why(
        self,
        first: str,
        second: str,
        *,
        via: str | Sequence[str] | None = None,
        steps: int | str = "all",
        edition: str | None = None,
    ) -> Answer:
        """Find the shortest chain of links by which the first thing relies on the second, a row for each.

        Columns: step, from, link, to, quote, document, line. `via` and `steps` are those of `ask`, but
        that a chain may have any number of steps. No chain is an answer without
        rows; where the two meet is told in the notes.

        >>> [(row["from"], row["link"], row["to"]) for row in rules.why("Equipment", "420")]
        [('Equipment', 'citation', '420')]
        """
        from ...queries.reliance.interaction import why_and_where

        return why_and_where(self.session, first, second, edition=edition, reach=_reach(via, steps))

    def interaction(self, first: str, second: str, *, edition: str | None = None) -> Answer:
        """Find where two things meet: what the bodies of both have in common that little else has.

        Columns: ground, number, quote, other_number, other_quote, document; what is rarest comes first, with
        the sentences of both side by side. Of many rows these are the first ten, and a note says how many
        there are; `ask("interaction", first, second, steps="all")` gives all.

        >>> lanterns.interaction("Flutter", "Moth").columns
        ('ground', 'number', 'quote', 'other_number', 'other_quote', 'document')
        """
        return self.ask("interaction", first, second, edition=edition)

    def sparql(self, query: str, *, edition: str | None = None) -> Answer | bool | Triples:
        """Run a SPARQL 1.1 query: SELECT gives an answer, ASK a bool, CONSTRUCT and DESCRIBE triples.

        The usual prefixes (rg, game, skos, dcterms, prov, rdf, rdfs, owl, xsd; term, ed and doc for the data
        of this store) need no declaration. A plain pattern sees the newest edition and the rules that it was
        made under; GRAPH sees everything; `edition` limits both. Triples are pyoxigraph's, to be read once.

        Raises `UsageError` for what does not parse, would write, or would ask another host,
        `StoreTimeoutError` after 60 seconds, or those that `open` was told, and `StoreError` for a query that
        needs too much memory. Nothing stops a query to a store in memory.

        >>> rules.sparql("SELECT ?name { term:landwalk skos:prefLabel ?name }").rows
        (('Landwalk',),)
        >>> rules.sparql("ASK { term:landwalk a rg:Term }")
        True
        """
        return self.session.sparql(query, edition=edition)

    def rule(self, number: str, *, edition: str | None = None) -> RuleNode:
        """Return what carries a number: a rule, section, entry, paragraph or ruling.

        >>> rules.rule("G12.9").title
        'Legendary'
        """
        from .nodes import find_rule

        return find_rule(self.session, number, edition)

    def term(self, name: str, *, edition: str | None = None) -> TermNode:
        """Return the term that is called so, by any of its names, in any case, alone or in numbers.

        >>> rules.term("state based effects").name
        'State-Based Effects'
        """
        from .nodes import find_term

        return find_term(self.session, name, edition)

    def show(self, name: str, *, edition: str | None = None) -> Sheet:
        """Gather all that is known of one term, rule, section, entry or ruling, as tables with sources.

        >>> sheet = rules.show("Legend")
        >>> sheet.status, [table.name for table in sheet.tables]
        ('obsolete', ['definition', 'also see', 'cites', 'mentions'])
        """
        from ...queries.sheets.show import show

        return show(self.session, name, edition=edition)

    def trace(self, number: str, start: str, end: str | None = None, *, every: bool = False) -> Answer:
        """Follow a rule, a range of rules or an entry through the editions of the comprehensive rules.

        Args:
            number: a number, a range (``"502.15-502.17"``) or the name of a glossary entry.
            start: the edition in which it stands.
            end: an edition after or before that; by default the newest.
            every: whether to tell of every edition on the way, or only of those with a change.

        Columns: edition, number (or heading), change against the row before, confidence (1.0: same words).
        Over several editions a note says what the whole way comes to.

        Raises `UsageError` when no edition of the comprehensive rules is loaded.

        >>> for row in lanterns.trace("301.2", "cr-2031-02-01"):
        ...     print(*row.values())
        cr-2031-02-01 301.2  1.0
        cr-2031-07-01 320.2 renumbered 1.0
        """
        from ...queries.history.trace import trace

        return trace(self.session, number, start, end, every=every)

    def history(self, number: str, edition: str | None = None) -> Answer:
        """Tell what became of a rule or entry of an edition, from where it first stood to the newest.

        Without an edition it is looked for in the newest that has it. Columns as those of `trace`. What was
        split off is followed back to what it was part of. An edition that is none of the comprehensive rules
        has no history of numbers: that is an answer without rows, and a note.

        >>> rules.history("G12.9", "starter").notes
        ('Only the comprehensive rules have a history of numbers.',)
        """
        from ...queries.history.life import life_of

        return life_of(self.session, number, edition)

    def diff(
        self, before: str, after: str, *, only: str | Sequence[str] | None = None, within: str | None = None
    ) -> Difference:
        """Compare two editions of the comprehensive rules: what changed, and which terms rest on it.

        Args:
            before: an edition, by its id or date.
            after: another one.
            only: which changes to keep, a list or one text apart by commas: ``"added"``, ``"removed"``,
                ``"reworded"`` (moved or not), ``"renumbered"`` (with the same words), ``"moved"`` (to another
                number or name, reworded or not), ``"references"`` (nothing but the numbers of cited rules),
                ``"split"``, ``"merged"``.
            within: the number of a rule or chapter, in either edition: its changes alone, and its parts'.

        `Difference.changes` has the columns change (in the words of `trace`), kind, before, after, words:
        what went stands in ``[-…-]``, what came in ``{+…+}``. `Difference.chapters` counts them by chapter.
        `Difference.terms` has the columns term, links, rests on.

        Raises `UsageError` for an unknown change or number, and when no edition of the comprehensive rules is
        loaded.

        >>> found = lanterns.diff("cr-2031-02-01", "cr-2031-07-01")
        >>> found.changes.rows[2][:4]
        ('reworded', 'rule', '201.2', '201.2')
        >>> found.terms.rows[0]
        ('Drift', 2, '320.3, 320.3a')
        >>> [row["before"] for row in lanterns.diff("cr-2031-02-01", "cr-2031-07-01", only="removed").changes]
        ['202.2']
        """
        from ...queries.history.diff import diff

        return diff(self.session, before, after, only=only, within=within)


def _reach(via: str | Sequence[str] | None, steps: int | str | None) -> Reach | None:
    """Return how far, and over which links, an answer may reach; None where nothing was said."""
    if via is None and steps is None:
        return None
    from ...queries.reliance.reach import reach_of

    return reach_of(via if via is None or isinstance(via, str) else ",".join(via), steps)
