"""What stands under a code that heads a section ("K-1042"), where the question asks what that means or what to do: the
section tells it, in whatever words."""

import re
from collections.abc import Sequence

from calibrant.judges.free.evidence.above import section_of
from calibrant.judges.free.evidence.procedures import LONGEST
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.sentences import Sentence
from calibrant.state.evidence import Evidence

CODE = re.compile(r"(?<![\w.-])(?:[A-Za-z]{1,10}[-_]?\d{3,}|[A-Z]{2,10}[-_][A-Z]*\d+)(?![\w-]|\.\d)")
"""A code as errors, alarms and rules have: K-1042, E0308, ORA-00942, SEV-1."""
_SAYS_NO_MORE = word_set(
    "error errors code codes fault faults alarm alarms alert alerts message messages status exception warning incident "
    "mean means meaning stand stands say says tell tells cause causes caused reason fix fixed solve solved resolve "
    "resolved repair handle clear happen happens happened get gets got getting see shows show appear appears occur "
    "occurs deal react erro erros código alarme alarmes alerta mensagem aviso falha significa causa resolver resolvo "
    "corrigir corrijo tratar aparece acontece"
)
"""Words beside a code that ask for nothing but what it is and what is to be done."""


def told_under_code(query: Query, item: Evidence, found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The first sentences under the heading of a passage, as many as may be quoted, where that heading has the code
    that is all that the question asks about. Empty otherwise."""
    codes = {code.lower() for code in CODE.findall(query.text)}
    own = {code.lower() for code in CODE.findall(section_of(item))}
    if len(codes) != 1 or not codes <= own or not found or found[0].kind != "heading":
        return ()
    if any(not _is_of(term.word, codes) for term in query.terms if term.word not in _SAYS_NO_MORE):
        return ()
    body = [one for one in found if one.kind != "heading"]
    return tuple(one for one in body if one.end - body[0].start <= LONGEST)


def _is_of(word: str, codes: set[str]) -> bool:
    """Whether a word is a code, or a piece of one as words are told apart."""
    return any(word in code for code in codes)
