"""The report: pages that are valid, lead nowhere wrong, run nothing, and can be used without colour or a mouse."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import html5lib  # type: ignore[import-untyped]
import pytest

from caveat.engine import Checked
from caveat.markdown.rendering import render_marked
from caveat.markdown.source import Source
from caveat.running.checking import check_at
from caveat.running.desk import Desk
from caveat.site.ages import age
from caveat.site.naming import page_names
from caveat.site.publishing import MARKER
from commands import Run

ROOT = Path(__file__).parent.parent
TODAY = "2026-03-01"

CLAIMS = """\
vendors:
  acme: {name: Acme}
  zeta: {name: Zeta}
products:
  rocket: {name: Rocket, vendor: acme, unit: chip}
  pair: {name: Rocket Pair, vendor: acme, unit: board, contains: {rocket: 2}}
sources:
  sheet: {title: Rocket sheet, publisher: acme, kind: vendor-doc, url: https://example.com/rocket, published: 2026-02}
  test: {title: A test, publisher: Bench, kind: independent, published: 2024-02-01}
claims:
  - id: rocket-memory
    product: rocket
    metric: memory-capacity
    value: 64 GB
    qualifier: up to
    basis: {scope: chip}
    source: sheet
    evidence: Up to 64 GB
  - {id: pair-memory, product: pair, metric: memory-capacity, value: 128 GB, derived: 2 * rocket-memory, source: sheet}
  - id: rocket-power
    product: rocket
    metric: power
    value: 300 W
    source: sheet
    status: conflicting
    conflicts: [rocket-power-2]
  - id: rocket-power-2
    product: rocket
    metric: power
    value: 340 W
    source: test
    status: conflicting
    conflicts: [rocket-power]
"""
DRAFT = """\
# The Rocket

By its sheet the Rocket has up to **64 GB**, [says](https://example.com/x) Acme. We measured 12 ms in our own lab.

### Two of them

The Rocket has 65 GB, says Acme. It is 3x faster.

| card | memory |
|---|--:|
| Rocket | 64 GB |
"""


@pytest.fixture
def small(inside: Path) -> Path:
    """A folder with a registry and a draft."""
    (inside / "claims").mkdir()
    (inside / "claims" / "acme.yaml").write_text(CLAIMS, encoding="utf-8")
    (inside / "draft.md").write_text(DRAFT, encoding="utf-8")
    return inside


def report(run: Run, *arguments: str) -> Path:
    done = run("report", *arguments, "-o", "site", "--today", TODAY, "--isolated")
    assert (done.code, done.err) == (0, "")
    return Path("site")


def pages(site: Path) -> dict[str, str]:
    return {
        str(path.relative_to(site)): path.read_text(encoding="utf-8")
        for path in sorted(site.rglob("*.html"))
        if path.is_file()
    }


def parse(page: str) -> Any:
    """The page as a tree. The parser is strict: an error of any kind raises."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)


def headings(tree: Any) -> Iterator[int]:
    yield from (int(node.tag[1]) for node in tree.iter() if re.fullmatch("h[1-6]", str(node.tag)))


def check_pages(site: Path) -> dict[str, Any]:
    """All pages of a report parsed, having passed what every page must."""
    trees = {path: parse(page) for path, page in pages(site).items()}
    ids = {path: [node.get("id") for node in tree.iter() if node.get("id")] for path, tree in trees.items()}
    for path, tree in trees.items():
        assert len(ids[path]) == len(set(ids[path])), path
        check_frame(tree)
        check_content(tree)
        for link in tree.iter("a"):
            target = link.get("href")
            if target.startswith(("https://", "http://")):
                assert link.get("rel") == "noopener noreferrer nofollow"
                continue
            page, _, anchor = unquote(target).partition("#")
            led = os.path.normpath(os.path.join(os.path.dirname(path), page)) if page else path
            assert led in trees, (path, target)
            assert not anchor or anchor in ids[led], (path, target)
    return trees


def check_frame(tree: Any) -> None:
    """What the page is built of: language, title, landmarks, a way past the menu, headings in order."""
    assert tree.get("lang") == "en"
    assert tree.findtext(".//title")
    assert len(tree.findall(".//h1")) == len(tree.findall(".//main")) == 1
    assert tree.find("./body/header/nav").get("aria-label")
    first = tree.find("./body/a")
    assert first.get("href") == f"#{tree.find('./body/main').get('id')}"
    levels = list(headings(tree))
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    policy = next(m.get("content") for m in tree.iter("meta") if m.get("http-equiv") == "Content-Security-Policy")
    (style,) = tree.iter("style")
    sealed = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{sealed}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"url\(|@import", style.text)


RUNNING = {"script", "iframe", "object", "embed", "link", "img", "form", "base", "audio", "video", "input", "button"}


def check_content(tree: Any) -> None:
    """Nothing runs, loads or is styled in place; what is drawn has a name, and what scrolls can be reached by key."""
    for node in tree.iter():
        assert node.tag not in RUNNING
        assert not [name for name in node.attrib if str(name).startswith("on") or name in {"style", "src", "srcset"}]
        if node.tag in {"svg", "{http://www.w3.org/2000/svg}svg"}:
            assert node.get("aria-hidden") == "true" or node.get("aria-label")
        if node.tag == "th":
            assert node.get("scope") in {"col", "row"}
        if node.get("class") == "wide":
            assert node.get("tabindex") == "0"
            assert node.get("aria-label") or node.get("aria-labelledby")
        if node.tag in {"a", "span"} and str(node.get("class")).startswith("mark "):
            state = node.get("class").split()[1]
            assert "".join(node.itertext()).startswith((f"{state}: ", state)) or node.get("id") is None


def test_a_small_report_is_sound_and_looks_as_it_did(run: Run, small: Path, snapshot: Any) -> None:
    site = report(run, "draft.md", "--claims", "claims")
    trees = check_pages(site)
    assert set(trees) == {
        "index.html",
        "claims.html",
        "drafts/draft.md.html",
        *(f"claims/{id_}.html" for id_ in ("rocket-memory", "pair-memory", "rocket-power", "rocket-power-2")),
    }
    for path in ("index.html", "claims.html", "drafts/draft.md.html", "claims/rocket-memory.html"):
        body = pages(site)[path].partition("<main")[2].partition("</main>")[0]
        assert body == snapshot(name=path)
    assert (site / MARKER).read_text().splitlines() == sorted(trees)


def test_a_report_says_what_a_check_counts(run: Run, small: Path) -> None:
    done = run("report", ".", "-o", "site", "--format", "json", "--claims", "claims")
    told = json.loads(done.out)
    assert told["index"] == "site/index.html"
    (draft,) = told["drafts"]
    seen = run("check", "draft.md", "--claims", "claims").out.splitlines()[-2]
    names = ("registered", "cited", "own", "flagged")
    assert seen == f"Seen: {draft['figures']} figures in 1 draft: " + ", ".join(f"{draft[n]} {n}" for n in names) + "."
    assert draft["figures"] == sum(draft[name] for name in (*names, "other"))
    assert run("report", ".", "-o", "site", "--claims", "claims").out.splitlines()[-1] == "Written: site/index.html"


def test_real_articles_are_shown_whole(run: Run, inside: Path) -> None:
    for path in sorted((ROOT / "tests" / "articles").glob("*.md"))[:6]:
        (inside / path.name).write_bytes(path.read_bytes())
    (inside / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    check_pages(report(run, "."))


HOSTILE_DRAFT = """\
# <script>alert(1)</script> & "quotes" 'single'

The Rocket has 65 GB <img src=x onerror=alert(1)> and **6<b>5</b> GB**, says Acme. [x](javascript:alert(1)) 70 GB
[y](data:text/html,<script>) ![64 GB](https://example.com/a.png "t") <a href="https://e.com" onclick="x">3x faster</a>
[The Rocket has 66 GB](https://example.com/?a="><script>), [rel](../../etc/passwd), <https://example.com/<64>>.

##### Deep

<style>body{display:none}</style>

<div onmouseover="x">

"><svg onload=alert(1)> 3x faster, \\$5 and \\*64 GB* &lt;script&gt; \u202e64 GB\u0007 \x00

| a" onfocus="x | b |
|:-:|--:|
| <td>65 GB</td> | `64 GB` |

[^x"><script>]: The Rocket has 67 GB.

```html
<script>64 GB</script>
```

<!-- caveat: ignore[nothing] --> -->

]]> </main></body></html>
"""


HOSTILE_CLAIMS = {
    "vendors": {"acme": {"name": 'Acme <script>alert("x")</script>', "aliases": ["Acme"]}},
    "products": {
        "rocket": {
            "name": 'Rocket "><img src=x onerror=alert(1)>',
            "vendor": "acme",
            "unit": "chip' onload='x",
            "aliases": ["Rocket"],
        }
    },
    "sources": {
        "sheet": {
            "title": "</style><script>x</script>",
            "publisher": "acme",
            "kind": "vendor-doc",
            "url": 'https://e.com/"><script>x</script>',
        }
    },
    "claims": [
        {
            "id": "CON",
            "product": "rocket",
            "metric": "memory-capacity",
            "value": "64 GB",
            "source": "sheet",
            "evidence": "{{ 7 * 7 }} {% raw %} <b>x</b> \u202e \u0007",
            "caveat": "<!-- --><svg/onload=alert(1)>",
            "searched": ["<script>"],
        },
        {"id": "con", "product": "rocket", "metric": "power", "value": "300 W", "source": "sheet"},
        {"id": "x" * 300, "product": "rocket", "metric": "quotation", "value": "'><script>", "source": "sheet"},
    ],
}


def test_what_drafts_and_registries_hold_is_text_on_every_page(run: Run, inside: Path) -> None:
    (inside / "claims").mkdir()
    (inside / "claims" / "a.yaml").write_text(json.dumps(HOSTILE_CLAIMS), encoding="utf-8")  # which is YAML
    for name in ("a&b <i>.md", "a&b.md", 'q"uote.md', "sub.mdx"):
        (inside / name).write_text(HOSTILE_DRAFT, encoding="utf-8")
    trees = check_pages(report(run, ".", "--claims", "claims"))
    assert len(trees) == 2 + 4 + 3
    for path, page in pages(Path("site")).items():
        assert not re.search("[\u202e\x00-\x08\x0b-\x1f\x7f]", page), path
        assert "49" not in parse(page).findtext(".//blockquote/p", ""), path
    draft = "".join(trees["drafts/a-b.md.html"].itertext())
    for text in (
        '<script>alert(1)</script> & "quotes"',
        "<img src=x onerror=alert(1)>",
        "<div onmouseover",
        "[rel]"[1:-1],
    ):
        assert text in draft
    assert "{{ 7 * 7 }} {% raw %} <b>x</b>" in "".join(trees[next(p for p in trees if "/CON-" in p)].itertext())


TRICKY = [
    "a**$5**b and 64 GB",
    "*64 GB* **64** GB ***64 GB***",
    "\\$64 and \\\\64",
    "[64 GB](https://e.com/64) ![64](x) <b>64</b> `64`",
    "64 GB\n===\n\n- 64\n  64\n\n> 64\n\n1. 64",
    "| 64 | 6 |\n|---|--:|\n| 64 \\| 64 | `64` |",
    "---\ntitle: 64\n---\n\n64 GB\r\n\r\n64\r64",
    "&#54;4 64&nbsp;GB &amp;64",
    "[64]: https://e.com/64\n\n[64] and [^64]\n\n[^64]: 64 GB",
    "<div>64</div>\n\n    64\n\n~~64~~",
    "\U00100001 64 \U0010fffd",
]


@pytest.mark.parametrize("text", TRICKY)
def test_a_mark_changes_nothing_but_what_it_marks(text: str) -> None:
    ranges = [match.span() for match in re.finditer("64", text)]
    bare = "".join(block.html for block in render_marked(Source(text), [], lambda *_: "never"))
    blocks = render_marked(Source(text), ranges, lambda _, html, *__: f"\ue000{html}\ue001")
    marked = "".join(block.html for block in blocks)
    assert re.sub("[\ue000\ue001]", "", marked) == bare
    pieces = re.findall("\ue000(.*?)\ue001", marked)
    assert set(pieces) <= {"64"}
    assert len(pieces) <= len(ranges)
    assert text.startswith(("[64]:", "<div>", "&#54")) or pieces
    parse(f"<!DOCTYPE html><title>x</title>{bare}")


def test_where_a_mark_would_change_the_text_only_that_one_is_left_out() -> None:
    text = "64 GB, then a**$64**b, then 64 W"
    ranges = [match.span() for match in re.finditer(r"\$?64", text)]
    (block,) = render_marked(Source(text), ranges, lambda number, html, *_: f"({number}:{html})")
    assert block.html == "<p>(0:64) GB, then a**$64**b, then (2:64) W</p>\n"
    assert block.marked == {0, 2}


def test_a_draft_may_have_every_kind_of_block_and_none(run: Run, small: Path) -> None:
    (small / "empty.md").write_text("")
    (small / "comment.md").write_text("<!-- caveat: ignore[unsourced-figure] x -->\n")
    trees = check_pages(report(run, "empty.md", "comment.md", "--claims", "claims"))
    assert "This draft is empty." in "".join(trees["drafts/empty.md.html"].itertext())


def test_the_same_day_gives_the_same_report(run: Run, small: Path) -> None:
    for at in range(4):
        (small / f"{at}.md").write_text(DRAFT + "Filler of words.\n\n" * 800)
    first = pages(report(run, ".", "--claims", "claims", "--no-cache"))
    assert pages(report(run, ".", "--claims", "claims", "--workers", "3", "--no-cache")) == first
    assert pages(report(run, ".", "--claims", "claims")) == first
    assert pages(report(run, ".", "--claims", "claims")) == first  # from the cache


def test_drafts_with_registries_of_their_own_have_claims_of_their_own(run: Run, small: Path) -> None:
    (small / "other").mkdir()
    (small / "other" / "caveat.toml").write_text('claims = ["starter"]\n')
    (small / "other" / "b.md").write_text("The MI300X has 192 GB of memory, says AMD.\n")
    (small / "caveat.toml").write_text('claims = ["claims"]\n')
    done = run("report", ".", "-o", "site", "--today", TODAY)
    assert (done.code, done.err) == (0, "")
    trees = check_pages(Path("site"))
    assert {"claims/rocket-memory.html", "claims-2/mi300x-memory.html"} <= set(trees)


def test_known_and_suppressed_findings_are_counted(run: Run, small: Path) -> None:
    (small / "draft.md").write_text(f"{DRAFT}\nIt is 5x faster. <!-- caveat: ignore[unsourced-figure] x -->\n")
    assert run("baseline", "--claims", "claims", "draft.md").code == 0
    check_pages(report(run, "draft.md", "--claims", "claims", "--baseline", ".caveat-baseline.json"))
    assert "known from the baseline" in (small / "site" / "drafts" / "draft.md.html").read_text()


def test_an_older_report_makes_way(run: Run, small: Path) -> None:
    site = report(run, "draft.md", "--claims", "claims")
    (small / "draft.md").rename(small / "renamed.md")
    report(run, "renamed.md", "--claims", "claims")
    assert (site / "drafts" / "renamed.md.html").exists()
    assert not (site / "drafts" / "draft.md.html").exists()
    assert {path.name for path in small.iterdir()} == {"claims", "renamed.md", "site"}


def refused(run: Run, *arguments: str) -> str:
    done = run("report", *arguments)
    assert (done.code, done.out) == (2, "")
    return done.err


def test_no_file_of_others_is_replaced(run: Run, small: Path) -> None:
    (small / "full").mkdir()
    (small / "full" / "mine.txt").write_text("Mine.")
    other = "name a folder that is new, empty, or a report\n"
    assert refused(run, "draft.md", "-o", "full") == (
        f"error: -o full: it has files that no report wrote: mine.txt; {other}"
    )
    assert refused(run, "draft.md", "-o", "draft.md") == f"error: -o draft.md: this is a file; {other}"
    assert "this is the current folder" in refused(run, "draft.md", "-o", ".")
    site = report(run, "draft.md", "--claims", "claims")
    (site / "CNAME").write_text("example.com")
    assert "wrote: CNAME;" in refused(run, "draft.md", "-o", "site")
    assert (site / "CNAME").exists()
    assert (small / "full" / "mine.txt").read_text() == "Mine."


def test_an_empty_folder_and_a_new_one_in_a_new_one_are_filled(run: Run, small: Path) -> None:
    (small / "site").mkdir(mode=0o750)
    report(run, "draft.md", "--claims", "claims")
    assert (small / "site").stat().st_mode & 0o777 == 0o750
    assert run("report", "draft.md", "-o", "a/b/site").code == 0
    assert (small / "a" / "b" / "site" / "index.html").exists()


def test_what_cannot_be_written_leaves_the_older_report(run: Run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = pages(report(run, "draft.md", "--claims", "claims"))
    (small / "draft.md").write_text("Another.\n")
    rename = os.rename

    def failing(old: str, new: str) -> None:
        if os.path.basename(old) == "new":
            raise OSError(28, "No space left on device")
        rename(old, new)

    monkeypatch.setattr(os, "rename", failing)
    said = refused(run, "draft.md", "--claims", "claims", "-o", "site")
    assert said == "error: -o site: cannot be written: No space left on device\n"
    assert pages(small / "site") == before
    assert {path.name for path in small.iterdir()} == {"claims", "draft.md", "site"}
    assert refused(run, "draft.md", "-o", "draft.md/site").startswith("error: -o draft.md/site: cannot be written: ")


def test_bad_input_is_said(run: Run, small: Path) -> None:
    assert "there is no draft to report on: name Markdown files" in refused(run, "claims", "-o", "site")
    assert "missing.md" in refused(run, "missing.md", "-o", "site")
    assert refused(run, "-", "-o", "site") == "error: a report is about files: give paths, not -\n"
    assert refused(run, "draft.md", "-o", "site", "--today", "1.3.2026") == (
        "error: --today 1.3.2026: not a day; write YYYY-MM-DD, for example 2026-03-01\n"
    )
    assert "no such folder" in refused(run, "draft.md", "-o", "site", "--claims", "nowhere")
    assert "Missing option '--output-dir' / '-o'" in refused(run, "draft.md")
    assert not (small / "site").exists()


def test_one_draft_that_cannot_be_read_costs_no_other(run: Run, small: Path) -> None:
    (small / "latin.md").write_bytes(b"5 \xb5m\n")
    done = run("report", "draft.md", "latin.md", "-o", "site", "--claims", "claims")
    assert done.code == 2
    assert done.err.startswith("error: latin.md: not UTF-8")
    assert set(check_pages(Path("site"))) >= {"index.html", "drafts/draft.md.html"}


def test_a_fault_of_caveats_costs_one_draft_only(
    run: Run, small: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(desk: Desk, source: Source) -> Checked:
        if source.filename == "bad.md":
            raise RuntimeError("boom")
        return check_at(desk, source)

    monkeypatch.setattr("caveat.site.survey.check_at", faulty)
    (small / "bad.md").write_text("It is 3x faster.\n")
    done = run("report", ".", "-o", "site", "--claims", "claims")
    assert done.code == 2
    assert done.err.startswith("error: bad.md: not checked, by a fault in Caveat: RuntimeError: boom")
    assert "drafts/draft.md.html" in check_pages(Path("site"))
    assert "bad.md" not in (small / "site" / "index.html").read_text()


def test_page_names_are_safe_and_apart() -> None:
    names = page_names(["a", "A", "con", "x/y.md", "x y.md", "..", "-", "z" * 200, "é"])
    assert names["a"] == "a.html"
    assert names["x/y.md"] == "x-y.md.html"
    lowered = [name.lower() for name in names.values()]
    assert len(set(lowered)) == len(lowered)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,135}\.html", name) for name in names.values())
    assert not any(name.lower().startswith("con.") for name in names.values())


@pytest.mark.parametrize(
    ("day", "step"),
    [
        ("", "no date"),
        ("2026-03-01", "under 3 months"),
        ("2027", "under 3 months"),
        ("2025-12", "under 3 months"),
        ("2025-11", "3 to 12 months"),
        ("2025", "1 to 2 years"),
        ("2024-03-02", "1 to 2 years"),
        ("2024-03-01", "over 2 years"),
    ],
)
def test_ages_go_by_the_first_day(day: str, step: str) -> None:
    from datetime import date

    assert age(day, date(2026, 3, 1)) == step


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_colours_can_be_read_by_day_and_by_night() -> None:
    style = (ROOT / "templates" / "site" / "style.css").read_text(encoding="utf-8")
    for theme in re.findall(r":root \{(.*?)\}", style, re.DOTALL):
        colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})\b", theme))
        grounds = [colours["paper"], *(colour for name, colour in colours.items() if name.startswith("tint-"))]
        assert all(contrast(colours["ink"], ground) >= 7 for ground in grounds)
        for name in ("soft", "link", "focus", "registered", "cited", "own", "flagged"):
            assert contrast(colours[name], colours["paper"]) >= 4.5, name
            assert name != "soft" or all(contrast(colours[name], ground) >= 4.5 for ground in grounds)
