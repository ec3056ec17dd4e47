"""Formulas of the pages, `$…$` in a line and `$$…$$` by themselves, as MathML: browsers show it without scripts and without anything
fetched. As an extension of Markdown it converts; `check` says beforehand which formula of which line cannot be."""

import re
import unicodedata
import xml.etree.ElementTree as ElementTree

import latex2mathml.converter
import markdown

MATHML = "http://www.w3.org/1998/Math/MathML"
FORMULA = r"\$\$(?P<display>[^$]+)\$\$|\$(?P<inline>[^\s$](?:[^$]*[^\s$])?)\$(?!\d)"
CODE = r"^```.*?^```|`[^`\n]+`"


def letter(variant: str, character: str) -> str:
    """Browsers know letters of another kind by their own code points, not by MathML's attribute."""
    for name in (f"MATHEMATICAL {variant} CAPITAL {character}", f"{variant} CAPITAL {character}"):
        try:
            return unicodedata.lookup(name.upper())
        except KeyError:
            pass
    raise ValueError(f"there is no {variant} letter '{character}'")


def convert(formula: str, display: bool = False) -> str:
    """MathML of a formula in TeX's notation; ValueError says what is wrong with it."""
    eaten = re.search(r"\\[^A-Za-z]", formula)
    if eaten:
        raise ValueError(f"code hosts show '{eaten[0]}' as '{eaten[0][1:]}'; write a command of letters, \\cr for a new row")
    if formula.count("{") != formula.count("}"):
        raise ValueError("its braces do not pair")
    try:
        text = latex2mathml.converter.convert(formula, display="block" if display else "inline")
        root = ElementTree.fromstring(text)
    except Exception as error:  # of many kinds, most of them without words
        raise ValueError(f"it cannot be read: {type(error).__name__} {error}".rstrip()) from error
    for element in root.iter():
        # The converter passes on what it does not know.
        unknown = re.search(r"\\[A-Za-z]*|[&{}]", element.text or "")
        if unknown:
            raise ValueError(f"'{unknown[0]}' is not known here")
        if element.text in ("|", "‖"):  # bars are brackets: no space of an operator, and as high as a letter
            element.attrib.update(lspace="0", rspace="0", stretchy="false")
        variant = element.attrib.get("mathvariant", "normal")
        if variant != "normal":
            del element.attrib["mathvariant"]
            element.text = letter(variant, element.text or "")
    root.set("alttext", " ".join(formula.split()))
    ElementTree.register_namespace("", MATHML)
    return ElementTree.tostring(root, encoding="unicode")


def without_code(text: str) -> str:
    """The text with blanks for its code, so that lines stay where they are."""
    return re.sub(CODE, lambda code: re.sub(r"[^\n]", " ", code[0]), text, flags=re.M | re.S)


def check(page: str, text: str) -> None:
    """Raises ValueError that names the line of the first formula that cannot be converted, or of a dollar that begins none."""
    plain = without_code(text)
    for found in re.finditer(FORMULA + r"|\$", plain):
        where = f"{page}:{plain.count(chr(10), 0, found.start()) + 1}"
        formula = found["display"] or found["inline"]
        if formula is None or "\n\n" in formula:
            raise ValueError(f"{where}: a dollar that neither begins nor ends a formula; write `$` where one is meant")
        try:
            convert(formula)
        except ValueError as error:
            raise ValueError(f"{where}: formula '{formula.strip()}': {error}") from error


def left_in(page: str) -> list[str]:
    """The neighbourhoods of dollars in the text of a finished page, code aside."""
    text = re.sub(r"<(script|style|pre|code|math)\b.*?</\1>|<[^>]*>", "", page, flags=re.S)
    return [text[max(0, found.start() - 30) : found.start() + 30].strip() for found in re.finditer(r"\$", text)]


class Formulas(markdown.inlinepatterns.InlineProcessor):
    def handleMatch(self, match, data):
        display = match["display"] is not None
        made = convert(match["display"] if display else match["inline"], display)
        return self.md.htmlStash.store(made), match.start(0), match.end(0)


class Extension(markdown.Extension):
    def extendMarkdown(self, md):
        md.inlinePatterns.register(Formulas(FORMULA, md), "formulas", 185)  # behind code, before everything else


def makeExtension(**settings):
    return Extension(**settings)
