"""The yes or no that a sentence opens with."""

import re

REPLY = r"(?P<reply>yes|no|sim|não)"
OPENING = re.compile(rf"{REPLY}\s*[,;:–—-]\s+", re.IGNORECASE)


def without_reply(text: str) -> str:
    """What a sentence says is so, without the yes or no that it opens with."""
    reply = OPENING.match(text)
    return text[reply.end() :] if reply else text
