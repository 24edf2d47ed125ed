"""A question of question words alone ("Why?", "By whom?"), put with what the question before asked it of."""

import re

from calibrant.state.task import EN, PT, Language

BEFORE = r"(?:(?:since|until|till|from|by|to|at|in|on|of|for|with|under|after|before) )?"
"""What may stand before such words."""
_BARE: dict[Language, str] = {
    EN: rf"(?:and )?(?:why|how|{BEFORE}(?:when|where|whom)|how (?:long|often))",
    PT: (
        r"(?:e )?(?:por ?qu[eê]|como|(?:desde |até |a partir de |para |de |com |em |por )?(?:quando|onde|quem)"
        r"|(?:por |há |durante |em )?quanto tempo|quantas vezes|(?:a|até|a partir de|com|em) que \w+)"
    ),
}
"""Question words that can stand before a verb with a subject."""

_VERB = (
    r"(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|may|might|must)(?:n['’]t)? "
    r"(?!it\b|there\b)"
)
_YES_OR_NO = (
    r"(?!.*\b(?:que|quem|qual|quais|quando|onde|como|quant[oa]s?|por ?qu[eê])\b)"
    r"(?:[oa]s?|uma?|eu|meus?|minhas?|noss[oa]s?|é|são|está|estão|foi|foram|pode|podem|posso|podemos|deve"
    r"|devem|devo|há|tem|têm) "
)
"""How a Portuguese question for a yes or a no begins, with its subject or its verb."""

_ADVERBIAL: dict[Language, re.Pattern[str]] = {
    EN: re.compile(
        rf"(?:(?:why|when|where|how(?: (?P<measure>long|often|far|soon|fast|old|big|large|tall|high|deep))?|by whom) )?"
        rf"(?P<rest>{_VERB}.+)",
        re.IGNORECASE | re.DOTALL,
    ),
    PT: re.compile(
        r"(?:por que|porqu[eê](?: é que)?|(?:até |desde )?quando(?: é que)?|onde|como|(?:por |há )?quanto tempo"
        r"|com que frequência|quantas vezes|por quem|(?:a|até) que horas|em que dias?) (?P<rest>.+)"
        rf"|(?P<whole>{_YES_OR_NO}.+)",
        re.IGNORECASE | re.DOTALL,
    ),
}
"""A question that is whole without the words that open it: nobody's name and no thing is asked for."""


_THAT_WAS = r" (?:(?:is|was) (?:that|this)(?: so)?|foi (?:isso|isto))$"
"""Behind a question word, what stands for all that was asked before: "why is that?"."""


def reworded(words: str, before: str, language: Language) -> str:
    """``before`` asked with the question words ``words`` in place of its own; empty where it cannot be.

    "Why?" after "How often is a job tried again?" is "Why is a job tried again so often?". "Who wrote it?" asks for a
    part of the sentence: nothing is whole without its question word.
    """
    words = re.sub(_THAT_WAS, "", words.strip(" ?.!"), flags=re.IGNORECASE)
    found = _ADVERBIAL[language].fullmatch(before.strip(" ?."))
    if not found or not re.fullmatch(_BARE[language], words, re.IGNORECASE):
        return ""
    rest, measure = found.groupdict().get("whole") or found["rest"], found.groupdict().get("measure")
    so = f" so {measure}" if measure and words.lower() == "why" else ""
    words = re.sub(r"^por ?qu[eê]$", "por que", words, flags=re.IGNORECASE)
    return f"{words[0].upper()}{words[1:]} {rest[0].lower()}{rest[1:]}{so}?"
