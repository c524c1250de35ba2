"""Words of the registry as a draft prints them: plain in Markdown, numbers in groups, who publishes what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from caveat.registry.registry import Claim, Registry, SourceRecord

# What Markdown or MDX would act on in a name or a title.
_ACTIVE = re.compile(r"([\\`*_\[\]<>|~$^{}])")
_UNSAFE_IN_ADDRESS = re.compile(r"[\s()<>|\\]")
_LONG_NUMBER = re.compile(r"(?<![\d.,])[1-9]\d{3,}(?![\d,])")
# A name like "B200" or "HGX B200", which takes an article; "Trainium3" and "Gaudi 3" take none.
_CODE = re.compile(r"(?:\S+ )*(?=[^ ]*\d)[A-Z][A-Z0-9-]*")


def plain(text: str) -> str:
    """A text from the registry on one line, with nothing in it that Markdown acts on."""
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return _ACTIVE.sub(r"\\\1", words)


def grouped(value: str) -> str:
    """A value as prose prints it: "1,979 TFLOPS" for "1979 TFLOPS"."""
    return _LONG_NUMBER.sub(lambda number: f"{int(number[0]):,}", value)


def address(url: str) -> str:
    """An address as the target of a link, with nothing in it that could end it."""
    return _UNSAFE_IN_ADDRESS.sub(lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), url.strip())


def listed(names: Sequence[str]) -> str:
    """Names as running text, each once: "AWS", "AWS and NVIDIA"."""
    once = list(dict.fromkeys(names))
    return " and ".join([", ".join(once[:-1]), once[-1]] if len(once) > 1 else once)


def capital(text: str) -> str:
    """A text as it begins a sentence."""
    return text[:1].upper() + text[1:]


def with_article(name: str) -> str:
    """The name of a product as it stands in a sentence: "the B200", "Trainium3"."""
    return f"the {name}" if _CODE.fullmatch(name) else name


def publisher(registry: Registry, claim: Claim) -> str:
    """Who publishes a claim, by name; "" if the registry does not say."""
    source = registry.sources.get(claim.source)
    if source is None:
        return ""
    vendor = registry.vendors.get(source.publisher)
    return plain(vendor.name if vendor else source.publisher)


def note_text(registry: Registry, source: SourceRecord) -> str:
    """What a footnote says of a source: publisher, title with its address, and date."""
    vendor = registry.vendors.get(source.publisher)
    title = f"[{plain(source.title)}]({address(source.url)})" if source.url else plain(source.title)
    date = f", {plain(source.published)}" if source.published else ""
    name = vendor.name if vendor else source.publisher
    lead = "" if name.casefold() in source.title.casefold() else f"{plain(name)}, "
    return f"{lead}{title}{date}."
