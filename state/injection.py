"""Text that talks to a model instead of a reader. It stays in the text, as data; it is pointed out, and it is never an
answer."""

import re
from functools import lru_cache

MOST = 10
LONGEST = 200

_INSTRUCTION = re.compile(
    r"""
    \b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b.{0,30}
        \b(?:instruction|prompt|rule|guideline|message|direction|context)s?\b
  | \b(?:ignore|esque[cç]a|desconsidere)\b.{0,40}\binstru[cç][oõ]es\b
  | \byou\s+are\s+(?:now|no\s+longer)\b.{0,60}\b(?:assistant|ai|model|agent|bot|dan|mode|bound|restricted)\b
  | \b(?:new|updated|real|hidden|secret)\s+(?:system\s+)?(?:instructions?|prompt)\s*:
  | \bsystem\s+prompt\b
  | \b(?:do\s+not|don't|never)\s+(?:tell|inform|mention|reveal)\b.{0,40}\b(?:user|human|anyone)\b
  | \b(?:ai|llm|language)\s+(?:assistant|agent|model)s?\b.{0,60}\b(?:must|should|shall|please|are\s+required)\b
  | \b(?:reveal|print|send|exfiltrate|leak)\b.{0,40}\b(?:api\s+key|password|secret|credential|system\s+prompt)s?\b
  | \b(?:respond|reply|answer)\s+only\s+with\b
  | <\|(?:im_start|im_end|system|user|assistant|endoftext)\|> | \[/?INST\] | <<SYS>>
  | ^\s*(?:\#{1,3}\s*)?(?:system|assistant)\s*:
    """,
    re.IGNORECASE | re.VERBOSE,
)

_ORDER = re.compile(
    r"""
    \b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|all|your)\b.{0,30}
        \b(?:instruction|prompt|rule|guideline|direction)s?\b
  | \b(?:ignore|esque[cç]a|desconsidere)\b.{0,40}\binstru[cç][oõ]es\b
  | \byou\s+are\s+(?:now|no\s+longer)\b.{0,60}\b(?:assistant|ai|model|agent|bot|dan|mode|bound|restricted)\b
  | \b(?:new|updated|hidden|secret)\s+(?:system\s+)?instructions?\s*:
  | \b(?:do\s+not|don't|never)\s+(?:tell|inform|mention\s+to|reveal\s+to)\b.{0,20}\b(?:the\s+user|the\s+human)\b
  | <\|(?:im_start|im_end|system|user|assistant|endoftext)\|> | \[/?INST\] | <<SYS>>
    """,
    re.IGNORECASE | re.VERBOSE,
)


@lru_cache(maxsize=2_000)
def is_order(text: str) -> bool:
    """Whether ``text`` orders a model about. Narrower than ``instruction_like``: a manual may speak *of* prompts."""
    return _ORDER.search(text) is not None


def instruction_like(text: str) -> tuple[str, ...]:
    """The first such lines of ``text``, shortened."""
    found = []
    for line in text.splitlines():
        # A bounded stretch: patterns with gaps take their time on endless lines.
        for start in range(0, min(len(line), 20_000), 1_000):
            match = _INSTRUCTION.search(line, start, start + 1_200)
            if match:
                begin = max(0, match.start() - 40)
                found.append(line[begin : begin + LONGEST].strip())
                break
        if len(found) == MOST:
            break
    return tuple(found)
