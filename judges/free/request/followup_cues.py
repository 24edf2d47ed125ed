"""The words by which a follow-up is known: openings, pronouns, and questions that are nothing without another."""

import re

from calibrant.judges.free.request.phrases import PREPOSITIONS
from calibrant.judges.free.request.question_words import BEFORE
from calibrant.state.task import EN, PT, Language

VERBAL: dict[Language, str] = {
    EN: (
        r"^(?:what|whom?|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have|"
        r"find|list|show)\b(?!['’]t (?!(?:i|you|we|they|he|she|it|there|this|that|the|my|our|your|an?)\b))"
    ),
    PT: (
        r"^(?:o que|qual|quais|quem|quando|onde|aonde|por ?qu[eê]|como|quant[oa]s?|devo|devemos|posso|podemos|pode-se"
        r"|é|são|há|tem|existe|existem|liste|mostre|a partir de quando"
        r"|(?:a|até|com|de|desde|em|para|por) (?:que|(?<!para )quem|qual|quais|quando|onde|quant[oa]s?))\b"
    ),
}  # fmt: skip
"""A part that is a question by itself, however it is joined to the one before."""


def opens_question(text: str, language: Language) -> bool:
    """Whether ``text`` begins as a question does by itself."""
    return re.match(VERBAL[language], text.lower()) is not None


CONTINUES: dict[Language, str] = {
    EN: r"^(?:(?:but|also|then)[,.!]? +)*(?:what about|how about|and what about|and)\b[,:]? *",
    PT: r"^(?:mas[,.!]? +)*(?:e (?:quanto (?:a|aos?|às?)|sobre)|e se for|que tal|e)\b[,:]? *",
}
"""Openings that carry on from the question before."""

_PAUSE = r"(?:[,.!;:…]+| [-–—])"
CORRECTS: dict[Language, str] = {
    EN: (
        rf"^(?:(?:no|nope|not that(?: one)?|wait|rather|correction|my (?:mistake|bad)|i misspoke){_PAUSE} *"
        rf"|(?:no(?= (?:i|sorry|actually|rather)\b)|sorry|oops|actually|or rather){_PAUSE}? +"
        rf"|(?:what )?i (?:actually |really )?(?:mean(?:t)?|was asking|am asking|wanted to know|asked)"
        rf"(?: (?:to (?:say|ask|write)|was|is))?(?: (?:about|for)\b)?{_PAUSE}? +"
        rf"|not (?!only\b)[^,;?]{{1,60}}?(?:[,;] *(?:but +)?| but +)(?! |{VERBAL[EN][1:]}))+"
    ),
    PT: (
        rf"^(?:(?:não|nada disso|espera|espere|ou melhor|melhor dizendo|correção){_PAUSE} *"
        rf"|(?:não(?= (?:eu|quis|queria|desculpe?|na verdade)\b)|desculpe?|desculpa|perdão|na verdade|aliás){_PAUSE}? +"
        rf"|(?:o que )?(?:eu )?(?:quis|queria|quero|quer) dizer(?: (?:era|foi|é))?{_PAUSE}? +"
        rf"|não (?!só\b|é\b)[^,;?]{{1,60}}?(?:[,;] *(?:mas +)?| mas +)(?! |{VERBAL[PT][1:]}))+"
    ),
}
"""Openings of somebody who was misunderstood, or misspoke: what follows was meant in place of what was said."""

IN_PLACE: dict[Language, str] = {
    EN: r"(?:, +(?:and +)?not [^,;?]+|,? +instead(?: of [^,;?]+)?|,? +rather than [^,;?]+)\W*$",
    PT: r"(?:, +(?:e )?não [^,;?]+|,? +em vez (?:disso|d[eoa]s? [^,;?]+))\W*$",
}
"""The same behind what was meant: "France, not Germany", "France instead"."""

