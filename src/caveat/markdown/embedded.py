"""What blogs mix into Markdown, read from plain strings: front matter, shortcodes, math, attributes, JSX, citations."""

from __future__ import annotations

import re

FILLER = "\ufdd0"
"""Stands for each hidden character of a shortcode while the draft is parsed: a noncharacter that is no sign."""

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

# Each of these is rare, and compiled when a sign of its is first met.
_PAIRED = r"[{%<\s]*(highlight|comment|mermaid|math|katex|latex|plantuml|chart)\b"
_NOT_INDENT = r"(?m)^([ \t]*)(\S.*)$"
# A formula of capitals with factors ("2DF + 4BD"): no word in lower case.
_LETTERS = r"^(?=.*\d[A-Z]{2})(?!.*[a-z]{2})"
_MATH_SIGN = r"(?<!\\)[_={}]|\\[A-Za-z]|[^\s\[(\\]\^"
_ATTRIBUTES = r"\{(?::[^{}\n]*|[#.][A-Za-z][^{}\n]*|[A-Za-z][\w-]*=(?:\"[^\"{}\n]*\"|[^\s{}\"]+)(?:[ \t][^{}\n]*)?)\}"
_CITATION_KEY = r"(?:^|(?<=[\s-]))@([A-Za-z0-9_][\w:.#$%&+?<>~/-]*)"
_JSX_SIGN = r"\"[^\"]*\"|'[^']*'|[{}<>]"
_RAW_ELEMENT = r"(?i)<(script|style|pre|textarea|code|kbd|samp|svg|math)\b(?![^>]*/>$)"
_HREF = r"(?i)<a\s[^>]*?\bhref\s*=\s*[\"']?([^\"'\s>]*)"

_URL = r"(?:[hH]ttps?://|www\.)(?:[^\s<>\"`\[\]{}|\\^\u3001\u3002\uff01-\uff1f\u300a-\u3011\u201c-\u201d]+|\\[_*~&#-])*"

_FAR = 2000
"""No formula, tag or citation is looked for further than this many characters, so that cost stays linear."""


def front_matter_lines(text: str) -> int:
    """How many lines the front matter at the very top of `text` takes (YAML by ---, TOML by +++); 0 without one."""
    fence = text[:3]
    if fence not in ("---", "+++"):
        return 0
    lines = text.split("\n", 2000)
    if lines[0].rstrip() != fence:
        return 0
    closers = ("---", "...") if fence == "---" else ("+++",)
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() in closers:
            return number + 1 if _is_metadata(lines[1:number]) else 0
    return 0


def _is_metadata(lines: list[str]) -> bool:
    """Tell front matter from prose between two thematic breaks."""
    first = next((line for line in lines if line.strip()), "#")
    return first.startswith("#") or ":" in first or "=" in first


def hide_shortcodes(text: str) -> str:
    """Replace Hugo, Liquid and Jinja shortcodes by FILLER, so that the parser takes them as one inert word.

    Site generators run them before Markdown is read: `[page]({{< ref "a b" >}})` is a link only without them.
    Length, line breaks and indentation stay.
    """
    if "{{" not in text and "{%" not in text and "{#" not in text:
        return text
    parts: list[str] = []
    done = 0
    for start, end in _shortcodes(text):
        parts.append(text[done:start])
        parts.append(re.compile(_NOT_INDENT).sub(lambda line: line[1] + FILLER * len(line[2]), text[start:end]))
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _shortcodes(text: str) -> list[tuple[int, int]]:
    """The ranges of shortcodes, in order; a paired one that holds code reaches to its end tag."""
    found: list[tuple[int, int]] = []
    closers = {"{{": "}}", "{%": "%}", "{#": "#}"}
    unpaired: set[str] = set()
    at = 0
    for opener in re.finditer(r"\{[{%]|\{#(?=[ \t-])", text):
        start = opener.start()
        if start < at:
            continue
        close = text.find(closers[opener[0]], start + 2, start + _FAR)
        code = text.find("`", start, close) if close >= 0 else -1
        blank = text.find("\n\n", start, close) if close >= 0 else -1
        if close < 0 or code >= 0 or blank >= 0:
            at = max(code, blank, start + 1)
            continue
        at = _paired_end(text, start, close + 2, unpaired)
        found.append((start, at))
    return found


def _paired_end(text: str, start: int, end: int, unpaired: set[str]) -> int:
    name = re.compile(_PAIRED).match(text, start, end)
    if name is None or name[1] in unpaired or text.startswith("/>", end - 4):
        return end
    closing = re.compile(r"\{[{%][-<%\s]*(?:end|/\s*)" + name[1] + r"\b[^}]*\}\}?")
    close = closing.search(text, end)
    if close is None:
        unpaired.add(name[1])
        return end
    return close.end()


def attributes_end(text: str, start: int) -> int:
    """Where an attribute list such as `{: .wide}` or `{#id .class}` at `start` ends; 0 when there is none."""
    found = re.compile(_ATTRIBUTES).match(text, start)
    return found.end() if found else 0


