"""The registry of figures as the linter sees it: built from its compiled form, without YAML and without pydantic."""
