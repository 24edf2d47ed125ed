"""Inline markup of Markdown, reStructuredText and HTML: what a reader does not see of a line.

A passage is kept as it stands in its document, so that what is cited is found there; headings and sentences are read
without what only a program reads. What stands in code marks is left as it is, marks included.
"""

import re

_ROLE = r"(?:(?<![\w`:]):(?:[A-Za-z][\w+.-]{0,40}:){1,4}|(?<![\w`$]){[A-Za-z][\w:+.-]{0,80}})`(?P<role>[^`]+)`"
"""Of Sphinx, ``:exc:`UsageError` ``, or of MyST, which has the name of the role in braces."""
_REFERENCE = r"(?<![\w`])`(?P<reference>[^`]+)`__?(?!\w)"
_CODE = r"(?<!`)(?:``(?!`)[^\n]+?``(?!`)|`[^`\n]+`(?!`))"
_TARGET = r"(?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])"
_ATTRIBUTES = r"(?:\{ ?[:.#][^{}]*\})?"
_IMAGE = rf"!\[(?P<image>[^\[\]]*)\]{_TARGET}{_ATTRIBUTES}"
_BADGE = rf"(?P<badge>\[!\[[^\[\]]*\]{_TARGET}\]{_TARGET})"
_LINK = rf"(?<![\w\])])\[(?P<link>(?=[^\[\]]*?[^\W\d_])[^\[\]]*|)\]{_TARGET}{_ATTRIBUTES}"
_TAGS = """
a abbr b big br center cite code dd del details div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd
li ol p picture q s samp small span strong sub summary sup table tbody td tfoot th thead tr tt u ul
"""
"""Not those that manuals write as the names of what is to be filled in: ``<time>``, ``<source>``."""
_NAME = "|".join(_TAGS.split())
_TAG = (
    rf"(?P<tag></(?:{_NAME})>|<(?:{_NAME})\s[^<>]*>|<(?:br|hr|img|p|li|div|td|tr)\s?/?>"
    rf"|<(?:{_NAME})>(?=[^<>]{{0,300}}</|<\w)|<!--[^<>]*-->)"
)
_TEMPLATE = (
    r"(?P<template>\{(?:%-?|\{[<%])\s*/?[A-Za-z][\w-]*"
    r"(?P<given>(?:\s+(?:[\w-]+=)?\"[^\"{}\n]*\",?)*)\s*(?:[>%]\}|-?%)\})"
)
"""Of a site's generator (Liquid, Hugo): ``{% endnote %}``, ``{{< glossary text="Pods" >}}``. One that is given
more than texts may be what the documentation is about."""
_GIVEN = re.compile(r"(?:(?P<name>[\w-]+)=)?\"(?P<said>[^\"]*)\"")
_ADDRESS = re.compile(r"[/#.]|(?!\S+\s)\S*(?:/|\.\w{1,5}$)")
"""Looks as far as the first space once: whatever stands there, it takes no longer."""
_SHOWN = ("text", "title", "label", "caption", "alt")
"""The names of what is given that such a tag shows."""
_INLINE = re.compile("|".join((_ROLE, _REFERENCE, _CODE, _BADGE, _IMAGE, _LINK, _TAG, _TEMPLATE)), re.IGNORECASE)
_POWER = re.compile(r"(?<=\d)<sup>(?=[-+−–]?\d)", re.IGNORECASE)
_OF_PYTHON = re.compile(r"[:{](?:py:)?(?:attr|class|const|data|exc|func|meth|mod|obj)[:}]", re.IGNORECASE)
"""Roles that name what Python has: a dot before the name says where to look for it, and is not shown."""
_STRUCK = re.compile(r"~~(?=\S)([^~\n]+?)(?<=\S)~~")
_EMBEDDED = re.compile(r"(?P<said>[^<>]*\S)\s*<[^<>]+>")
"""A link of reStructuredText that names its target: "the guide <guide.html>"."""
_NAMED = re.compile(r"\{ ?[:.#][^{}\n]*\}$")
"""What MkDocs and Pandoc put behind a heading: its anchor."""
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?=[ \t]*(?:#|[\w.-]+:))(?:(?!---).*\n)*---[ \t]*(?:\n|\Z)")
"""The particulars at the top of a page, between two rules: its title, who wrote it."""
CHANGES = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "deprecated-removed": "Deprecated since version",
    "versionremoved": "Removed in version",
}
"""Directives that tell when something changed, in the words in which Sphinx shows them."""
CHANGE = re.compile(rf"\s*\.\.[ \t]+(?P<change>{'|'.join(CHANGES)})::\s+(?P<version>\S+)(?P<colon>\s+(?=\S))?")
FIELD = re.compile(
    r":(?<!\S:)(?P<field>param|parameter|arg|argument|key|keyword|[ci]?var|type|vartype|returns?|rtype|yields?|raises?"
    r"|exception)(?: (?P<of>[^:`\n]{1,80}))?:(?=\s|$)"
)
"""What Sphinx tells of a function in fields: ``:param str name: How it is called``."""
_FIELDS = {
    **dict.fromkeys(("type", "vartype"), "Type"),
    **dict.fromkeys(("return", "returns"), "Returns"),
    "rtype": "Return type",
    **dict.fromkeys(("yield", "yields"), "Yields"),
    **dict.fromkeys(("raise", "raises", "exception"), "Raises"),
}
"""The others are told by the name of what they are about."""


