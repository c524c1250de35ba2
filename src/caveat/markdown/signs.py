"""The kinds of signs that Markdown tells apart."""

from __future__ import annotations

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

BLANKS = "\t "
"""What indents a line and parts its words."""

TRIMMED = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""What is trimmed off the content of a block."""
