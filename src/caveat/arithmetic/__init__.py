"""Arithmetic that a draft shows: which numbers come out of which, and whether they do."""
