"""The care of a registry: what it warns of, which places in drafts rest on a claim, what a change makes wrong."""