def plain(text: str) -> str:
    """``text`` without roles, links, images and HTML tags; what they say is kept. What a directive or a field tells is
    told in words."""
    if ":" in text:
        text = CHANGE.sub(_of_change, text, count=1) if ":: " in text and CHANGE.match(text) else text
        text = FIELD.sub(_of_field, text)
    text = _STRUCK.sub(r"\1", text) if "~~" in text else text
    if not any(sign in text for sign in "`[<{"):
        return text
    text = _INLINE.sub(_said, text)
    if "](" in text or "][" in text:  # a link around an image or around code
        text = _INLINE.sub(_said, text)
    return _NAMED.sub("", text).rstrip() if text.endswith("}") else text


def _of_change(found: re.Match[str]) -> str:
    return f"{CHANGES[found['change']]} {found['version']}{': ' if found['colon'] else '.'}"


def _of_field(found: re.Match[str]) -> str:
    """The heading of a field: the name of a parameter without its type, or what the others tell."""
    of = (found["of"] or "").split()
    told = _FIELDS.get(found["field"])
    if told == "Type" and of:
        told = "Type of"
    return f"{' '.join([told, *of] if told else of[-1:])}:" if told or of else found.group()


def _said(found: re.Match[str]) -> str:
    if found["role"]:
        return _of_role(found["role"].lstrip(".") if _OF_PYTHON.match(found.group()) else found["role"])
    if found["reference"]:
        return _without_target(found["reference"])
    if found["link"] is not None:
        return found["link"]
    if found["tag"]:
        return _of_tag(found)
    if found["template"]:
        return _of_template(found["given"])
    if found["badge"]:
        return ""
    return found.group() if found["image"] is None else found["image"]


def _of_tag(found: re.Match[str]) -> str:
    """A break is white space; a power has its sign: ``2<sup>32</sup>`` would be 232 without it."""
    if _POWER.match(found.string, found.start()):
        return "^"
    return " " if found["tag"].lower().startswith(("<br", "<hr", "<!--")) else ""


def _of_template(given: str) -> str:
    """What a generator makes of its tag, as far as it stands there: a text, and no address."""
    texts = [(match["name"], match["said"]) for match in _GIVEN.finditer(given)]
    named = [said for name, said in texts if name in _SHOWN]
    said = named or [said for name, said in texts[-1:] if not (name or _ADDRESS.match(said))]
    return said[0] if said else ""


def _of_role(inside: str) -> str:
    """What a role shows: a name as code, only its last part after ``~``; words as words; a mere number as "#12"."""
    said = _without_target(inside).lstrip("!")
    if said.startswith("~"):
        said = said.rpartition(".")[2].lstrip("~")
    if said.isdecimal():
        return f"#{said}"
    return said if " " in said or "<" in inside else f"`{said}`"


def _without_target(inside: str) -> str:
    named = _EMBEDDED.fullmatch(inside)
    return " ".join((named["said"] if named else inside).split())
