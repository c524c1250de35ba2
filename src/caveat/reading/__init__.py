"""A draft read: sentences, sources, subjects, statements, comparisons and computations."""
