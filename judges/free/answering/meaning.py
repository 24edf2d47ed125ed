"""What a thing is ("O que é a triagem?", "What is a reader?"): whether a sentence says it or only speaks of the thing.

By words alone each sentence with the word in it would answer: all of the question that can be compared is that word.
"""

import re
from collections.abc import Iterator

from calibrant.judges.free.evidence.above import section_of
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.relevance import ScoredPassage
from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.text import content_words, stem, tokens
from calibrant.state.task import Language

_THING = (
    r"(?P<thing>(?!(?:example|first|typical|good|common|difference)\b)[\w.-]+"
    r"(?: (?!(?:of|in|on|at|for|to|from|with|by|the|called|para|por|em|n[ao]s?|com|sem|chamad[oa])\b)[\w.-]+){0,4})"
)
"""A name. What is said of it besides asks for more than a meaning."""
_ASKS = (
    re.compile(rf"\W*what (?:is|was) (?:an? |meant by (?:an? |the )?){_THING}\W*", re.IGNORECASE),
    re.compile(rf"\W*what do(?:es)? (?:an? |the )?{_THING} mean\W*", re.IGNORECASE),
    re.compile(
        r"\W*o que (?:é que )?(?:é|são|era|eram|significam?|quer(?:em)? dizer) (?:[oa]s? |uma? )?"
        r"(?!\w+(?:ad|id)[oa]s?\b|(?:feit|dit|escrit|abert|vist|post)[oa]s?\b|(?:(?:des)?necessári|obrigatóri|precis"
        rf"|nov|melhor|possíve|proibid|permitid)\w*){_THING}\W*",
        re.IGNORECASE,
    ),
)
"""An attribute is told without words of meaning: "what is the deadline?", "o que é necessário?"."""
_BETWEEN = 2
"""Words that may stand among those of a name: "unidade lógica e aritmética"."""
_DONE_TO_IT = (
    r"(?! (?!defin|us|bas|call|compos|design|intend|construct)\w+ed\b"
    r"| (?!usad|utiliz|defin|entend|chamad|conhec|consider|constit|formad|destin)\w+(?:ad|id)[oa]s?\b)"
)
"""What is done to a thing ("was missed") is not what it is, but for what it is used for, called or made of."""
_DOES = (
    r"allows?|lets?|enables?|stores?|keeps?|holds?|contains?|controls?|runs?|provides?|manages?|handles?|measures?"
    r"|regulates?|governs?|collects?|converts?|coordinates?|permit(?:e|em)|guardam?|armazenam?|cont[ée]m|controlam?"
    r"|executam?|organizam?|fornecem?|oferecem?|reún(?:e|em)|regulam?|regem?|gerem?|gerenciam?|coordenam?|medem?|recolhem?"
    r"|convertem?|processam?|cuidam?|tratam?"
)
"""What a thing is for, or does at all times, tells what it is."""
_BESIDE = re.compile(
    r"[\"'”’*`]*\s*(?:\((?!e?s\))[^)]*\)?|[:=–—]\s|- |, (?:an?|the|or|ou|um|uma|o|a|os|as|isto é|ou seja|i\.e\."
    r"|which is|that is|also|que (?:é|são))\b)",
    re.IGNORECASE,
)
"""What stands beside a name and tells it in other words."""
_PREDICATE = re.compile(
    r"[\"'”’*`]*\s*(?:\([^)]*\))? ?,? ?(?:\w+mente |\w+ly |also |também |still |hoje |simply )?"
    rf"(?:(?:is|are|can be|may be|é|são|era|eram|podem? ser)\b{_DONE_TO_IT}"
    r"|(?:was|were|foi|foram) (?:an?|the|one|[oa]s?|uma?)\b"
    r"|(?:means?|meant|refers?|denotes?|describes?|stands for|consists?|serves?|significam?|consistem?|referem?-se"
    r"|designam?|denotam?|representam?|constitu(?:i|em)|correspondem?|servem?|tratam?-se|definem?-se|visam?"
    rf"|compreendem?|{_DOES})\b)",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"\b(?:of|in|for|with|to|by|from|on|at|d[eoa]s?|em|n[oa]s?|para|com|por|pel[oa]s?) (?:(?:the|an?|[oa]s?|uma?) )?$",
    re.IGNORECASE,
)
"""Before a name: what is said then is not said of the thing."""
_SAYS_BEFORE = re.compile(
    r"(?:\(|\b(?:called|known as|termed|named|dubbed|defined?|definition of|meaning of|chamad[oa]s?|chamam(?:os)?"
    r"|chama-se|conhecid[oa]s? (?:como|por)|denominad[oa]s?|denomina(?:-se|m)?|intitulad[oa]s?|definir|define(?:-se|m)?"
    r"|definição de|designad[oa]s? (?:por|como)|entende-se por|nome de))"
    r" ?(?:(?:an?|the|[oa]s?|uma?|de|d[oa]) )?[\"'“‘*`]*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:it (?:is|was) |this is |they are |trata(?:m)?-se de |(?:el[ea]s?|isso|isto) (?:é|são|era|eram) "
    r"|(?:é|são|era|eram) (?=[oa]s? |uma? ))",
    re.IGNORECASE,
)
"""How a sentence opens that says it of what the one before it names."""


def tells_meaning(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the sentence at ``place`` says what the thing is that is asked for; true of other questions, of rows of a
    table, and where an encoder has read both. What comes first under the name of a thing tells what it is in whatever
    words."""
    thing, text = thing_asked_for(query.text), passage.found[place].text
    names = [stem(word, query.language) for word in content_words(thing, query.language)]
    if passage.encoded or not names or is_row(text):
        return True
    said = (at for at, one in enumerate(passage.found) if one.kind not in ("heading", "code"))
    if place <= next(said, 0) and _is_name(names, section_of(passage.evidence), query.language):
        return True
    before = passage.found[place - 1].text if place else ""
    if _GOES_ON.match(text) and any(_places(names, before, query.language)):
        return True
    return any(_says(text[:start], text[end:]) for start, end in _places(names, text, query.language))


def _is_name(names: list[str], section: str, language: Language) -> bool:
    """Whether a heading ends with ``names`` and nothing else: "Operations > Runbook", "threading.Lock"."""
    ends = (content_words(end, language) for end in (section, section.rpartition(".")[2]))
    return any([stem(word, language) for word in words] == names for words in ends)


def _says(before: str, after: str) -> bool:
    """Whether a name between the two parts of a sentence is told by them."""
    is_subject = bool(_PREDICATE.match(after)) and not _OF_ANOTHER.search(before)
    return is_subject or bool(_BESIDE.match(after) or _SAYS_BEFORE.search(before))


def thing_asked_for(question: str) -> str:
    """The thing whose meaning ``question`` asks for, in its words; empty where it asks for something else."""
    found = next((match for pattern in _ASKS if (match := pattern.fullmatch(question))), None)
    return found["thing"] if found else ""


def _places(names: list[str], text: str, language: Language) -> Iterator[tuple[int, int]]:
    """Where ``text`` has all of ``names`` close together and in order."""
    held = [(stem(token.word, language), token.start, token.end) for token in tokens(text)]
    for at, (first, start, _) in enumerate(held):
        if first == names[0]:
            left = names[1:]
            end = held[at][2]
            for word, _, stop in held[at + 1 : at + len(names) + _BETWEEN]:
                if left and word == left[0]:
                    left, end = left[1:], stop
            if not left:
                yield start, end
