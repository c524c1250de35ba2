"""Drafts read for what a registry could hold: names, figures and sources, as entries to be filled in and written."""
