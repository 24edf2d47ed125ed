"""The form of a question: whether it wants a yes or a no, several things or steps, and which questions it joins."""

import re

from calibrant.judges.free.words.text import content_words, language_of, sentences
from calibrant.state.task import Language

_JOINED = re.compile(
    r"\s*((?:\w+ ){0,3}(?:why|when|where|whom?|whose|how(?: \w+)?|quando|onde|quem|por ?qu[eê]|como"
    r"|quant[oa]s?(?: \w+)?)(?: not| so| come)?): ",
    re.IGNORECASE,
)
"""Question words that are asked of the question behind them: "Why: What is a GIL?"."""
_LISTS = re.compile(
    r"\b(?:list|enumerate|compare|comparison|difference|differences|differ|versus|vs|all the|which (?:ones|are)"
    r"|what are|what(?: (?:has|have|was|were|is)|['’]s)? (?:changed|new|added|fixed|removed|deprecated) in|o que mudou"
    r"|(?:advantages|disadvantages|steps|ways|methods|reasons|types|kinds|examples) (?:of|to|for)"
    r"|liste|enumere|compare|diferenças?|quais (?:são|os|as)|vantagens|desvantagens|etapas|passos|formas|maneiras"
    r"|métodos|tipos|exemplos)\b",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"\bhow (?:do|can|should|would|could|must|to)\b|\bhow (?:is|are) (?:\S+ ){1,5}\w+ed\b|\bsteps\b|\bprocedure\b"
    r"|\bwhat should (?:i|we|you|one) do\b"
    r"|\bcomo (?:é que )?(?:posso|podemos|devo|fazer|se faz|(?:eu |me )*(?:\w+[aei]r|\w{3,}o))\b(?!,)"
    r"|\bo que (?:é que )?(?:devo|devemos|tenho de|tenho que|preciso(?: de)?) fazer\b"
    r"|\b(?:etapas|passos|procedimento)\b",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"\W*(?:(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would)(?:n['’]t)?"
    r"|é|são|está|estão|era|eram|foi|foram|será|serão|pode|podem|posso|podemos|deve|devem|devo|devemos|há(?! quanto)"
    r"|existe|existem|tem|têm|tenho|temos|precis[oa]|precisam|precisamos|vai|vão)\b",
    re.IGNORECASE,
)
_SUBJECT_FIRST = re.compile(
    r"\W*(?:(?:[oa]s?|uma?|eu|você|nós|el[ea]s?|meus?|minhas?|noss[oa]s?|seus?|suas?|est[ea]s?|ess[ea]s?)\s"
    r"|(?=.*\s(?:é|são|está|estão|pode|podem|deve|devem|tem|têm|há|existem?|precisam?|vai|vão|\w{2,}am)\b))"
    r"(?!.*\b(?:que|quem|qual|quais|quando|onde|como|quant[oa]s?|por ?qu[eê])\b).*\?\W*",
    re.IGNORECASE | re.DOTALL,
)
"""A question without a question word that opens with its subject, as Portuguese asks for a yes or a no: with an
article or the like, or with a verb behind it."""
_ASPECTS = re.compile(
    r"\s*(?:;|\?\s+|,? and (?=what|who|when|where|why|how|which)|,? e (?=o que|quem|quando|onde|por que|como|qual|quais"
    r"|quant[oa]s?|(?:a|até) que horas|até quando))\s*"
)
_ASPECTS_MIN_WORDS = 2
_TELLING = 2
"""A question with fewer words of its own ("Why?") says what it asks only with the sentences before it."""


def without_scene(question: str) -> str:
    """``question`` without the sentences before the one that asks: of "The disk is full. Will the server start?" the
    second, which has the form of what is asked. All of it where that says too little by itself."""
    if not question.rstrip().endswith("?"):
        return question
    first = next((one for one in sentences(question) if "?" in one.text), None)
    asked = question[first.start :] if first else question
    return asked if len(content_words(asked)) >= _TELLING else question


def joined_words(question: str) -> str:
    """The question words that ``question`` asks of the question behind them, whose own answer is none to them; empty
    where it asks so of none."""
    found = _JOINED.match(question)
    return found[1] if found else ""


def wants_several(question: str) -> bool:
    """Whether ``question`` asks for a list or a comparison: more than one sentence is a fair answer."""
    return bool(_LISTS.search(question))


def wants_steps(question: str) -> bool:
    """Whether ``question`` asks how to do something: one step of several would be half an answer."""
    return bool(_STEPS.search(question))


def is_polar(question: str) -> bool:
    """Whether ``question`` wants a yes or a no: what says again what is asked, answers it."""
    if _POLAR.match(question):
        return True
    return language_of(question) is Language.PORTUGUESE and bool(_SUBJECT_FIRST.fullmatch(question))


def aspects(question: str) -> tuple[str, ...]:
    """The questions that one sentence asks: "who wrote it and when was it published?" -> both."""
    found = [part.strip() for part in _ASPECTS.split(question) if len(part.split()) > _ASPECTS_MIN_WORDS]
    return tuple(found) if len(found) > 1 else (question,)
