"""Positions, blocks, lists, tables and references of a draft."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.markdown.document import Block, Document, read
from caveat.markdown.source import Source


def document_of(text: str, filename: str = "draft.md") -> Document:
    return read(Source(text, filename))


def words(text: str, filename: str = "draft.md") -> str:
    return " ".join(document_of(text, filename).prose.split())


def content(document: Document, block: Block) -> str:
    return " ".join(document.prose[block.start : block.end].split())


def references(text: str, filename: str = "draft.md") -> list[tuple[str, str, str, bool]]:
    found = document_of(text, filename).references
    return [(each.kind, text[each.start : each.end], each.label, each.defined) for each in found]


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("A &amp; B", "A &     B"),
        ("9&nbsp;GB", "9\u00a0     GB"),
        ("a&#10;b", "a     b"),
        (r"\*a\* b\c", r" *a * b\c"),
        ("**1.8**x `9x` *y*", "  1.8  x       y "),
        ("[two *x*](u 't') z", " two  x          z"),
        ("# Head 2x ##", "  Head 2x   "),
        ("- a\n  b\nc", "  a\n  b\nc"),
        ("1) a\n\t- b", "   a\n   b"),
        ("> a\n>> b", "  a\n   b"),
        ("a\\\nb  \nc", "a \nb  \nc"),
        ("- [x] done [ ]", "      done [ ]"),
        ("> [!NOTE]\n> text", "         \n  text"),
        ("a\0b", "a\ufffdb"),
        ("Term\n: what it is", "Term\n  what it is"),
        ("😀 **7x** 漢字", "😀   7x   漢字"),
        ("ﬁ &lt;b&gt; <b>c</b>", "ﬁ <   b>       c    "),
    ],
)
def test_prose_stands_where_it_stood(text: str, prose: str) -> None:
    assert document_of(text).prose == prose


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("---\ntitle: 9x\n---\nText", "Text"),
        ("+++\nn = 9\n+++\nText", "Text"),
        ("---\ntitle: 9x\n...\nText", "Text"),
        ("---\n\nText 4x\n\n---\n", "Text 4x"),
        ("---\nnever: closed", "never: closed"),
        ("--- x\na: 4\n---\n", "--- x a: 4"),
        ("> \u00a0\n> 4x\n> b\n> \u00a0\n", "4x b"),
        ("> \u00a0\n> a\n> a\n", "a a"),
        (" ---\na: 4\n---\n", "a: 4"),
        ("Text\n\n```\n---\na: 9\n---\n```\n\nEnd", "Text End"),
        ("```yaml\n---\na: 9\n```\nEnd", "End"),
        ('{{< chart max="90" >}} then 6x', "then 6x"),
        ("{{% note %}}4x{{% /note %}}", "4x"),
        ('{{< figure\n  src="9x"\n>}}\nText', "Text"),
        ("{% include a.html n=9 %} {{ site.n9 }} 4x {# 9x #}", "4x"),
        ("{% highlight c %}\n9x\n\n9y\n{% endhighlight %}\n4x", "4x"),
        ("{% details Answer 9x %}\n\n4x\n\n{% enddetails %}", "4x"),
        ("open {{ and 4x\n\nclose }}", "open {{ and 4x close }}"),
        ("`{{` 4x `}}`", "4x"),
        ("{% highlight %} 4x", "4x"),
        ("## Head {#id .cls}\n\nText 4x\n{: .wide n=9}", "Head Text 4x"),
        ("![alt 2x](a.png){width=50%} {8, 16}", "alt 2x {8, 16}"),
        (":::note[9x]\nText 4x\n:::", "Text 4x"),
        ("Text\n::: {.tip}\n- a\n:::\nEnd", "Text a End"),
        ("$2.99 and $3.50", "$2.99 and $3.50"),
        ("$5 to $10, US$4 or 3$", "$5 to $10, US$4 or 3$"),
        ("$2 (or 3$ more)", "$2 (or 3$ more)"),
        ("a $$ margin and big $$ money", "a $$ margin and big $$ money"),
        ("$x^2$ $9$ $$9x$$ $$ y = 9 $$ z", "z"),
        (r"cost \$5 and $a=\$9$ z", "cost $5 and z"),
        (r"\(n\) \(a = 9\) \(see below\) \[x = 9\] \[4x\]", "(see below ) [4x ]"),
        (r"\[2 x d\_model 4x\]", "[2 x d _model 4x ]"),
        ("$$\na\n- 9\n$$\nEnd", "End"),
        ("\\[\na = 9\n\\]\n\n\\begin{align}\n9\n\n9\n\\end{align}\nEnd", "End"),
        ("- a\n  $$\n  9x\n  $$\n- b", "a b"),
        ("- $$ a\n\nb $$", "$$ a b $$"),
        ("$$\nnever closed", "$$ never closed"),
        ("see [@key9x] and [@a; see @b, p. 9]", "see and"),
        ("see [me@x.test]", "see [me@x.test]"),
        ("x[^a] y[^9x] z\n\n[^a]: note 4x", "x y z note 4x"),
        (r"\[^note\] `[^a]` 2^n [^*]", "[^note ] 2^n [^*]"),
        ("https://x.test/9x, (www.x.test/9x). <https://x.test/9x>", ", ( )."),
        ("[https://x.test/9x](https://x.test/9x) z", "z"),
        ("https://x.test/a\\_9x z", "z"),
        ("<!-- 9x -->\n\nText <!-- 9x\n9x --> 4x", "Text 4x"),
        ("<div class='9x'>4x <!-- 9x --> <code>9x</code></div>", "4x"),
        ("<script>\n9x\n\n9x</script>\n\nText", "Text"),
        ("<pre>9x", ""),
        ("<div\n9x", ""),
        ("<div>\na < 4x &lt; b <![ c</div>", "a < 4x < b <![ c"),
        ("a <code>9x</code> <kbd>9</kbd> <code>4x", "a 4x"),
        ("[a]: https://x.test/9x '9x'\n\n[a] 4x", "a 4x"),
        ("| a \\| b | `c \\| 9x` |\n|---|---|\n| 1 |\n{: .t9}", "a | b 1"),
    ],
)
def test_what_is_prose(text: str, kept: str) -> None:
    assert words(text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("import A from 'x9'\n\n# Head", "Head"),
        ("import {a} from 'x9'\nimport {b} from 'y9'\n\nText", "Text"),
        ("export const m = {\n\n  a: 9,\n}\n\nText", "Text"),
        ("export never = {\n\nText", "Text"),
        ("Text import 4x\n", "Text import 4x"),
        ("<Chart data={[9, 9]} f={() => 9}\n  b='9x'\n/>\n\n4x", "4x"),
        ("is <B c={9} d='>'>4x</B> {9 + {a: 9}.a} {/* 9x */}.", "is 4x ."),
        ("{\n  9\n}\n\nText", "Text"),
        ("<Note>\n  **5x** more {9}\n</Note>\n\n    indented 6x", "5x more indented 6x"),
        ("a <3 4x < b {open", "a <3 4x < b {open"),
        ("a } {9} {", "a } {"),
        ("<A <b>4x</b>", "<A 4x"),
        ("{9} and 4x", "and 4x"),
        ("> <A b={9}\n>   c />\n> 4x", "4x"),
        ("<Unclosed a=\n\n4x", "<Unclosed a= 4x"),
    ],
)
def test_mdx(text: str, kept: str) -> None:
    assert words(text, "draft.MDX") == kept


def test_mdx_only_by_name() -> None:
    assert words("import A from x\n\n{9}") == "import A from x {9}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](u 't') ", [("link", "[a](u 't')", "u", True)]),
        (
            "[a][r] [r] [r][]\n\n[R]: u",
            [("link", "[a][r]", "u", True), ("link", "[r]", "u", True), ("link", "[r][]", "u", True)],
        ),
        ("[a][no] x[0][1] [no]", [("reference", "[a][no]", "no", False)]),
        ("[p]({{< ref 'a b' >}})", [("link", "[p]({{< ref 'a b' >}})", "", True)]),
        ("<https://x.t>", [("url", "<https://x.t>", "https://x.t", True)]),
        ("(https://x.t/a_(b)).", [("url", "https://x.t/a_(b)", "https://x.t/a_(b)", True)]),
        ("見る https://x.t/あ。", [("url", "https://x.t/あ", "https://x.t/あ", True)]),
        ("![a](u)", [("image", "![a](u)", "u", True)]),
        ("[![a](u)](v)", [("link", "[![a](u)](v)", "v", True), ("image", "![a](u)", "u", True)]),
        ("x^[n [a](u)]", [("inline-footnote", "^[n [a](u)]", "", True), ("link", "[a](u)", "u", True)]),
        ("x[^No]", [("footnote", "[^No]", "No", False)]),
        ("x[^A]\n\n[^a]: n", [("footnote", "[^A]", "a", True)]),
        (
            "# h[^1]\n\n|a[^2]|\n|-|\n\n```\n[^1]: n\n```",
            [("footnote", "[^1]", "1", False), ("footnote", "[^2]", "2", False)],
        ),
        ("[a[^1]](u)", [("link", "[a[^1]](u)", "u", True), ("footnote", "[^1]", "1", False)]),
        ("[^1](u)", [("link", "[^1](u)", "u", True)]),
        ("[@a]", [("citation", "[@a]", "a", False)]),
        ("[see @a, p. 3; @b:c.]", [("citation", "@a", "a", False), ("citation", "@b:c", "b:c", False)]),
        ("[@a](u)", [("link", "[@a](u)", "u", True)]),
        ('<a href="u">b</a>', [("link", '<a href="u">b</a>', "u", True)]),
        (
            "<div>\n<a href='u'>b</a> <img src=x>\n</div>",
            [("link", "<a href='u'>b</a>", "u", True), ("image", "<img src=x>", "", True)],
        ),
        ("a `[b](u)` \\[c](u)", []),
        ("> [a\n> b](u)", [("link", "[a\n> b](u)", "u", True)]),
        ("| a \\| [b](u) |\n|---|", [("link", "[b](u)", "u", True)]),
    ],
)
def test_references(text: str, expected: list[tuple[str, str, str, bool]]) -> None:
    assert references(text) == expected


def test_references_are_sorted_and_footnotes_have_ranges() -> None:
    text = "a[^x] [b](u)\n\n> [^x]: one\n>\n> two\n\n[^y]: last\n    [^z]\n\nEnd"
    document = document_of(text)
    starts = [reference.start for reference in document.references]
    assert starts == sorted(starts)
    assert {label: text[start:end] for label, (start, end) in document.footnotes.items()} == {
        "x": "[^x]: one",
        "y": "[^y]: last\n    [^z]",
    }


def test_blocks_know_where_they_stand() -> None:
    text = (
        "# H\n\np\n\n> q\n> - i\n\n- j\n\n  k\n  > l\n\nS\n===\n\n[^n]: f\n\n    g\n\n"
        "t\n: d\n\n> [!TIP]\n> w\n\n<p>x</p>\n"
    )
    document = document_of(text)
    found = {content(document, block): block for block in document.blocks}
    assert {word: block.kind for word, block in found.items() if block.kind != "paragraph"} == {
        "H": "heading",
        "S": "heading",
        "t": "term",
        "x": "html",
    }
    assert (found["H"].level, found["S"].level, found["p"].level) == (1, 1, 0)
    assert [word for word, block in found.items() if block.quoted] == ["q", "i", "l"]
    assert [(word, block.footnote) for word, block in found.items() if block.footnote] == [("f", "n"), ("g", "n")]
    assert [(word, block.item) for word, block in found.items() if block.item >= 0] == [
        ("i", 0),
        ("j", 1),
        ("k", 1),
        ("l", 1),
    ]
    assert [block.start for block in document.blocks] == sorted(block.start for block in document.blocks)


def test_a_footnote_that_nothing_refers_to_keeps_its_place_and_text() -> None:
    document = document_of("[^a]: unused 4x\n\nText")
    assert [(content(document, block), block.footnote) for block in document.blocks] == [
        ("unused 4x", "a"),
        ("Text", ""),
    ]


@pytest.mark.parametrize(
    ("text", "lead_in"),
    [
        ("Lead:\n- a", "Lead:"),
        ("Lead:\n\n<!-- c -->\n\n- a", "Lead:"),
        ("## Lead\n\n1. a", "Lead"),
        ("Lead:\n\n```\ncode\n```\n\n- a", None),
        ("Lead:\n\n---\n\n- a", None),
        ("Lead:\n\n- b\n\n* a", None),
        ("Lead:\n\n> - a", None),
        ("> Lead:\n> - a", "Lead:"),
        ("- a", None),
        ("[^n]: Lead:\n\n    - a", "Lead:"),
    ],
)
def test_lead_in_of_a_list(text: str, lead_in: str | None) -> None:
    document = document_of(text)
    before = document.lists[-1].lead_in
    assert (content(document, document.blocks[before]) if before >= 0 else None) == lead_in


def test_nested_lists() -> None:
    document = document_of("L\n\n- a\n\n  b\n  1. c\n  2. d\n- e\n")
    assert [(run.lead_in, run.items, run.ordered) for run in document.lists] == [(0, [0, 3], False), (2, [1, 2], True)]
    assert [(item.list, item.parent, item.blocks) for item in document.items] == [
        (0, -1, [1, 2]),
        (1, 0, [3]),
        (1, 0, [4]),
        (0, -1, [5]),
    ]


def test_tables() -> None:
    text = "Before\n\n| a | `b` | |\n|---|:-:|--|\n| 1 \\| 2 | x | y | lost |\n| 3 |\n\nAfter\n"
    document = document_of(text)
    (table,) = document.tables
    cells = [[content(document, document.blocks[index]) if index >= 0 else None for index in row] for row in table.rows]
    assert cells == [["a", "", None], ["1 | 2", "x", "y"], ["3", None, None]]
    assert [content(document, document.blocks[index]) for index in (table.before, table.after)] == ["Before", "After"]
    cell = document.blocks[table.rows[1][0]]
    assert (cell.kind, cell.table, cell.row, cell.column) == ("cell", 0, 1, 0)
    assert text[cell.start : cell.end] == "1 \\| 2"
    assert "lost" not in document.prose


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("|a|\n|-|\n", -1, -1),
        ("# H\n|a|\n|-|\n# I", 0, 2),
        ("p\n\n---\n\n|a|\n|-|\n\n---\n\nq", -1, -1),
        ("p\n\n|a|\n|-|\n\n- i\n\nq", 0, -1),
        ("p\n\n> |a|\n> |-|\n\nq", -1, -1),
        ("p\n\n|a|\n|-|\n\n|b|\n|-|\n\nq", 0, -1),
        ("p\n\n|a|\n|-|\n{: .x}\n\nq", 0, 2),
        ("- p\n\n  |a|\n  |-|\n\n  q", 0, 2),
    ],
)
def test_neighbours_of_a_table(text: str, before: int, after: int) -> None:
    table = document_of(text).tables[0]
    assert (table.before, table.after) == (before, after)


@pytest.mark.parametrize(
    "text",
    [
        "> 4x **b**",
        "- 4x **b**",
        "1. 4x **b**",
        "> > 4x **b**",
        "- > 4x **b**",
        "[^n]: 4x **b**",
        "# 4x **b** #",
        "- [ ] 4x **b**",
        "- a\n\t- 4x **b**",
        ">\t4x **b**",
        "|4x **b**\n|-|",
        "> |4x **b** |\n> |-|",
        "[^a|b]: |4x **b**\n    |-|",
        "- |x|4x **b**|\n  |-|-|\n  |b|",
        "x\n: |4x **b**\n  |-|",
    ],
)
def test_words_keep_their_place_in_containers(text: str) -> None:
    document = document_of(text)
    at, bold = text.index("4x"), text.index("b**")
    assert (document.prose[at : at + 2], document.prose[bold]) == ("4x", "b")
    assert not set(document.prose) & set("*>|#-[]")


def test_a_phrase_over_lines_of_a_quote_in_a_list() -> None:
    text = "- > N1 is 3\n  > times\n  lazily faster\n"
    document = document_of(text)
    assert words(text) == "N1 is 3 times lazily faster"
    (block,) = document.blocks
    assert text[block.start : block.end] == "N1 is 3\n  > times\n  lazily faster"


def test_byte_order_mark_and_front_matter() -> None:
    source = Source("\ufeff---\r\ntitle: N1 is 9x\r\n---\r\n\r\nB2 is 4x.\r\n")
    document = read(source)
    at = document.prose.index("4x")
    assert source.place(at) == (5, 7)
    assert "9x" not in document.prose


@pytest.mark.parametrize("text", ["a\rb\r\nc\nd\r", "\r\r\n\n", "a\u2028b\x0bc\x85d\ne", "", "\r"])
def test_rows_end_at_lf_crlf_and_cr_only(text: str) -> None:
    starts = Source(text).row_starts()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert len(starts) == len(lines)
    assert all(text[start : start + len(line)] == line for start, line in zip(starts, lines, strict=True))


def test_deep_nesting_is_cut_off_and_raises_nothing() -> None:
    for text in (
        ">" * 300 + "a",
        "- " * 300 + "a",
        "![" * 300 + "a" + "](u)" * 300,
        "[" * 3000,
        "^[" * 300 + "]" * 300,
    ):
        assert len(document_of(text).prose) == len(text)


ATOMS = (
    "a 9x·\n·\n\n·\r·\r\n·  ·    ·\t·*·**·_·`·``·[·]·(u)·![·[^a]·[^a]: ·^[·<b>·</b>·<!--·-->·<div>·<·>·&amp;·&·\\·"
    "# ·- ·1. ·> ·---\n·===·~~·: ·```\n·é·😀·漢·\u00a0·\0·https://x.y/·[a]: u\n·$·$$·\\(·\\)·{·}·{{·}}·{%·%}·:::·"
    "[@k]·import x\n·<A b={·/>·+++\n·a: b\n·\ufdd0·\u2028·\x0b·\x85·{% highlight %}·[ ] ·[!NOTE]\n·|·\n|-|-|\n·|a|b|"
)
SIGNS = st.lists(st.sampled_from(ATOMS.split("·")), max_size=40).map("".join)


@given(SIGNS, st.sampled_from(["a.md", "a.mdx"]))
@settings(max_examples=300, deadline=None)
def test_any_text_keeps_its_length_its_lines_and_its_letters(text: str, filename: str) -> None:
    source = Source(text, filename)
    document = read(source)
    assert len(document.prose) == len(source.text)
    for kept, letter in zip(document.prose, source.text, strict=True):
        assert (kept == letter) if letter in "\r\n" else (kept not in "\r\n")
        assert kept in (letter, " ", "&", "\ufffd")
    end = 0
    for block in document.blocks:
        assert end <= block.start <= block.end <= len(source.text)
        end = block.end
    assert " ".join(content(document, block) for block in document.blocks).split() == document.prose.split()
    assert all(0 <= reference.start < reference.end <= len(source.text) for reference in document.references)


@given(SIGNS)
@settings(max_examples=150, deadline=None)
def test_line_endings_change_nothing_else(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    expected = shape(plain)
    assert shape(plain.replace("\n", "\r\n")) == expected
    assert shape(plain.replace("\n", "\r")) == expected


def shape(text: str) -> list[object]:
    document = document_of(text)
    blocks = [
        (
            content(document, block),
            [getattr(block, field) for field in Block.__slots__ if field not in ("start", "end")],
        )
        for block in document.blocks
    ]
    told = [(each.kind, each.label, each.defined) for each in document.references]
    found = [(kind, label.replace("\r\n", "\n"), defined) for kind, label, defined in told]
    items = [(item.list, item.parent, item.blocks) for item in document.items]
    lists = [(run.lead_in, run.items, run.ordered) for run in document.lists]
    tables = [(table.rows, table.before, table.after) for table in document.tables]
    return [blocks, found, items, lists, tables]


def test_the_types_do_not_load_the_parser() -> None:
    code = "import sys, caveat.markdown.document; print('markdown_it' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
