"""The site: formulas become MathML, and one that cannot, like a link that leads nowhere, ends the build with its page and line.
That the whole site builds is the test site.has_no_broken_link."""

import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "site"))
pytest.importorskip("mkdocs", reason="what builds the site is not installed")

import build
import formulas
import markdown


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_no_formula_is_left_as_it_is_typed(page):
    text = page.read_text(encoding="utf-8")
    formulas.check(page.name, text)
    html = markdown.markdown(text, extensions=["tables", "fenced_code", "formulas"])
    assert not formulas.left_in(html)
    plain = formulas.without_code(text)
    assert html.count("<math ") == plain.count("$$") // 2 + plain.replace("$$", "").count("$") // 2


def test_pages_that_teach_have_formulas():
    for name in ("dynamics operators closed_chains influence_coefficients freeman linear_models motors networks manipulators grasps "
                 "flexible_links simulation identification").split():
        assert "$$" in (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8"), name


def test_a_formula():
    html = markdown.markdown("with $\\mathcal M \\dot v = \\lvert x_1 \\rvert$ and `$HOME`", extensions=["formulas"])
    assert 'alttext="\\mathcal M \\dot v = \\lvert x_1 \\rvert"' in html and "ℳ" in html and "<em>" not in html
    assert formulas.left_in(html) == [] and "$HOME" in html


@pytest.mark.parametrize("wrong, said", [
    ("$x + \\nonsense$", "is not known here"),
    ("$\\frac{a}{b$", "braces"),
    ("$\\left( x$", "cannot be read"),
    ("$a \\, b$", "code hosts"),
    ("five $ and ten", "neither begins nor ends"),
    ("$$\na\n\nb\n$$", "neither begins nor ends"),
])
def test_a_wrong_formula_is_named(wrong, said):
    with pytest.raises(ValueError, match=rf"^docs/page\.md:3: .*{said}"):
        formulas.check("docs/page.md", f"# Title\n\n{wrong}\n")


def test_a_dollar_that_came_through_is_found():
    assert formulas.left_in("<p>costs $x</p><code>$HOME</code>") and not formulas.left_in("<pre>$x</pre>")


@pytest.mark.parametrize("planted, said", [
    ("Here $\\nonsense$ stands.", r"docs/page\.md:3: formula '\\nonsense'"),
    ("See [that](nowhere.md).", r"docs: link to nowhere\.md, which does not exist"),
])
def test_a_planted_mistake_ends_the_build(planted, said, tmp_path, monkeypatch):
    for name in ("README.md", "NOTATION.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        (tmp_path / name).write_text(f"# {name}\n")
    (tmp_path / "docs" / "figures").mkdir(parents=True)
    (tmp_path / "pages").mkdir()
    (tmp_path / "docs" / "page.md").write_text(f"# Page\n\n{planted}\n")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match=said):
        build.write_guides(tmp_path / "pages")
