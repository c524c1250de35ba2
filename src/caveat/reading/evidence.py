"""What a sentence offers as the source of its figures, and whom it names."""

from __future__ import annotations


class Name:
    """A named organisation or document: its token range, its vendor's id if any, whether it is an acronym."""

    __slots__ = ("acronym", "first", "last", "vendor")

    def __init__(self, first: int, last: int, vendor: str = "", *, acronym: bool = False) -> None:
        self.acronym = acronym
        self.first = first
        self.last = last
        self.vendor = vendor


class Evidence:
    """What a sentence offers as the source of its figures.

    `cited` a link, footnote or key; `named` an attribution to an organisation or document; `vendors` those of them that
    the registry knows; `own` the writer's own measurement; `computed` words of arithmetic; `names` every organisation
    that the sentence mentions, source or not, and `tellers` those whose words make them the source; `theirs` a document
    of somebody who is named elsewhere; `sentence` the index of the sentence, -1 if it is lent as a whole.
    """

    __slots__ = ("cited", "computed", "named", "names", "own", "sentence", "sources", "tellers", "theirs", "vendors")

    def __init__(self) -> None:
        self.cited = False
        self.named = False
        self.own = False
        self.computed = False
        self.theirs = False
        self.names: list[Name] = []
        self.tellers: list[Name] = []
        self.sentence = -1
        self.vendors: set[str] = set()
        self.sources: set[str] = set()

    @property
    def organisations(self) -> list[Name]:
        """The names that are those of organisations for all one can tell: known vendors, and no bare acronyms."""
        return [name for name in self.names if name.vendor or not name.acronym]

    @property
    def sourced(self) -> bool:
        """Whether a figure in this sentence has a source."""
        return self.cited or self.named or self.own
