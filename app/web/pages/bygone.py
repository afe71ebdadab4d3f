"""What became of things through the editions: asked for one by one, or at once for all of a site."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from functools import cached_property

from ....ontology.query_files import QueryFiles
from ....queries.history.life import life_of, lives_of
from ....queries.history.outline import outline
from ....queries.session import Cells, Edition, Session

QUERIES = QueryFiles.beside(__name__)

_KEPT = 2
"""Of how many editions the histories of all rules are held: a site is made edition by edition."""


class Bygone:
    """The past of one state of a store; `at_once` where pages of nearly everything will be made."""

    def __init__(self, session: Session, *, at_once: bool) -> None:
        self._session = session
        self._at_once = at_once
        self._lives: OrderedDict[str, dict[str, list[Cells]]] = OrderedDict()
        self._texts: dict[str, dict[str, str]] = {}

    def history(self, number: str, edition: str) -> list[Cells]:
        """Return the rows of `Rules.history`; raises as that does."""
        if self._at_once:
            rows = self._all_lives(edition).get(self._session.iris.rule(edition, number))
            if rows is not None:
                return rows
        return list(life_of(self._session, number, edition).rows)

    def text(self, edition: Edition, iri: str) -> str:
        """Return the words of a rule or an entry of an edition, ``""`` for what it does not have."""
        if not self._at_once:
            found = outline(self._session, edition, [iri])
            return found[iri].text if iri in found else ""
        if edition.id not in self._texts:
            self._texts[edition.id] = {it: item.text for it, item in outline(self._session, edition).items()}
        return self._texts[edition.id].get(iri, "")

    def expressions(self, provision: str) -> Sequence[tuple[str, str]]:
        """Return the rules of all editions that express a provision, each with its number."""
        if self._at_once:
            return self._all_expressions.get(provision, ())
        rows = self._session.select(QUERIES.bound("expressions", {"provision": [provision]}))
        return [(str(rule), str(number)) for rule, number, _ in rows]

    @cached_property
    def _all_expressions(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for rule, number, provision in self._session.select(QUERIES.bound("expressions", {})):
            found[str(provision)].append((str(rule), str(number)))
        return dict(found)

    def _all_lives(self, edition: str) -> dict[str, list[Cells]]:
        if edition not in self._lives:
            iris = self._session.iris
            rules = {it: iris.parse(it).key for it in self._rules(edition)}
            self._lives[edition] = lives_of(self._session, edition, rules)
            if len(self._lives) > _KEPT:
                self._lives.popitem(last=False)
        return self._lives[edition]

    def _rules(self, edition: str) -> list[str]:
        [found] = [it for it in self._session.editions() if it.id == edition]
        return [iri for iri, item in outline(self._session, found).items() if not item.is_entry]
