"""Findings, claims and rules as text."""
