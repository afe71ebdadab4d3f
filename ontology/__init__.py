"""The foundations: IRIs, vocabulary, shapes, errors, reasoner. The package itself has what most use."""

from .errors import RulesgraphError, SourceError, StoreError, UnknownNameError, UsageError
from .grouping import counted, grouped, in_a_list
from .iris import BASE, CODE, NAMESPACES, VOCABULARY, Iris, Place, child, code, slug, unaccented
from .resources import QueryFiles, bind, literal, packaged, players_words
from .terms import DCTERMS, GAME, PREFIXES, RDFS_LABEL, RG, SKOS, TYPE, DocumentKind, last_name, prefixed
