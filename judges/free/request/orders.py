"""Orders that no quotation carries out (to summarise, to translate, to write a mail), and what they are about.

The words of an order say what to do with what is found. They are nothing to look for.
"""

import re

from calibrant.state.task import EN, PT, Language

_PLEASE: dict[Language, str] = {
    EN: r"(?:please |(?:can|could|would|will) you |i (?:need|want) you to |now |and )*",
    PT: (
        r"(?:por favor,? |(?:você )?pod(?:e|es|eria|erias|ia|ias) |(?:eu )?(?:quero|preciso) que (?:você )?"
        r"|agora |me |e )*"
    ),
}
_DO: dict[Language, str] = {
    EN: (
        r"(?:summari[sz]e|sum up|translate|paraphrase|rephrase|reword|rewrite|shorten|simplify|condense|compare"
        r"|calculate)\b"
    ),
    PT: (
        r"(?:resum[aei]r?|sintetiz[ae]r?|traduz(?:a|ir)?|parafrase\w+|reescrev\w+|reformul\w+|simplifi\w+|encurt\w+"
        r"|compar[ae]r?|calcul[ae]r?)\b"
    ),
}
"""What is done to what follows."""

_WRITE: dict[Language, str] = {
    EN: (
        r"(?:(?:write|draft|compose|prepare)(?: me| us)?|give (?:me|us)(?= (?:an? |the )(?:[\w-]+ ){0,2}(?:summary|"
        r"translation|overview|analysis|comparison)\b)) (?:an? |the )(?:[\w-]+ ){0,3}?(?:summary|translation|e-?mail"
        r"|mail|letter|message|memo|note"
        r"|text|report|article|essay|poem|story|speech|post|presentation|announcement|paragraph|reply|overview"
        r"|analysis|comparison|proposal|strategy)"
        r"(?=\W*$| (?:about|on|of|to|for|in|from|that|which|\w+ing)\b)"
    ),
    PT: (
        r"(?:(?:escrev[ae]r?|redij[ae]|redig[ei]r?|prepar[ae]r?|elabor[ae]r?|faça|faz|fazer|cri[ae]r?)(?:-me|-nos| me)?"
        r"|(?:d[êá]|dar)(?:-me|-nos| me)?(?= (?:uma? |[oa] )(?:[\w-]+ ){0,2}(?:resumo|tradução|visão geral"
        r"|análise|comparação)\b)) (?:uma? |[oa] )"
        r"(?:[\w-]+ ){0,2}?(?:resumo|tradução|e-?mail|mail|carta|mensagem|memorando|nota|texto|relatório|artigo|poema"
        r"|discurso|apresentação|anúncio|parágrafo|resposta|visão geral|análise"
        r"|comparação|proposta|estratégia)(?: \w+)??"
        r"(?=\W*$| (?:sobre|a|aos?|às?|para|d[aeo]s?|que|\w+ndo)\b)"
    ),
}
"""What is made of what follows behind a word for it."""

_ABOUT: dict[Language, str] = {
    EN: (
        r"\b(?:about|on|of|from|(?:that|which) (?:explain|sa[iy]|describe|tell|summari[sz]e|announce)s?"
        r"(?: \w+(?= (?:that|what|how|when|where|why|who)\b))?|(?:explain|say|describ|tell|summari[sz]|announc)ing)"
        r" (?:that )?"
    ),
    PT: (
        r"\b(?:sobre|d[aeo]s?|que (?:expli(?:que|ca)|dig[ao]|descreva|resuma|anuncie)|(?:explica|dize|descreve|resumi|"
        r"anuncia)ndo) (?:que )?"
    ),
}
_FORM: dict[Language, str] = {
    EN: (
        r"(?:,? (?:from [A-Z]\w+ )?(?:into [A-Z]\w+|(?:in|to) (?:plain |simple )?(?:English|German|French|Spanish"
        r"|Italian|Portuguese|Dutch|Polish|Chinese|Japanese|Korean|Russian|Arabic))\b"
        r"|,? in (?:an? |at most |about )?(?:[\w-]+ ){1,2}(?:words?|sentences?|paragraphs?|lines?|points|bullets)\b,?)"
    ),
    PT: (
        r"(?:,? (?:do \w+ )?(?:para|em) (?:o )?(?:português|inglês|alemão|francês|espanhol|italiano)(?=\W*$)"
        r"|,? em (?:[\w-]+ ){1,2}(?:palavras?|frases?|parágrafos?|linhas?|pontos|tópicos)\b,?)"
    ),
}
"""In which language, or at which length, the thing is wanted."""


def is_order(text: str, language: Language) -> bool:
    """Whether ``text`` wants something made of what is found."""
    return _order(text, language) is not None


def sought(text: str, language: Language) -> str:
    """What to look for to do what ``text`` says: what an order is about, empty where it does not say; else ``text``."""
    found = _order(text, language)
    return _about(text, found, language) if found else text


def query_of(text: str, language: Language) -> str:
    """The query for it, without what is to be written and to whom. A verb alone costs a search nothing: over the 387
    headings of ``tests/documents`` the passage is found as well with "Summarise the rules on ..." as without it, and
    first 318 times by itself (by words alone 345), 298 (314) by "Write a short mail to Jonas that explains ..."."""
    found = _order(text, language)
    return (_about(text, found, language) if found and found["made"] else "") or text


def _order(text: str, language: Language) -> re.Match[str] | None:
    order = rf"\W*{_PLEASE[language]}(?:{_DO[language]}|(?P<made>{_WRITE[language]}))"
    return re.match(order, text, re.IGNORECASE)


def _about(text: str, found: re.Match[str], language: Language) -> str:
    """What stands behind an order; empty where it does not say what it is about."""
    rest = re.sub(_FORM[language], " ", text[found.end() :])
    if found["made"]:
        rest = rest[about.end() :] if (about := re.search(_ABOUT[language], rest, re.IGNORECASE)) else ""
    return " ".join(rest.split()).strip(" ,:;.!?")
