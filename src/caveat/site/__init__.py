"""The report: what drafts and the registry say of each other, as pages to be read in a browser."""
