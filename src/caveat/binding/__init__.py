"""Statements bound to the claims of the registry that they rest on."""
