"""What a fix is made from: the draft as it was read, and all that was found in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from caveat.article import Article
from caveat.binding.bind import Binding
from caveat.finding import Finding
from caveat.reading.sentences import Sentence
from caveat.registry.registry import Claim
from caveat.rulebook.rules import Rule


class Case(NamedTuple):
    """A draft, the findings in it, and the rules that found them, by name."""

    article: Article
    findings: Sequence[Finding]
    rules: Mapping[str, Rule]

    def binding(self, finding: Finding) -> Binding | None:
        """The binding of the figure that a finding is on."""
        statements = self.article.statements_of(self.sentence(finding)) if self.article.sentences else []
        place = (finding.start, finding.end)
        found = (self.article.binding_of(s) for s in statements if (s.figure.start, s.figure.end) == place)
        return next(found, None)

    def sentence(self, finding: Finding) -> Sentence:
        """The sentence that a finding is in."""
        return self.article.sentence_at(finding.start)

    def claims(self, finding: Finding) -> list[Claim]:
        """The claims that a finding rests on."""
        found = (self.article.registry.claim(claim) for claim in finding.claims)
        return [claim for claim in found if claim is not None]
