"""The rules as the engine sees them."""
