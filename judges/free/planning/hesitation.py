"""Hesitation in a planner's own words (spec 5): the phrase in which it voices doubt about what it is about to do."""

import re

HESITANT: tuple[str, ...] = (
    "could try", "might work", "may work", "might be able", "possibly", "not sure", "unsure", "not certain",
    "uncertain", "unclear", "not clear", "ambiguous", "multiple ways", "several ways", "more than one way",
    "depends on", "hard to say", "i guess", "perhaps", "maybe", "both are valid", "either would work",
    "don't know", "do not know",
    "poderia tentar", "pode funcionar", "talvez", "possivelmente", "não tenho certeza", "sem certeza", "incerto",
    "não está claro", "pouco claro", "ambíguo", "ambígua", "várias maneiras", "várias formas", "mais de uma maneira",
    "depende de", "depende do", "depende da", "difícil dizer", "não sei", "acho que", "ambas são válidas",
)  # fmt: skip
"""Hedging phrases, lowercase."""

_HESITANT = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, HESITANT))})(?!\w)", re.IGNORECASE)
_SETTLED = re.compile(r"\b(?:no longer|not|isn't|aren't|nothing|não é|não são|nada)\s+(?:\w+\s+)?$", re.IGNORECASE)
_TECHNICAL = re.compile(r"(?:^|\s)(?:step|task|part|q\d+|etapa|passo)\s*\w*\s+$", re.IGNORECASE)
_QUOTES = re.compile(r"```.*?```|`[^`]*`|\"[^\"]*\"|“[^”]*”", re.DOTALL)


def hesitation(text: str) -> str:
    """The first hedging phrase of ``text`` as it stands there; empty if there is none.

    Quotations and code are not the planner's own words; "not ambiguous" is no doubt, "step 2 depends on" is a fact.
    """
    own = own_words(text)
    for match in _HESITANT.finditer(own):
        before = own[: match.start()]
        states = match.group().lower().startswith("depend") and _TECHNICAL.search(before)
        if not states and not _SETTLED.search(before):
            return text[match.start() : match.end()]
    return ""


def own_words(text: str) -> str:
    """``text`` with quotations and code blanked out, everything else at its place."""
    return _QUOTES.sub(lambda match: " " * len(match.group()), text).replace("’", "'")
