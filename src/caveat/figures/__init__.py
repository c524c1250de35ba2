"""Figures of a draft: exact quantities, the vocabulary of units, and the grammar that reads every number."""
