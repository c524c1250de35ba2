"""A fingerprint of content: two different contents never have the same."""

from __future__ import annotations

try:
    from _blake2 import blake2b  # hashlib loads OpenSSL for it, a fiftieth of a short run
except ImportError:
    from hashlib import blake2b


def digest(*parts: bytes) -> str:
    """64 hexadecimal digits for a sequence of parts; ("ab", "c") and ("a", "bc") are different sequences."""
    whole = blake2b(digest_size=32)
    for part in parts:
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return whole.hexdigest()
