"""Text that talks to a model instead of a reader. It stays in the text, as data; it is pointed out, and it is never an
answer."""

import re
from functools import lru_cache

_INJECTION = re.compile(
    r"""
    \b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your)\b.{0,30}
        \b(?:(?:instruction|prompt|direction)s?\b|(?:rule|guideline)s?\b(?!\s+(?:for|on|in|at|of)\b))
  | \b(?:ignore|esque[cç]a|desconsidere)\b.{0,40}\binstru[cç][oõ]es\b
  | \byou\s+are\s+(?:now|no\s+longer)\b.{0,60}\b(?:assistant|ai|model|agent|bot|dan|mode|bound|restricted)\b
  | \b(?:new|updated|hidden|secret)\s+(?:system\s+)?instructions?\s*:
  | \b(?:notes?|message|instructions?|notice|attention)\b.{0,15}\b(?:to|for|para)\b.{0,20}
        \b(?:ai|ia|llms?|language\s+models?|chatbots?)\b(?:\s+(?:assistant|model|agent|system|bot)s?)?\s*[:\u2013\u2014-]
  | \b(?:nota|mensagem|aviso|instru[cç](?:[aã]o|[oõ]es))\s+(?:a|aos?|[àa]s?|para)\b.{0,20}\bde\s+(?:ia|linguagem)\s*:
  | \bif\s+you\s+are\s+an?\s+(?:ai|llm|(?:large\s+)?language\s+model|chatbot)\b
  | \bse\s+(?:voc[eê]\s+(?:é|for)|[eé]s)\s+um(?:a\s+ia|\s+modelo\s+de\s+linguagem|\s+assistente\s+de\s+ia)\b
  | \b(?:llms?|ai\s+(?:assistants?|agents?|models?)|language\s+models?|chatbots?)
        \s+(?:that\s+)?(?:reads?|reading|processing)\s+this\b
  | \b(?:llms?|ai\s+(?:assistants?|agents?|models?)|language\s+models?|chatbots?)
        \s+(?:must|should|shall|have\s+to|need\s+to)\s+(?:always|first|now|immediately|also)
        \s+(?:call|fetch|visit|open|send|run|execute|invoke|say|reply)\b
  | \bassistant\s*:\s*(?:please\s+|now\s+)?(?:call|fetch|run|execute|invoke)\s+(?:[a-z]+_\w|https?:)
  | \b(?:answer|respond|reply|responda)\b.{0,30}\b(?:every|all|any|todas?|qualquer)\b.{0,20}
        \b(?:question|quer(?:y|ie)|request|prompt|pergunta)s?\b.{0,10}\b(?:with|com)\s+["“'«]
  | ^[^\w\n]*+(?:system|assistant)(?:\s+(?:prompt|message|note))?\s*:
        \s*(?:you|please|always|never|ignore|tell|answer|do)\b
  | \b(?:do\s+not|don't|never)\s+(?:tell|inform|mention\s+to|reveal\s+to)\b.{0,20}\b(?:the\s+user|the\s+human)\b
  | <\|(?:im_start|im_end|system|user|assistant|endoftext)\|> | \[/?INST\] | <<SYS>>
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


@lru_cache(maxsize=2_000)
def is_injection(text: str) -> bool:
    """Whether ``text`` orders a model about. Speaking *of* prompts, as a manual may, is no order."""
    return _INJECTION.search(text) is not None


def beside_order(text: str, start: int, end: int) -> bool:
    """Whether the lines of ``text[start:end]`` order a model about: what it is to say stands beside the order."""
    opened, closed = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    return is_injection(text) and is_injection(text[opened : closed if closed >= 0 else len(text)])


def without_orders(text: str) -> str:
    """``text`` with blanks for the lines that order a model about; all else stays where it stands."""
    if not is_injection(text):
        return text
    return "\n".join(" " * len(line) if is_injection(line) else line for line in text.split("\n"))
