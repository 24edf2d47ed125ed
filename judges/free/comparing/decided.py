"""What was decided: whether a sentence grants or refuses what it speaks of, without a word that denies."""

import re
from collections.abc import Iterable

from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.claim_words import PLAIN_FORCE
from calibrant.judges.free.words.lists import word_set

_REFUSALS = (
    r"(?:reject(?:s|ed)?|declin(?:es|ed)|cancel(?:s|l?ed)?|withdr(?:ew|awn)|abandon(?:s|ed)|scrapped|revoke[sd]"
    r"|repealed|vetoed|overturned|refused(?! to)|turn(?:s|ed) down|call(?:s|ed) off|(?:voted|decided) against"
    r"|decided not to|(?:rejeit|recus|cancel|revog|anul|vet)(?:a|am|ou|aram|ad[oa]s?)|indefer(?:e|em|iu|iram|id[oa]s?)"
    r"|(?:retir|neg|abandon)(?:ou|aram|ad[oa]s?)|desisti(?:u|ram)|vot(?:ou|aram) contra|decidi(?:u|ram) não)"
)
_REFUSED = re.compile(rf"\b{_REFUSALS}\b", re.IGNORECASE)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|been|being|get|gets|got|é|são|foi|foram|sido|fica|ficam|ficou|ficaram|está|estão)"
    rf" (?:\w+ly |now |also |therefore |\w+mente |agora |também |portanto |assim )?{_REFUSALS}\b"
    rf"|\b{_REFUSALS} (?:the|an?|our|all|this|that|these|[oa]s?|ess[ea]|est[ea])\b",
    re.IGNORECASE,
)
"""The refusal as what a sentence says, and not as a part of what it speaks of: "cancelled orders are refunded"."""
_GRANTED = re.compile(
    r"\b(?:approve[sd]?|accept(?:s|ed)?|adopt(?:s|ed)|agree[sd]? to|decide[sd]? to|resolve[sd]? to|grant(?:s|ed)"
    r"|(?:aprov|adot|adopt)(?:a|am|ou|aram|ad[oa]s?)|aceit(?:a|am|ou|aram|o|as?)|defer(?:e|em|iu|iram|id[oa]s?)"
    r"|decid(?:e|em|iu|iram)|concord(?:a|am|ou|aram) em|conced(?:e|em|eu|eram|id[oa]s?))\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:propos\w+|plan(?:s|ned)?|requests?|motions?|appl(?:y|ied|ications?)|ask(?:s|ed)|discuss\w*|consider\w*"
    r"|debat\w+|examin\w+|review\w*|(?-i:may)|might|could|propost\w+|prop(?:õe|us)\w*|propôs|pedidos?|ped(?:iu|iram)|solicit\w+|plano\w*|discuti\w+|pode\w*)\b",
    re.IGNORECASE,
)
"""What leaves open how it was decided."""
DECIDING = word_set(
    """
    approve approved accept accepted adopt adopted agreed decided granted reject rejected refuse refused decline
    declined cancel cancelled canceled withdrawn abandoned scrapped revoked repealed turned called off proposal
    plan plans request motion aprovada aprovado aceita aceito adotada adotado decidido rejeitada rejeitado
    recusada recusado cancelada cancelado revogada revogado retirada retirado indeferida indeferido deferida deferido
    negada negado concedida concedido anulada anulado proposta plano planos pedido
    """
)
"""Words of a question that ask how it was decided: another decision has other words for it."""


def turns(side: Reading) -> bool:
    """Whether its words of refusal turn the sense; two of them turn it twice: rejected the proposal to cancel it."""
    return len(_REFUSED.findall(side.text)) % 2 == 1


def only_refuses(side: Reading, others: Iterable[Word]) -> bool:
    """Whether a sentence says as a plain fact that something is refused or taken back, and ``others``, its words for
    which the other side has none, are all words for that."""
    is_plain = turns(side) and not side.negative and not side.conditional and side.force >= PLAIN_FORCE
    said = (_REFUSED.fullmatch(word.low) or word.low in DECIDING for word in others)
    return is_plain and bool(_PREDICATE.search(side.text)) and all(said)


def refusal_in(side: Reading) -> str:
    """The first words of refusal."""
    found = _REFUSED.search(side.text)
    return found.group().lower() if found else ""


def is_decided(side: Reading) -> bool:
    """Whether it says that something was granted or refused."""
    return bool(_REFUSED.search(side.text) or _GRANTED.search(side.text))


def is_open(side: Reading) -> bool:
    """Whether it only tells what was asked for, or talked about."""
    return not is_decided(side) and bool(_OPEN.search(side.text))
