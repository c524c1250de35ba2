"""Fixes: edits of a draft that cure a finding, built apart from the judging, and offered only if they are proven."""