AGAIN: dict[Language, str] = {
    EN: (
        r"^(?:really|are you (?:really |quite |absolutely )?(?:sure|certain)(?: (?:about|of) (?:that|it|this))?"
        r"|is (?:that|this|it) (?:really )?(?:right|correct|true|so)|(?:sorry|pardon|what was that)"
        r"|(?:no, +)?(?:that|this|it)(?:['’]s| is) (?:wrong|incorrect|not (?:right|correct|true))|(?:no, +)?(?:that|it)"
        r" (?:can['’]?t|cannot) be (?:right|correct|true)"
        r"|(?:(?:can|could|would) you )?(?:please )?(?:repeat|check|confirm|verify|say) (?:that|it|this)(?: again)?)"
        r"(?:,? please)?\W*$"
    ),
    PT: (
        r"^(?:(?:você )?te(?:m|ns) (?:mesmo )?(?:a )?certeza(?: disso)?|(?:a )?sério|(?:é )?(?:mesmo|verdade)"
        r"|(?:não, +)?(?:isso )?(?:está errado|não (?:está certo|é verdade))"
        r"|isso (?:está|é) (?:certo|correto|verdade)|(?:está|é) (?:certo|correto)|perdão|como disse"
        r"|(?:podes? |pode me )?(?:repetir?|repita|confirmar?|confirme)(?: isso)?)(?:,? por favor)?\W*$"
    ),
}
"""What asks for nothing but the question before, once more."""

ALL_OF_THEM: dict[Language, str] = {
    EN: (
        r"^(?:(?:(?:can|could) you )?(?:please )?compare (?:them|the two|both|all|these|those)(?: of them)?"
        r"|(?:what about )?(?:both|all)(?: of them)?"
        r"|which (?:one |of (?:them|the two|these|those) )?(?:is|are|was) (?:the )?(?:(?:more|most|less|least) \w+"
        r"|\w+(?:er|est)|worse|worst|best)(?: one)?(?: of (?:them|the two|all))?"
        r"|what(?:['’]s| is) the difference(?: between (?:them|the two|both|these|those))?"
        r"|(?:how (?:much|many) (?:is|are|would|will|do|does) (?:that|it|this|they|both|the two|these|those|all)"
        r"(?: of them)?(?: be| come to| cost| make| have)? )?"
        r"(?:both )?(?:together|altogether|in (?:total|all)|combined))"
        r"(?:,? (?:then|please))?\W*$"
    ),
    PT: (
        r"^(?:(?:pode |podes )?(?:compar[ae]|comparar)(?:-[oa]s| (?:os dois|as duas|ambos|ambas|todos|todas))"
        r"|(?:ambos|ambas|os dois|as duas|todos|todas)"
        r"|qual (?:(?:deles|delas|dos dois|das duas) )?(?:é|foi|fica) (?:[oa] )?"
        r"(?:(?:mais|menos) \w+|melhor|pior|maior|menor)(?: (?:deles|delas|dos dois|das duas))?"
        r"|qual (?:é )?a diferença(?: entre (?:eles|elas|os dois|as duas|ambos|ambas))?"
        r"|(?:quanto (?:é|são|custa|custam|fica|ficam|dá|dão)(?: (?:isso|isto|tudo|os dois|as duas|ambos|ambas))? )?"
        r"(?:juntos|juntas|ao todo|no total|tudo junto))(?:,? por favor)?\W*$"
    ),
}
"""What is asked of the things that the questions before were asked of, one in place of another."""

SAME_AMOUNT: dict[Language, str] = {
    EN: (
        rf"^how much (?:is|was|would|will|does) (?:that|this|it)(?: be| cost| come to| make)? "
        rf"(?P<case>(?!in (?:total|all)\b){PREPOSITIONS[EN]} .+)"
    ),
    PT: rf"^quanto (?:é|fica|custa|dá|seria|custaria) (?:(?:isso|isto) )?(?P<case>(?!no total\b){PREPOSITIONS[PT]} .+)",
}
AMOUNT: dict[Language, str] = {
    EN: r"\b(?:how much|costs?|price|fee|rate|charge|rent)\b",
    PT: r"^quanto\b",
}
"""The amount that was asked for, asked for in another case ("how much is that for four days?")."""

SUBJECT_PRONOUNS = {
    EN: r"(?:it|they|them|that|this|those|these|there(?=\W*$))",
    PT: r"(?:ele|ela|eles|elas|isso|isto|aquilo|lá(?=\W*$))",
}
PERSONAL = {EN: r"he|she|him|his|her", PT: r"ele|ela|dele|dela"}
THINGS = {EN: r"it|its|this|that", PT: r"isso|isto|aquilo|disso|disto|daquilo"}
POSSESSIVES = {EN: r"(?:its|their|his|her)", PT: r"(?:dele|dela|deles|delas|disso|disto|daquilo)"}

