"""Markdown read as a document: blocks, tables, references, and the prose copy, in which no position is lost."""
