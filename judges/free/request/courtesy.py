"""What is said to whoever is there, and asks nothing of the sources: "hello", "thanks, that helps", "what can you do?".

Only where nothing else is left of the request: "Thanks to whom was the bridge built?" is a question.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from calibrant.judges.free.words.text import fold
from calibrant.state.task import EN, PT, Language


class Said(StrEnum):
    """What is said."""

    GREETING = "greeting"
    THANKS = "thanks"
    FAREWELL = "farewell"
    ABOUT = "about"
    """A question about the one who is asked, not about what the sources say."""
    AGREED = "agreed"


@dataclass(frozen=True)
class Courtesy:
    """What is said, and in which language."""

    said: Said
    language: Language


_PHRASES: dict[Language, dict[Said, str]] = {
    EN: {
        Said.GREETING: (
            r"(?:hello|hi|hiya|hey)(?: there)?|greetings|good (?:morning|afternoon|evening|day)"
            r"|how are you(?: doing)?(?: today)?|(?:nice|pleased) to meet you"
        ),
        Said.THANKS: (
            r"(?:(?:many )?thanks|thank you|thx)(?: a lot| a million| so much| very much)?(?: in advance)?"
            r"(?: for (?:(?:all )?(?:your|the) \w+|that|this|\w+ing(?: (?:it|that|this))?))?|cheers|much appreciated"
            r"|i(?: really)? appreciate (?:it|that)|(?:that|this|it) (?:really )?help(?:s|ed)(?: me)?(?: a lot)?"
            r"|(?:(?:that|this|it)(?:'s| is| was) )?(?:very|really|so) (?:helpful|useful)"
            r"|that(?:'s| is| was) (?:helpful|useful|great|perfect)|well done|good (?:job|answer)"
            r"|(?:that|this|it) (?:answer|explain|clarifie|solve)(?:s|d|ed) (?:it|that|everything|my questions?)"
            r"|(?:(?:that|this|it)(?:'s| is| was)|(?:i(?:'ve| have)? )?got)(?: exactly| just)? (?:what|all|everything)"
            r" i (?:need(?:ed)?|wanted|was looking for)(?: to know)?"
        ),
        Said.FAREWELL: (
            r"bye|good ?bye|good night|see (?:you|ya)(?: later| soon| tomorrow)?|take care"
            r"|have a (?:nice|good|great) (?:day|evening|night|weekend|one)|that(?:'s| is| will be|'ll be) all"
        ),
        Said.ABOUT: (
            r"what can you (?:do(?: for me)?|help (?:me )?with)|who are you|what are you|how can you help(?: me)?"
            r"|can you help(?: me)?|what can i ask(?: you)?|help"
        ),
        Said.AGREED: (
            r"ok(?:ay)?|al(?:l )?right|got it|i see|understood|great|perfect|excellent|wonderful|awesome|cool|nice|good"
            r"|yes|yep|yeah|no|nope|sure|of course|sorry|never ?mind|no problem|fine"
            r"|(?:that |this |it )?(?:makes sense|sounds good)"
        ),
    },
    PT: {
        Said.GREETING: (
            r"oi|ola|boas|bom dia|boa (?:tarde|noite)|tudo (?:bem|bom)(?: com voce| contigo)?|como (?:vai|esta) voce"
            r"|como estas|prazer em conhece-lo"
        ),
        Said.THANKS: (
            r"(?:(?:muito )?(?:obrigad(?:[oa]|inh[oa]|issim[oa]|ao)|grat[oa]|agradecid[oa])|brigad(?:[oa]|ao)"
            r"|valeu|agradeco)"
            r"(?: (?:pel[oa]s?|a)(?: [st]ua)? (?:ajuda|respostas?|informac(?:ao|oes)|explicac(?:ao|oes)|dicas?|atencao"
            r"|esclarecimentos?|tempo)| por (?:tudo|ajudar|explicar|responder))?(?: desde ja| na mesma| mesmo assim)?"
            r"|(?:isso |isto )?(?:me )?ajudou(?:-me)?(?: muito| bastante| imenso)?|(?:isso|isto) (?:me )?ajuda(?:-me)?"
            r"(?: muito| bastante| imenso)?|(?:foi |e )?muito util|bom trabalho"
            r"|(?:isso|isto) mesmo|era (?:isso|isto)(?: mesmo)?"
            r"|(?:(?:isso|isto) )?(?:ja )?respond(?:e|eu) a minha (?:pergunta|duvida)"
            r"|era (?:(?:mesmo|so) )?o que (?:eu )?(?:precisava|queria)(?: (?:de )?saber)?"
        ),
        Said.FAREWELL: (
            r"tchau|adeus|ate (?:logo|mais|breve|amanha|ja|a proxima)|(?:tenha )?um bom dia"
            r"|(?:(?:tenha )?um )?bom fim de semana"
            r"|(?:era|e) so (?:isso|isto)|(?:isso )?e tudo|era tudo"
        ),
        Said.ABOUT: (
            r"o que (?:e que )?(?:voce (?:pode|sabe|consegue)|podes|sabes|consegues) fazer(?: por mim)?"
            r"|quem (?:e voce|es(?: tu)?)|em que (?:voce )?(?:me )?podes? (?:me )?ajudar(?:-me)?"
            r"|como (?:voce )?pode me ajudar|como (?:pode|podes) ajudar-me|como me podes ajudar"
            r"|(?:voce )?pode me ajudar|podes? ajudar-me|o que (?:eu )?posso (?:te |lhe )?perguntar|ajuda"
        ),
        Said.AGREED: (
            r"ok(?:ay)?|certo|(?:ja )?(?:entendi|percebi|compreendi)|entendido|percebido|compreendido"
            r"|perfeito|otimo|excelente|maravilha"
            r"|beleza|fixe|legal|show|muito bem|esta bem|combinado|sim|nao|claro|desculp[ae]"
            r"|(?:isso |isto )?faz sentido|deixa(?: la| pra la)?"
        ),
    },
}
_BESIDE: dict[Language, str] = {
    EN: r"again|all|everyone|calibrant|well|for (?:now|today)|please",
    PT: r"a todos|calibrant|bem|por (?:agora|hoje|favor)",
}
"""What may stand beside such words, and says nothing by itself."""

_BETWEEN = r"[^\w\"'“”‘«»`(\[{</\\@#$%&*+=|^]"
"""What may stand between them: punctuation, also a smile; not what quotes, nor what makes code of a word."""

_SMILE = r"[^\w\x00-\x7f“”‘’«»]"
"""What may stand before them."""
_AND = {EN: "and", PT: "e"}

LONGEST = 120
"""Characters: nobody is greeted at more length."""


def _whole(language: Language) -> re.Pattern[str]:
    phrases = "|".join((*_PHRASES[language].values(), _BESIDE[language]))
    return re.compile(rf"(?:{_SMILE}+ ?)?(?:(?:{phrases})(?:{_BETWEEN}+(?:(?:{_AND[language]}) (?!$))?|$))+")


_WHOLE = {language: _whole(language) for language in _PHRASES}
_KINDS = {
    language: {said: re.compile(rf"\b(?:{phrases})\b") for said, phrases in table.items()}
    for language, table in _PHRASES.items()
}


def courtesy(text: str, language: Language) -> Courtesy | None:
    """What ``text`` says, if that is all it says. ``language``: the one to take where the words are of both."""
    plain = " ".join(fold(text.lower()).replace("’", "'").split())
    if len(plain) > LONGEST:
        return None
    for known in sorted(_PHRASES, key=lambda one: one is not language):
        said = _said(plain, known)
        if said is not None:
            return Courtesy(said, known)
    return None


def _said(plain: str, language: Language) -> Said | None:
    """What is said first; "ok" only where nothing else is. Only two of these may be asked: "Great?" is a question."""
    if not _WHOLE[language].fullmatch(plain):
        return None
    found = {said: match.start() for said, kind in _KINDS[language].items() if (match := kind.search(plain))}
    if "?" in plain and not found.keys() & {Said.GREETING, Said.ABOUT}:
        return None
    return min(found, key=lambda said: (said is Said.AGREED, found[said]), default=None)