_GOES_ON = r"(?=[^?.;!]*\b(?:to|that|if|when|since)\b)"
EXPLETIVE: dict[Language, str] = {
    EN: (
        r"\bhow far is it(?= (?:from .+ )?to )|"
        r"\b(?:is|was|does|did|will|would|can|could|has|might|may)(?:n't)? it (?:(?:rain|snow|matter)\b|"
        r"worth \w+ing\b|(?:be |been )?(?:take|possible|safe|true|ok|okay|legal|necessary|better|best|worth|mean|make "
        r"sense|cost|an?|the|that|called|important|likely|common|considered|illegal|bad|good|easy|hard|"
        r"difficult|allowed|permitted|forbidden|prohibited|required|compulsory|mandatory|cheaper|enough)"
        rf"\b{_GOES_ON}|(?:be|been) (?:\w+ )?(?:that|since)\b)|"
        r"\bis it (?:written|stated|said) that\b|"
        r"\bit (?:is|was|takes|took|would)\b|\bit's\b|"
        r"\b(?:is|are|was|were|be|been) there\b|"
        r"\b(?:this|that|these|those)(?! (?:is|are|was|were|works?|means?|do|does|happens?|raises?|returns?|"
        r"fails?|apply|applies|include|exclude|cover|contain|require|belong|happen|depend|expire|affect|"
        r"and|or|in|with|for|on|to|from)\b)(?=\s+[\w'-])"
    ),
    PT: r"\b(?:isso|isto) (?:é|significa) que\b",
}
"""Words like pronouns that stand for nothing said before: "is it possible to", "that" before a clause, "these words".
Where no clause follows, "it" stands for a thing: "is it possible?", "what does it cost?"."""

POINTING: dict[Language, str] = {
    EN: (
        r"\b(?:is|are|was|were|do|does|did|can|could|will|would|should|must|has|have)(?:n't)? "
        r"(?:this|that|these|those)\b|\b(?:this|that|these|those)\W*$"
        r"|\b(?:of|between) (?:the two|them|these|those)\b|\bwhich one\b"
        r"|\b(?:either|neither|both)\b(?! (?:[\w-]+ ){1,3}(?:and|or|nor)\b)"
        r"|\bthe (?:others?|other ones?|former|latter|same(?: ones?)?|(?:first|second|third|last) one)\b"
        r"|\b(?:what|who|where|how|which|anything|anyone|nothing|nobody) else\b|\bthen\W*$|\binstead\b(?! of\b)"
        r"|(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been )\bthere\b"
        r"(?! (?:is|are|was|were|will|has|have|can|may|must)\b)"
    ),
    PT: (
        r"\b(?:[dn]?ess[ea]s?|[dn]?aquel[ea]s?)\b|\b[dn]?(?:isso|isto|aquilo)\W*$"
        r"|\b(?:dos dois|das duas|deles|delas|ambos|ambas|nenhum dos|nenhuma das)\b"
        r"|\b[dn]?[oa]s? (?:outr|mesm|últim)[oa]s?\W*$"
        r"|\b(?:que|quem|o que|onde|algo|alguém) mais\W*$|\b(?:lá|ali|então)\W*$"
    ),
}
"""Words that point to what was said before, alone or with a noun ("is that enough?", "does that rule apply?", "which of
the two?", "what does it cost there?"): words alone do not tell which."""

TAKES: dict[Language, str] = {
    EN: r"\bdoes it take\W*$|\b(?:i|we|you|they|one|to) do (?:that|this|it|so)\b",
    PT: r"\b(?:isso|isto) (?:demora|leva)\W*$|\b(?:faço|faz|fazemos|fazem|fazer) (?:isso|isto)\b",
}
"""What is asked of what somebody does, not of a thing."""

SUBJECTLESS = re.compile(
    r"(?:(?:até |desde |de |a partir de )?quando|onde|como|(?:por |há )?quanto(?: tempo)?|quantas vezes"
    r"|(?:a|até) que horas|com que frequência|em que dias?|por ?qu[eê])(?: é que)?\s+"
    r"(?:(?:se )?(?!é\b)\w+(?: (?:por|ao|à) (?:hora|dia|noite|semana|mês|ano|pessoa))?"
    r"|(?:é|são|está|estão|foi|foram) \w+(?:[aií]d|pag|fech|feit|abert|escrit)[oa]s?)\W*"
    r"|(?:é|são|está|estão|foi|foram|será|pode ser) \w+\W*|(?:posso|podemos|devo|devemos)\W*",
    re.IGNORECASE,
)
"""A Portuguese question of a verb alone: nothing says whose ("quanto custa?", "é permitido?")."""