def is_directive(line: str) -> bool:
    """Whether a line is only a container directive (`:::note`) or a block attribute list (`{: .wide}`)."""
    return line.startswith(":::") or (line.startswith("{:") and line.rstrip().endswith("}"))


def dollar_math_end(text: str, start: int, limit: int) -> int:
    """Where the formula that opens with the dollar at `start` ends; 0 when the dollar is money or stands alone."""
    if text.startswith("$$", start):
        close = text.find("$$", start + 2, limit)
        content = text[start + 2 : max(close, 0)]
        slang = (
            content[:1] == content[-1:] == " " and "\n" not in content and not re.compile(_MATH_SIGN).search(content)
        )
        return close + 2 if content and not slang else 0
    close = text.find("$", start + 1, limit)
    while close > 0 and text[close - 1] == "\\":
        close = text.find("$", close + 1, limit)
    content = text[start + 1 : max(close, 0)]
    if not content or content[0].isspace() or content[-1].isspace() or text[close + 1 : close + 2].isalnum():
        return 0
    money = (
        content[0].isdigit()
        and " " in content
        and not (re.compile(_MATH_SIGN).search(content) or re.compile(_LETTERS).search(content))
    )
    return 0 if money else close + 1


def bracket_math_end(text: str, start: int, limit: int) -> int:
    r"""Where `\(..\)` or `\[..\]` at `start` ends if it holds a formula; 0 when it is escaped brackets around prose."""
    bracket = text[start + 1]
    close = text.find("\\)" if bracket == "(" else "\\]", start + 2, min(limit, start + _FAR))
    if close < 0:
        return 0
    content = text[start + 2 : close]
    word = bracket == "(" and not any(letter.isspace() for letter in content)
    return close + 2 if content and (word or re.compile(_MATH_SIGN).search(content)) else 0


def raw_block_closer(line: str) -> str:
    """What ends the block of math that `line` opens; empty when it opens none, or closes it itself."""
    if line.startswith("$$"):
        return "" if "$$" in line[2:] else "$$"
    if line.startswith("\\["):
        return "" if "\\]" in line else "\\]"
    if line.startswith("\\begin{"):
        closer = "\\end{" + line[7:].split("}", 1)[0] + "}"
        return "" if closer in line else closer
    return ""


def citation_keys(inner: str) -> list[tuple[int, str]]:
    """The keys of a citation by what stands between its brackets, with their offsets (at the @); none if it is none."""
    if "@" not in inner:
        return []
    keys: list[tuple[int, str]] = []
    at = 0
    for part in inner.split(";"):
        found = re.compile(_CITATION_KEY).search(part)
        if found is None:
            return []
        keys.append((at + found.start(), found[1].rstrip(":.#$%&+?<>~/-")))
        at += len(part) + 1
    return keys


def raw_element(tag: str) -> str:
    """The end tag up to which an HTML element that opens with `tag` holds code, not prose; empty for the others."""
    found = re.compile(_RAW_ELEMENT).match(tag)
    return f"</{found[1]}" if found else ""


def anchor_target(tag: str) -> str | None:
    """The address in an HTML `<a href=..>` tag; None for other tags."""
    found = re.compile(_HREF).match(tag)
    return found[1] if found else None


def brace_pairs(text: str) -> dict[int, int]:
    """Each opening brace's offset with the offset behind its closing one; what does not pair is left out."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for sign in re.finditer(r"[{}]", text):
        if sign[0] == "{":
            opened.append(sign.start())
        elif opened:
            pairs[opened.pop()] = sign.end()
    return pairs


def jsx_tag_end(text: str, start: int, limit: int) -> int:
    """Where the JSX tag at `start` ends, braces and quotes in its attributes seen through; 0 when it is no tag."""
    following = text[start + 1 : start + 2]
    if not (following.isalpha() or following in ("/", ">")):
        return 0
    depth = 0
    for sign in re.compile(_JSX_SIGN).finditer(text, start + 1, min(limit, start + _FAR)):
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}":
            depth -= 1
        elif depth == 0 and sign[0] == ">":
            return sign.end()
        elif depth == 0 and sign[0] == "<":
            return 0
    return 0


def image_target(behind: str) -> str:
    """The address of an image, from what follows its label; empty for one by reference."""
    words = behind[1:-1].split(None, 1) if behind.startswith("(") else []
    return words[0].strip("<>") if words else ""


def bare_url_end(text: str, start: int, limit: int) -> int:
    """Where the bare URL at `start` ends, without the punctuation of the sentence around it; 0 when it is too short."""
    match = re.compile(_URL).match(text, start, limit)
    end = match.end() if match else start
    unopened = text.count(")", start, end) - text.count("(", start, end)
    while (letter := text[end - 1]) in "?!.,:;*_~'\u2019)":
        if letter == ")":
            if unopened <= 0:
                break
            unopened -= 1
        end -= 1
    return end if end > start + len("http://") else 0
