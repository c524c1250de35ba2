"""The registry to and from the formats of other programs."""
