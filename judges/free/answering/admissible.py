"""What may be given as an answer at all, whatever its score.

It holds the kind of thing that is asked for (``answers_kind``: each rule of it asks for one thing), it says more than
the question does, and of several things with labels (plan B, queue 3) it is about the one that is asked for. That the
question's words occur is not enough. Of the rows of a table ``rows`` chooses.
"""

import re
from collections.abc import Callable

from calibrant.judges.free.answering.comparisons import is_of_the_lesser
from calibrant.judges.free.answering.defaults import tells_default
from calibrant.judges.free.answering.modifiers import is_of_the_other
from calibrant.judges.free.answering.periods import tells_for_period, tells_rate
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.answer_kind import REQUIRED, Expects
from calibrant.judges.free.evidence.holding import holds, holds_role, is_rule_for, tells_where
from calibrant.judges.free.evidence.labels import is_row_of_another, names_another, without_days, without_labels
from calibrant.judges.free.evidence.listings import tells_several, tells_which
from calibrant.judges.free.evidence.matching import is_among, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import is_polar, joined_words
from calibrant.judges.free.words.tables import is_row, name_of
from calibrant.judges.free.words.text import content_stems, stem
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

Rule = Callable[[Query, str], bool]
"""Whether a text may answer a question; true of one that asks for nothing of the kind."""

_A_REASON = 3
"""Words beyond the question's that a sentence has at least, to tell why without a word for it."""

_ASKS_SECTION = re.compile(
    r"\b(?:which|what|qual|que) (?:section|chapter|part|article|document|policy|se[cç]{1,2}ão|capítulo|parte|artigo"
    r"|documento|política)\b",
    re.IGNORECASE,
)
_SUM = re.compile(r"\d\s*[+*×÷^]\s*\d|\d\s+[-/]\s+\d")
_NEW = re.compile(r"(?<=, as for )[^,?]+\?$")
"""What ``judges/free/request/followup.py`` appends where it finds nothing to exchange it for."""
_PLACE = re.compile(
    r"(?:^|(?<=[;:] ))(?:\w+[_ ])?(?:office|branch|site|location|place|address|street|road|city|town|village|country"
    r"|region|district|building|room|hall|port|harbou?r|escritório|filial|local|localidade|morada|endereço|rua|cidade|país"
    r"|região|bairro|edifício|sala|porto)"
    r": [^;]*",
    re.IGNORECASE,
)
"""A cell of a row that names a place: nobody is called by it."""

