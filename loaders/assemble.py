"""Documents are put into a store together with everything that rests on them across editions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..ontology.iris import Iris
from ..ontology.terms import PREFIXES, RG
from .across import Comparison, same_rules
from .catalogue import EditionInfo, current_editions, editions_in, rules_in_force
from .chronicle import Chronicle
from .derive import derived_triples
from .edition import EditionView
from .emit import document_triples
from .quads import Triples
from .readback import read_document
from .records import Attribution, Document, Kind
from .terms_graph import NamedTerm, collect_names, names_of_view, renamed_terms, terms_triples
from .vocabulary import vocabulary_triples

_TRIPLES = "SELECT ?s ?p ?o WHERE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}"
_IN_FORCE = f"SELECT ?rules WHERE {{{{ GRAPH <{{graph}}> {{{{ ?release <{RG.rulesInForce}> ?rules }}}} }}}}"
_PROBLEMS = (
    f"SELECT ?s ?p ?o WHERE {{{{ GRAPH <{{graph}}> {{{{ ?s a <{RG.Problem}> ; "
    f"<{PREFIXES['dcterms']}source> <{{document}}> ; ?p ?o }}}} }}}}"
)


class Assembly:
    """One change of a store: documents come in or go, and what rests on them is renewed.

    Only what a change touches is computed anew: the derived graph of its editions, the derived graphs
    of rulings releases whose rules in force change, undated fragments, the terms and `graph/current`.
    """

    def __init__(self, rewrite: Any, iris: Iris, progress: Callable[[str, int, int], None]) -> None:
        self.rewrite = rewrite
        self.iris = iris
        self.progress = progress
        self.editions: dict[str, EditionInfo] = editions_in(rewrite, iris)
        self._documents: dict[str, dict[str, Document]] = defaultdict(dict)
        self._touched: set[str] = set()
        self._graphs: dict[str, Triples] = {}
        self._names: dict[str, list[NamedTerm]] = {}

    # -- what changes ---------------------------------------------------------------------------

    def add(self, documents: Sequence[Document]) -> None:
        """Take documents in; one that is loaded already is replaced."""
        for document in documents:
            info = self.editions.get(document.edition)
            if info is None:
                info = EditionInfo(document.edition, document.issued, document.kind)
                self.editions[document.edition] = info
            if document.document in info.documents:
                self.rewrite.drop([self.iris.document(document.document)])
            else:
                info.documents.append(document.document)
            self._documents[document.edition][document.document] = document
            self._touched.add(document.edition)
        for place, document in enumerate(documents):
            self.progress("writing documents", place, len(documents))
            self._write(self.iris.document(document.document), document_triples(document, self.iris))

    def remove(self, edition: str) -> None:
        """Take an edition out with all its graphs."""
        info = self.editions.pop(edition)
        iris = self.iris
        own = [iris.document(document) for document in info.documents]
        self.rewrite.drop([*own, iris.derived(edition), iris.history(edition), iris.inferred(edition)])
        self._touched.discard(edition)

    def finish(self) -> None:
        """Renew everything that rests on what changed."""
        self.editions = dict(sorted(self.editions.items(), key=lambda item: item[1].age_key))
        joined = self._joined()
        due = [e for e in self.editions.values() if self._is_due(e, joined)]
        # Editions of the rules come first: fragments are compared with what stands in the store.
        due.sort(key=lambda e: (e.edition.startswith("fragment-"), e.age_key))
        for place, info in enumerate(due):
            self.progress("deriving links", place, len(due))
            self._derive(info, joined.get(info.edition))
        self.progress("deriving links", len(due), len(due))
        self._histories()
        self._shared_graphs(joined)

    # -- editions -------------------------------------------------------------------------------

    def _joined(self) -> dict[str, str]:
        """Return rulings release → edition of the rules then in force."""
        found = {}
        for info in self.editions.values():
            if info.kind is Kind.RULINGS and info.issued:
                latest = max(
                    (a.as_of for d in self._members(info) for a in attributions(d) if a.as_of), default=None
                )
                rules = rules_in_force(info, latest, self.editions.values())
                if rules:
                    found[info.edition] = rules.edition
        return found

    def _is_due(self, info: EditionInfo, joined: dict[str, str]) -> bool:
        if info.edition in self._touched or info.edition.startswith("fragment-"):
            return True
        if info.kind is not Kind.RULINGS:
            return False
        stored = self.rewrite.query(_IN_FORCE.format(graph=self.iris.derived(info.edition)))
        before = {self.iris.local(row[0].value).removeprefix("edition/") for row in stored}
        return before != ({joined[info.edition]} if info.edition in joined else set())

    def _members(self, info: EditionInfo) -> list[Document]:
        """Return the documents of an edition, read back from the store where they are not at hand."""
        here = self._documents[info.edition]
        for document in info.documents:
            if document not in here:
                here[document] = self._read_back(info.edition, document)
        return [here[document] for document in sorted(info.documents)]

    def _read_back(self, edition: str, document: str) -> Document:
        graph = self.iris.document(document)
        problems = _PROBLEMS.format(graph=self.iris.derived(edition), document=graph)
        return read_document(
            document,
            self.rewrite.query(_TRIPLES.format(graph=graph)),
            self.rewrite.query(problems),
            self.iris,
        )

    def _derive(self, info: EditionInfo, rules: str | None) -> None:
        members = self._members(info)
        about: dict[str, str] = {}
        extra = Triples()
        if info.edition.startswith("fragment-"):
            comparison = Comparison(members, self.rewrite, self.iris, list(self.editions.values()))
            about, matches = comparison.about()
            extra = matches | comparison.dating()
        view = EditionView(members, self.iris, about)
        triples = derived_triples(view) | extra
        if rules:
            in_force = self.editions[rules].documents
            triples = triples | same_rules(view, rules, in_force, self.rewrite, self.iris)
        graph = self.iris.derived(info.edition)
        self.rewrite.drop([graph])
        self._write(graph, triples)
        self._names[info.edition] = names_of_view(view)

    def _histories(self) -> None:
        chronicle = Chronicle(self.rewrite, self.iris, members=self._members, names=self._names_of)
        for edition, triples in chronicle.renew(list(self.editions.values()), self._touched, self.progress):
            graph = self.iris.history(edition)
            self.rewrite.drop([graph])
            self._write(graph, triples)

    def _names_of(self, info: EditionInfo) -> list[NamedTerm]:
        if info.edition not in self._names:
            self._names |= collect_names(self.rewrite, self.iris, [info], {})
        return self._names[info.edition]

    # -- graphs over all editions ---------------------------------------------------------------

    def _shared_graphs(self, joined: dict[str, str]) -> None:
        iris = self.iris
        names = {info.edition: self._names_of(info) for info in self.editions.values()}
        terms = terms_triples(names, self.editions, iris) | renamed_terms(self.rewrite)
        ontology = vocabulary_triples()
        for name, triples in (("terms", terms), ("ontology", ontology)):
            self.rewrite.drop([iris.graph(name)])
            self._write(iris.graph(name), triples)
        seen = self._graphs_seen(current_editions(list(self.editions.values()), joined))
        current = Triples()
        for place, graph in enumerate(seen):
            self.progress("merging what plain queries see", place, len(seen))
            current.lines |= self._lines(graph)
        self.progress("merging what plain queries see", len(seen), len(seen))
        self.rewrite.drop([iris.graph("current")])
        self._write(iris.graph("current"), current)

    def _graphs_seen(self, editions: Iterable[str]) -> list[str]:
        iris = self.iris
        graphs = []
        for edition in editions:
            graphs += [iris.document(document) for document in self.editions[edition].documents]
            graphs += [iris.derived(edition), iris.history(edition), iris.inferred(edition)]
        return [*graphs, iris.graph("terms"), iris.graph("ontology")]

    def _lines(self, graph: str) -> set[str]:
        if graph in self._graphs:
            return self._graphs[graph].lines
        return {line.removesuffix("\n").removesuffix(" .") for line in self.rewrite.graph_lines(graph)}

    def _may_be_current(self, graph: str) -> bool:
        """Tell whether a graph is worth keeping at hand for merging: all others would only fill memory."""
        rules = [e for e in self.editions.values() if e.kind is Kind.COMPREHENSIVE]
        newest = {
            max(some, key=lambda e: e.age_key).edition
            for some in (list(self.editions.values()), rules)
            if some
        }
        local = self.iris.local(graph)
        documents = {f"document/{d}" for edition in newest for d in self.editions[edition].documents}
        return local.startswith("graph/") or local in documents or self.iris.edition_of(graph) in newest

    def _write(self, graph: str, triples: Triples) -> None:
        if self._may_be_current(graph):
            self._graphs[graph] = triples
        if len(triples):
            self.rewrite.load(triples.nquads(graph))


def attributions(document: Document) -> Iterable[Attribution]:
    """Yield every attribution of a document's entries."""
    for entry in document.entries:
        for paragraph in entry.paragraphs:
            yield from paragraph.attributions
        for ruling in entry.rulings:
            yield from ruling.attributions
