"""The vocabulary becomes its reference page: one HTML file that asks no other host for anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources

from markupsafe import Markup

from ...ontology.iris import BASE, VOCABULARY
from ..policy import content_policy
from .asked import example_query
from .borrowed import borrowed_terms, code_schemes
from .declared import PREFIXED, Facts, Ontology, ontologies
from .diagram import diagram
from .offered import OFFERED

LICENCE = "https://creativecommons.org/publicdomain/zero/1.0/"
"""That of the vocabulary."""

EXAMPLE = """\
<edition/starter/rule/420.5> a rg:Rule ;
    skos:notation "420.5" ;
    rg:level "rule" ;
    rg:inEdition <edition/starter> ;
    dcterms:isPartOf <edition/starter/rule/420> .

<edition/starter/entry/G12.12/a> a rg:Paragraph ;
    rg:text "It falls over at dusk. See Rule 420.5." ;
    rg:firstLine 31 ; rg:lastLine 32 ;
    rg:hasReference <edition/starter/entry/G12.12/a/ref/1> ;
    rg:cites <edition/starter/rule/420.5> .

<edition/starter/entry/G12.12/a/ref/1> a rg:Reference ;
    rg:surface "Rule 420.5" ; rg:start 27 ; rg:end 37 ;
    rg:to <edition/starter/rule/420.5> .

<term/lantern> a rg:Term , skos:Concept ;
    skos:prefLabel "Lantern"@en ;
    rg:dependsOn <edition/starter/rule/420.5> .
"""
"""What data looks like, on the page; relative to the base of the data."""


def render_vocabulary() -> str:
    """Return the page as one HTML text, the same bytes for the same vocabulary."""
    from jinja2 import Environment

    templates = resources.files(__package__) / "templates"
    script, style, page = (
        (templates / f"reference.{kind}").read_text(encoding="utf-8") for kind in ("js", "css", "html")
    )
    facts = Facts()
    found = ontologies(facts)
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(page)
    used = {
        it.text.partition(":")[0]
        for o in found
        for g in o.groups
        for t in g.terms
        for r in t.rows
        for it in r.links
    }
    return template.render(
        ontologies=found,
        namespace=VOCABULARY,
        licence=LICENCE,
        prefixes={
            name: iri for name, iri in sorted(PREFIXED.items()) if name in {"rg", "game"} or name in used
        },
        example=EXAMPLE,
        diagram=diagram(facts),
        queries={
            term.name: example_query(facts, f"{o.iri}#{term.name}")
            for o in found
            for group in o.groups
            for term in group.terms
            if term.kind == "class"
        },
        borrowed=borrowed_terms(facts),
        schemes=code_schemes(),
        offered=OFFERED.values(),
        described=Markup(_described(found)),
        policy=content_policy([script], style),
        style=Markup(style),
        script=Markup(script),
    )


def _described(found: Sequence[Ontology]) -> str:
    """Return what the page is about, as JSON-LD that may stand inside of HTML."""
    first = found[0]
    about = {
        "@context": "https://schema.org/",
        "@type": "DefinedTermSet",
        "@id": first.iri,
        "name": first.title,
        "description": first.description,
        "version": first.version,
        "dateCreated": first.created,
        "dateModified": first.modified,
        "license": LICENCE,
        "creator": {"@type": "Organization", "@id": BASE, "name": "The rulesgraph project"},
        "hasDefinedTerm": [
            {
                "@type": "DefinedTerm",
                "@id": f"{o.iri}#{term.name}",
                "name": term.label,
                "termCode": term.name,
                "description": term.definition,
            }
            for o in found
            for group in o.groups
            for term in group.terms
        ],
    }
    return json.dumps(about, ensure_ascii=False).replace("<", "\\u003c")