OBJECT_PRONOUN: dict[Language, str] = {
    EN: r"(?!)",
    PT: r"(?P<before>(?:.* )?(?:quem|onde|quando|como|quanto|não|já|se|de|que)) [oa]s? (?P<verb>\w{3,})\W*",
}
"""A Portuguese question with a pronoun before the verb that it ends in ("quem a cobra?")."""

CLAUSE: dict[Language, str] = {
    EN: r"^(?:i|you|we)(?:['’](?:m|re|ve|d|ll))?\s",
    PT: (
        r"^(?:[oa]s?|uma?|meus?|minhas?|noss[oa]s?|seus?|suas?|est[ea]s?|ess[ea]s?) (?:[\w-]+ ){1,4}?"
        r"(?:é|são|está|estão|foi|foram|tem|têm|pode|podem|deve|devem|precisa|precisam|vai|vão|paga|pagam|abre|abrem|fecha"
        r"|fecham|custa|custam|aceita|aceitam|funciona|funcionam)\b"
    ),
}
"""What has its subject first ("I need a permit?", "os irmãos têm desconto?"), and so stands by itself."""

CONDITION: dict[Language, str] = {
    EN: r"^(?:if|when|whenever|unless|while|once|until|in case)\b[^,?]+, +",
    PT: r"^(?:se|quando|caso|enquanto|assim que)\b[^,?]+, +",
}
"""A condition before what is asked: "if I am late, what do I pay?"."""

ACTION_BEFORE: dict[Language, str] = {
    EN: (
        r"\b(?:i|you|we|they|to|can|not|n't|me|please|just|ever|never|who|what|which|how|how (?:many|"
        r"much))\s+(?:\w+ly\s+)?$|^$"
    ),
    PT: r"\b(?:eu|você|nós|se|para|não|me|posso|devo|como|favor|quem|qual|quais|que|quant[oa]s?)\s+$|^$",
}
"""Before a verb: what follows these names nothing, so a pronoun after it stays unexplained ("how do I avoid it")."""

ELLIPTIC: dict[Language, str] = {
    EN: (
        r"^(?:why(?: not| so| (?:is|was) (?:that|this)(?: so)?)?|(?:when|where) was that|"
        r"how(?: so| come| (?:long|often|much|many|far|old|big))?|"
        r"for example|an? (?:short |simple )?example|examples?|"
        rf"{BEFORE}"
        r"(?:when|where|whom?|whose|what|which(?: ones?)?|(?:what|which) (?:time|days?|dates?|years?|months?)|"
        r"how (?:many|much) [\w-]+)|"
        r"(?:can you |could you |please )*(?:give|show)(?: me)? (?:an? |some |one )?(?:short |simple |more |"
        r"other )*examples?|"
        r"more(?: details?)?|go on|continue|tell me more|explain(?: more| further| that)?|"
        r"elaborate|in short)\W*$"
    ),
    PT: (
        r"^(?:por ?qu[eê](?: não)?|(?:por ?qu[eê]|quando|onde) foi (?:isso|isto)|como(?: assim)?|"
        r"(?:por |há |de |em |durante )?quant[oa]s?(?: (?:tempo|vezes|dias|meses|anos|horas))?|"
        r"de quanto em quanto tempo|(?:a|até|a partir de|com|de|em|para) (?:que|quais|qual) \w+|"
        r"(?:(?:desde|até|a partir de|de|para|por|com|em|a) )?(?:quando|onde|aonde|quem|qual(?: deles| delas)?)|"
        r"por exemplo|(?:um )?exemplos?|"
        r"(?:me )?(?:dê|mostre)(?: me)? (?:um |alguns |outro )?exemplos?|mais(?: detalhes)?|continue|"
        r"explique(?: melhor)?|resumindo)\W*$"
    ),
}
"""Questions that are nothing without the one before."""

MANNER: dict[Language, str] = {
    EN: r",? *\b(?:step by step|briefly|in (?:more )?detail|in short|exactly|precisely|please|instead(?! of\b))\b",
    PT: r",? *\b(?:passo a passo|resumidamente|em (?:mais )?detalhes?|em resumo|exatamente|precisamente|por favor)\b",
}
"""How a reply is wanted, or that something else is: no word of what it is about."""

PERSON = re.compile(r"[A-ZÀ-Þ][\w'’.-]+(?: (?:d[aeo]s? |van |von |de )?[A-ZÀ-Þ][\w'’-]+)+")
