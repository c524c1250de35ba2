"""Snapshots of sources: fetched, kept, read, and held against the claims that rest on them."""
