"""How vague a request is, and a sharper wording for it, made only from what it says.

Vague means: nothing to search for. A short request is not vague if it names something ("sqlite3 isolation levels").
"""

import re

from calibrant.judges.free.request.followup import subjectless
from calibrant.judges.free.request.followup_cues import opens_question
from calibrant.judges.free.words.terms import (
    NOTHING,
    as_written,
    identifiers,
    names,
    quoted,
    specific_words,
    telling_words,
)
from calibrant.judges.free.words.text import content_words
from calibrant.state.task import EN, PT, Language

VAGUE = 0.6
"""From here on a person is asked for a wording (row 1 of the decision rule).

Above it lie the requests in which nothing can be searched for: only generic words, a pronoun with at most one word
beside it, or one plain noun without a question. Below it lie those that name something, however briefly: asking about
them costs a person more than one search costs us.
"""

EMPTY, GENERIC_ONLY, LOST_REFERENCE, LONE_NOUN = 1.0, 0.9, 0.75, 0.7
"""Vague requests, from nothing at all to one plain noun."""

HALF_REFERENCE, BROAD, LONE_NAME, BARE = 0.45, 0.4, 0.35, 0.1
"""Requests that can be searched for, but say less than they could."""

PLACEHOLDER = re.compile(r"<[^<>]{2,60}\??>")

CHANGES: dict[Language, str] = {
    EN: (
        r"^(?:please |can you |could you |help me |i (?:want|need) to )*(?P<verb>fix|improve|optimi[sz]e|change|"
        r"update|make|clean up|solve|repair|debug|speed up|refactor|finish|handle)\b"
    ),
    PT: (
        r"^(?:por favor,? |pode |você pode |me ajude a |preciso |quero )*(?P<verb>corrij\w+|consert\w+|melhor\w+|"
        r"otimiz\w+|mud\w+|atualiz\w+|arrum\w+|resolv\w+|faz\w*|faç\w+|deix\w+|termin\w+)\b"
    ),
}
"""A request to change something: it needs an object."""

BROADLY: dict[Language, str] = {
    EN: (
        r"^(?:please |can you |could you )*(?:tell me (?:everything |more |all )?about|talk about|"
        r"info(?:rmation)? (?:on|about)|explain|describe|research|help (?:me )?with|learn about|i (?:need|want) "
        r"(?:help|information) (?:with|about|on))\b"
    ),
    PT: (
        r"^(?:por favor,? |pode |você pode )*(?:me (?:fal[ae]|cont[ae]|diga|diz) (?:tudo |mais )?sobre|"
        r"fal[ae](?:-me)? (?:mais )?(?:sobre|d[aeo]s?)|informaç(?:ão|ões) sobre|expli(?:que|ca)|"
        r"descrev[ae]|pesquis[ae]|(?:me )?ajude? com|quero saber (?:mais )?sobre)\b"
    ),
}
"""A request to say something about a subject, without a question."""

HELPS: dict[Language, str] = {EN: r"\b(?:help|assist)\b", PT: r"\bajud\w+\b"}


_QUALITY: dict[Language, str] = {
    EN: r"\b(?:better|faster|cleaner|nicer|smaller|safer|cheaper)\b",
    PT: r"\b(?:melhor|mais \w+)\b",
}
_TEXTS: dict[str, dict[Language, str]] = {
    "help": {
        EN: "How do I <do what?> with <which tool or subject?>?",
        PT: "Como faço para <fazer o quê?> com <qual ferramenta ou assunto?>?",
    },
    "thing": {EN: "<what?>", PT: "<o quê?>"},
    "change": {
        EN: "{} {} in <which file or system?> so that {}",
        PT: "{} {} em <qual arquivo ou sistema?> para que {}",
    },
    "quality": {
        EN: "it becomes {} <in what: speed, clarity, cost?>",
        PT: "fique {} <em quê: velocidade, clareza, custo?>",
    },
    "result": {EN: "<what result?>", PT: "<qual resultado?>"},
    "question": {EN: "{}: <what do you want to know about it?>", PT: "{}: <o que você quer saber sobre isso?>"},
    "subject": {EN: "<Which subject?>", PT: "<Qual assunto?>"},
}
"""Sharper wordings, and the gaps in them that the person fills in."""