_DATED = (
    (r"minutes|atas?", r"minutes|meet\w*|met|session|atas?|reuni\w+|reún\w+|sess\w+"),
    (
        r"effective|in force|valid|as of|vigente|em vigor|válid[oa]",
        r"effective|force|valid|appl\w+|begin|start|vig\w+|vál\w+",
    ),
    (r"(?:last )?updated|atualizad[oa]|revision|revisão", r"updated?|atuali\w+|revis\w+"),
    (r"version|edition|issue|draft|versão|edição|minuta", r"version|edition|issued?|draft|versão|edição|minuta"),
    (r"memo|circular|notice|dated?|data", r"memo|circular|notice|dated|written|sent|escrit\w+|enviad\w+"),
)
"""Words by which a document says of itself what it is and when it is from, each with those that ask for it."""
_DATELINE = re.compile(
    rf"(?:[^:.]{{1,60}}: )?\b(?:{'|'.join(own for own, _ in _DATED)})\b:?[^.:]{{0,80}}?\b(?:19|20)\d\d\b", re.IGNORECASE
)
"""A line that tells that: "MINUTES OF THE COMMITTEE, 4 MARCH 2026 Present: ..."."""
_NEXT = re.compile(r"\b(?:next|upcoming|coming|próxim[oa]s?)\b", re.IGNORECASE)
_ASKS_SETTING = re.compile(
    r"\b(?:what|which|qual|que) (?:[^\W\d_]+[ -]){0,2}"
    r"(?:setting|flag|parameter|(?:environment |env )?variable|parâmetro|variável)\b",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"\b\w+(?:[._]\w+)+|(?<!\w)--?[a-z][\w-]*|[`\"'“‘][^`\"'”’]{1,60}[`\"'”’]|\b[a-z]+[A-Z]\w*|\b[A-Z][A-Z\d_]{3,}\b"
    r"|(?:^|(?:> |; |: ))[a-z][\w-]*: "
)
"""What the name of a setting looks like: in code or quotes, with a dot or a dash before it, or before its value."""
_OPTION = re.compile(r"--?[A-Za-z][\w-]*(?=[\s,:=<\[])")
"""The option of a command that an entry begins with."""
_ASKS_WHERE = re.compile(r"\W*(?:and |but |so |e )?(?:from |to |de |para )?(?:where|onde|aonde)\b", re.IGNORECASE)
_WHEREABOUTS = re.compile(
    r": \S|[/@]|\b(?:to|into|onto|via|by|through|along|across|around|against|here|there|everywhere|nowhere|online"
    r"|abroad|upstairs|downstairs|para|aos?|à|pel[oa]s?|aqui|ali|lá)\b",
    re.IGNORECASE,
)
"""What tells where without a word for inside or beside: the cell of a row, a path, an address, a direction."""
_AMOUNT = re.compile(
    r"(?:^|(?<=; ))[^:;]{1,60}: "
    r"(?:[<>~≤≥]? ?\d[\d.,]*(?: ?[^\W\d_]+| ?[%€$£])?|yes|no|none|free|unlimited|sim|não|-|—)(?=;|$)",
    re.IGNORECASE,
)
"""A cell with an amount: no place."""
_ASKS_INSTEAD = re.compile(
    r"\b(?:instead of|(?:replacement|substitute|alternative)s? (?:for|to|of)|in place of|em (?:vez|lugar) d[eo]"
    r"|no lugar d[aeo]s?|substitut[oa]s? d[aeo]s?)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:instead|replac\w+|substitut\w+|supersed\w+|alternative\w*|switch\w*|rather|prefer\w*|recommend\w*|use[ds]?"
    r"|using|now|choose|chose|renam\w+|formerly|previously|(?:was|were|been) (?:named|called)|substitu\w+|troc\w+"
    r"|prefer\w+|recomend\w+|us[ae]\w*|agora|renome\w+|anteriormente)\b|\bin (?:favou?r|place) of\b",
    re.IGNORECASE,
)
"""What tells of one thing in another's place."""
_STATES = re.compile(r"\b(?:is|are|was|were|be|has|have|had|will|must|may|é|são|foi|foram|será|tem|deve|pode)\b")


def answers_kind(query: Query, text: str) -> bool:
    """Whether ``text`` holds what the question wants, where that can be told from the form. Who does a thing is told by
    a role, or by a rule for everybody, as well as by a name."""
    if not all(rule(query, text) for rule in _RULES):
        return False
    if query.expects is Expects.PERSON and (holds_role(text, query.asked) or is_rule_for(query.text, text)):
        return True
    told = _without_others(query, text)
    return all(rule(query, told) for rule in _RULES_OF_KIND)


def _without_others(query: Query, text: str) -> str:
    """``text`` without what looks like the kind of thing that is asked for and is none: labels are no amounts, and
    months nobody's names."""
    if query.expects is Expects.NUMBER:
        return without_labels(text, query.asked)
    if query.expects is Expects.PERSON:
        return without_days(_without_places(text))
    return without_days(text) if query.expects is Expects.BODY else text


def _holds_kind(query: Query, text: str) -> bool:
    """Whether ``text`` holds the kind of thing that the question wants, if a sentence without one is no answer to it.

    A Portuguese why is answered only in words of reason: without an encoder little else tells such an answer apart. So
    is "why?" after an answer: the old one would answer it again.
    """
    reason = query.expects is Expects.REASON and (joined_words(query.text) or query.language is Language.PORTUGUESE)
    return not (reason or query.expects in REQUIRED) or holds(query.expects, text, query.asked)


def _tells_instead(query: Query, text: str) -> bool:
    """Whether ``text`` tells of one thing in another's place, where the question asks for that."""
    return not _ASKS_INSTEAD.search(query.text) or bool(_INSTEAD.search(text))


def _dates_what_is_asked(query: Query, text: str) -> bool:
    """Whether ``text`` tells more than when its document is from, where the question asks when something else is."""
    line = _DATELINE.match(text) if query.expects in (Expects.DATE, Expects.WHEN) else None
    if line is not None and _NEXT.search(query.text):
        return bool(_NEXT.search(text))
    if line is None or _STATES.search(text) or holds(query.expects, text[line.end() :], query.asked):
        return True
    asking = (asks for own, asks in _DATED if re.search(rf"\b(?:{own})\b", line[0], re.IGNORECASE))
    return any(re.search(rf"\b(?:{asks})\b", query.text, re.IGNORECASE) for asks in asking)


