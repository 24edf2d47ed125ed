"""Outlooks: what may come in a future version, or one day. They say nothing against how things are now."""

import re

_OUTLOOK = re.compile(
    r"\b(?:future|upcoming|subsequent|next(?: (?:major|minor))?) (?:major |minor )?(?:versions?|releases?)\b"
    r"|\bin (?:the )?(?:near |not too distant )?future\b"
    r"|\b(?:may|might|could) (?:\w+ ){1,6}?(?:eventually|one day|some ?day|at some point)\b"
    r"|\b(?:versões|versão|lançamentos?) (?:futur[ao]s?|seguintes?|posterior(?:es)?)\b"
    r"|\b(?:futur[ao]s?|próxim[ao]s?) (?:versões|versão|lançamentos?)\b|\b(?:no|num|em um) futuro\b|\bfuturamente\b"
    r"|\b(?:pode(?:m|rá|rão|riam?)?) (?:\w+ ){1,6}?(?:(?:algum|um) dia|eventualmente|em algum momento|mais adiante)\b",
    re.IGNORECASE,
)


def is_outlook(text: str) -> bool:
    """Whether ``text`` speaks of what may be later."""
    return bool(_OUTLOOK.search(text))


def one_is_outlook(first: str, second: str) -> bool:
    """Whether one of two texts speaks of what may be later and the other does not: both may be right."""
    return is_outlook(first) is not is_outlook(second)
