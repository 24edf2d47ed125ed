"""Bytes as text: by their byte order mark, as what they are declared to be, as UTF-8, else as Windows-1252."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDER = {"iso8859-1": "cp1252", "ascii": "utf-8"}
"""What browsers read instead: who declares the narrower encoding often writes the wider one."""
_HTML_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*[\"']([\w.:-]+)")


def text_of(content: bytes, declared: str | None = None, hint: str | None = None) -> str:
    """``content`` as text, without its byte order mark. Bytes that do not fit are replaced."""
    return content.decode(encoding_of(content, declared, hint), "replace")


def encoding_of(content: bytes, declared: str | None = None, hint: str | None = None) -> str:
    """The encoding to read ``content`` in. A ``hint`` is believed only after UTF-8, and only if every byte fits."""
    if marked := marked_encoding(content):
        return marked
    said = _known(declared)
    for encoding in (said, "utf-8", _known(hint)):
        if encoding and _fits(content, encoding):
            return encoding
    return said or "cp1252"  # a stray byte does not make another encoding of what was declared


def marked_encoding(content: bytes) -> str | None:
    """The encoding that a byte order mark says."""
    return next((encoding for mark, encoding in _MARKS if content.startswith(mark)), None)


def html_charset(content: bytes) -> str | None:
    """The encoding that a page itself says, near its start."""
    found = _HTML_CHARSET.search(content, 0, 2048)
    return found.group(1).decode("ascii") if found else xml_encoding(content)


def xml_encoding(content: bytes) -> str | None:
    """The encoding that an XML declaration says."""
    found = _XML_ENCODING.match(content)
    return found.group(1).decode("ascii") if found else None


def _known(name: str | None) -> str | None:
    """The name under which Python decodes text so; None for what is unknown or no text encoding."""
    try:
        b"x".decode(name or "", "replace")  # "idna", "hex" and their like refuse in their own ways
    except (LookupError, ValueError):
        return None
    known = codecs.lookup(name or "").name
    return _WIDER.get(known, known)


def _fits(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except ValueError:
        return False
    return True