def _tells_place(query: Query, text: str) -> bool:
    """Whether ``text`` says where, if that is asked for: by a word before a place, or by a name ("He attended Brown").
    "Where?" after an answer takes such a word: any name would answer it."""
    if joined_words(query.text) and query.expects is Expects.PLACE and not tells_where(text):
        return False
    if not _ASKS_WHERE.match(query.text):
        return True
    text = _without_amounts(text)
    return tells_where(text) or bool(_WHEREABOUTS.search(text)) or holds(Expects.PLACE, text, query.asked)


def _without_amounts(text: str) -> str:
    """``text`` without the cells that hold nothing but an amount or a yes or no, where it is the row of a table: they
    tell no place. Neither does a heading before a row with a name."""
    above, _, row = text.partition(": ")
    text = row if ";" not in above and name_of(row) else text
    return _AMOUNT.sub("", text) if is_row(text) else text


def names_setting(query: Query, text: str) -> bool:
    """Whether ``text`` has something that looks like the name of a setting, where the question asks which one."""
    if not _ASKS_SETTING.search(query.text):
        return True
    asked = query.text.casefold()
    names = (match.group().strip("`\"'“”‘’") for match in _SETTING.finditer(text))
    return any(name.endswith(": ") or name.casefold() not in asked for name in names)


def _says_what_is_new(query: Query, text: str) -> bool:
    """Whether ``text`` speaks of what a follow-up adds to the question before ("..., as for a dog?"), if it does."""
    new = _NEW.search(query.text)
    terms = [term for term, start, _ in query.spans if new and start >= new.start()]
    held = keys(text, query.language)
    return not terms or any(is_among(term, held) for term in terms)


def _without_places(text: str) -> str:
    """``text`` without the cells that name a place, where it is the row of a table."""
    return _PLACE.sub("", text) if is_row(text) else text


def answers_above(query: Query, heading: str, text: str) -> bool:
    """Whether what is asked for stands in the heading and not below: a version, a day, the section."""
    if _ASKS_SECTION.search(query.text):
        return True
    return not answers_kind(query, text) and answers_kind(query, heading)


def is_of_another(query: Query, item: Evidence, text: str) -> bool:
    """Whether ``text`` with what stands above it tells only of another plan, queue or startup than the one asked for,
    of the first train for the last, or of the second of two that are compared. Its score knows of the former too, but
    where everything else fits, as in "the CEO of Startup C", not enough."""
    above = line_above(item)
    other = any(is_of_the_other(query.text, said, query.language) for said in (text, f"{above}: {text}"))
    other = other or (not is_polar(query.text) and is_row_of_another(query.text, text)) or is_of_the_lesser(query, text)
    return other or names_another(query.text, f"{above} {text}")


def tells_more(query: Query, text: str) -> bool:
    """Whether ``text`` says anything beyond what is asked: "Version 1 of the API." does not say when it ends. A reason
    takes more than a word or two, unless it is told as one; a number may be the word "one", which else says nothing."""
    asked = {stem(word, query.language) for word in query.asked}
    more = content_stems(text, query.language) - asked
    if query.expects is Expects.REASON and len(more) < _A_REASON:
        return holds(Expects.REASON, text, query.asked)
    tells = bool(more) or (query.expects is Expects.NUMBER and holds(Expects.NUMBER, text, query.asked))
    tells = tells or _names_option(query, text)
    return is_polar(query.text) or (tells and not _is_sum(query))


def _names_option(query: Query, text: str) -> bool:
    """Whether an entry tells which option does what the question says in its words: "-L, --follow: Follow links"."""
    option = _OPTION.match(text)
    return option is not None and option.group() not in query.text


def _is_sum(query: Query) -> bool:
    """Whether the question is to be worked out, and no document answers it but by chance: "What is 2+2?"."""
    return bool(_SUM.search(query.text)) and not any(term.word.isalpha() for term in query.terms)


_RULES: tuple[Rule, ...] = (
    _says_what_is_new,
    _dates_what_is_asked,
    names_setting,
    tells_default,
    tells_rate,
    tells_several,
    tells_which,
)
_RULES_OF_KIND: tuple[Rule, ...] = (_tells_place, tells_for_period, _tells_instead, _holds_kind)
