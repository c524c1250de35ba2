"""Caveat: a linter for claims."""

__version__ = "0.1.0"
