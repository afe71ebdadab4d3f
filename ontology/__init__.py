"""The foundations: IRIs, vocabulary, shapes, errors, reasoner. The package exports what most modules use."""

from .errors import (
    NothingFoundError,
    RulesgraphError,
    RulesMissingError,
    SourceError,
    StoreError,
    StoreMissingError,
    UnknownNameError,
    UsageError,
)
from .grouping import batches, counted, from_to, grouped, in_a_list, with_article
from .iris import BASE, CODE, GRAPHS, NAMESPACES, VOCABULARY, Iris, Place, child, code, slug, unaccented
from .json_values import Json, compact
from .resources import QueryFiles, bind, literal, packaged, players_words
from .terms import (
    DCTERMS,
    GAME,
    IN_OLDER_EDITIONS,
    PREFIXES,
    RDFS_LABEL,
    RG,
    SKOS,
    TYPE,
    DocumentKind,
    last_name,
    prefixed,
    usual_prefixes,
)
