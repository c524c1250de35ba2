"""A registry as one JSON document, in the form of a registry file: saved as YAML, which it is, it is one."""

from __future__ import annotations

import json
import re
from typing import Any

from caveat.exchange.contents import MODELS, VOCABULARY, Contents

# What JSON lets stand in a text and YAML, or a terminal, does not.
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


def render_json(contents: Contents) -> str:
    """The document: the sections of a registry file, claims as a list, and with them what is added to the words."""
    document: dict[str, Any] = {VOCABULARY: contents.vocabulary} if contents.vocabulary else {}
    document |= {section: {} for section in MODELS if section != "claims"}
    document["claims"] = []
    for section, id_, record in contents.rows():
        if section == "claims":
            document[section].append({"id": id_, **record})
        else:
            document[section][id_] = record
    return escaped_json(document)


def escaped_json(document: Any) -> str:
    """JSON in which nothing steers a terminal, and which is YAML as well."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text) + "\n"
