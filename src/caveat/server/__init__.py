"""Caveat in an editor: what is shown of a draft while it is written, over the language server protocol."""