def vagueness(text: str, language: Language, lost: str) -> float:
    """How far ``text`` is from something one can search for, 0..1. ``lost``: the pronoun that no earlier turn
    explains."""
    said = PLACEHOLDER.sub(" ", text)
    specific = specific_words(said, language)
    if not telling_words(said, language) and not lost:
        return EMPTY
    if not specific and not names_something(said):
        if not lost and _asks_of_two(said, language):
            return HALF_REFERENCE
        return GENERIC_ONLY
    if lost:
        known = len(specific) + bool(names_something(said))
        return LOST_REFERENCE if known <= 1 else HALF_REFERENCE
    if subjectless(said, language):
        return LOST_REFERENCE
    if len(specific) <= 1:
        return _single(said, language)
    if PLACEHOLDER.search(text):
        return BROAD
    return 0.0 if opens_question(text.strip(), language) or text.strip().endswith("?") else BARE


def _asks_of_two(text: str, language: Language) -> bool:
    """A question that does something general to something general ("how do I write files") is broad, not empty."""
    telling = [word for word in content_words(text, language) if word not in NOTHING]
    return opens_question(text.strip(), language) and len(telling) >= 2


def names_something(text: str) -> bool:
    """Whether ``text`` has a name, an identifier, or words in quotes."""
    return bool(identifiers(text) or names(text) or quoted(text))


def _single(text: str, language: Language) -> float:
    """A request with one specific word: enough in a question or for a name, too little for a plain noun."""
    lowered = text.strip().lower()
    asks = opens_question(lowered, language)
    bare = len(telling_words(text, language)) <= 1 and not asks
    if names_something(text):
        return LONE_NAME if bare or re.match(BROADLY[language], lowered) else 0.0
    if asks or (lowered.endswith("?") and not bare):
        return 0.0
    if re.match(BROADLY[language], lowered):
        return BROAD
    if bare or re.match(CHANGES[language], lowered):
        return LONE_NOUN
    return BROAD


def wording(text: str, language: Language, lost: str = "") -> str:
    """A sharper wording of a vague request: its own words, with a placeholder for each thing that it leaves open."""
    text = " ".join(text.split())
    lowered = text.lower()
    specific = specific_words(text, language)
    changes = re.match(CHANGES[language], lowered)
    about = " ".join(as_written(text, word) for word in specific if not changes or word != changes["verb"])
    if lost and (specific or opens_question(text, language)):
        return re.sub(rf"\b{re.escape(lost)}\b", lambda _: _TEXTS["thing"][language], text, count=1)
    if subjectless(text, language):
        return f"{text.strip(' ?')} <o quê?>?"
    if changes:
        return _change(changes["verb"], about, text, language)
    if re.search(HELPS[language], lowered) and not about:
        return _TEXTS["help"][language]
    subject = about if names_something(about) else about[:1].upper() + about[1:]
    return _TEXTS["question"][language].format(subject or _TEXTS["subject"][language])


def _change(verb: str, about: str, text: str, language: Language) -> str:
    """A request to change something, with its object and its aim."""
    return _TEXTS["change"][language].format(
        verb.capitalize(), about or _TEXTS["thing"][language], _aim(text, language)
    )


def _aim(text: str, language: Language) -> str:
    """The quality that the request asks for, if it names one ("faster"), else the gap for what is to come of it."""
    found = re.search(_QUALITY[language], text, re.IGNORECASE)
    return _TEXTS["quality"][language].format(found.group().lower()) if found else _TEXTS["result"][language]
