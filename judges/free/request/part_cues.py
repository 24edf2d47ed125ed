"""Where one question ends and another begins: the words that tell, as patterns, in English and Portuguese."""

from calibrant.state.task import EN, PT, Language

_CAN_YOU_PT = r"(?:(?:vocês?|alguém) )?(?:me )?(?:pod(?:e|em|es|ia|ias|eria|erias)|consegues?|sab(?:e|em|es|eria))"
_ASKED_PT = (
    r"(?=(?:(?:a|até|com|de|desde|em|para|por) )?"
    r"(?:o que|que|qual|quais|quem|quando|onde|por ?qu[eê]|como|quant[oa]s?|se)\b)"
)
"""Before what is asked."""

ASIDE: dict[Language, str] = {
    EN: (
        r"(?:(?:(?:hi|hello|hey)(?: there| all| everyone)?|i hope (?:you|someone|somebody) can help(?: me| us)?|please"
        r"|(?:thanks|thank you)(?: a lot| so much| very much)?|thx|dear \w+|ok|okay|so|well|oh"
        r"|by the way|btw|anyway|excuse me|one more (?:thing|question))[,.!: ]+"
        r"|(?:great|good|nice|perfect|alright|right|got it|i see|understood|interesting|yes|yeah|hm+|ah)[,.!]+ *)"
    ),
    PT: (
        r"(?:(?:oi|olá|(?:se )?faz favor|por (?:favor|gentileza)|(?:muito )?obrigad[oa]|então|bem|bom dia"
        r"|boa (?:tarde|noite)|tudo b[eo]m\?|ok|a propósito|já agora|com licença|mais uma (?:coisa|pergunta))[,.!: ]+"
        r"|(?:ótimo|certo|perfeito|entendi|percebi|entendido|interessante|sim|ah)[,.!]+ *)"
    ),
}
"""What is said before a question and is no part of it."""

COURTESY: dict[Language, str] = {
    EN: (
        rf"^(?:{ASIDE[EN]}|(?:sorry|actually)[,.! ]+|(?:can|could|would|will) "
        r"you,? (?:please,? |kindly )?(?:tell me|explain(?: to me)?|help me understand|let me know|show "
        r"me),? (?:please,? )?(?:about )?|(?:i(?:'d| would) (?:like|love) to|i (?:want|need) to) (?:know|ask(?: you)?)"
        r"(?: (?:about )?(?:the following|something))?(?:[:.,]+\s*|\s+|$)|(?:please )?tell me(?:[:,]\s*|\s+)"
        r"(?=what|who|when|where|which|why|how|if|whether)|do you know\s+|(?:i have )?(?:a |one )?(?:quick )?"
        r"question[:.,]\s*)+"
    ),
    PT: (
        rf"^(?:{ASIDE[PT]}|(?:desculpe?|desculpa|na verdade)[,.! ]+"
        rf"|{_CAN_YOU_PT}(?: por favor)?(?: me| nos)? (?:dizer|explicar|informar|indicar)"
        r"(?:-me|-nos)?,?\s+"
        rf"|(?:você )?sabes?(?: me| nos)? {_ASKED_PT}"
        r"|(?:eu )?(?:quero|queria|gosta(?:ria|va) de|preciso(?: de)?) (?:saber|perguntar)(?: o seguinte)?"
        r"(?:[:.,]+\s*|\s+|$)"
        r"|(?:por favor,? )?(?:me (?:diga|diz|explique|explica|fala)|(?:diga|diz|explique|explica)-me)"
        rf"(?:,? por favor)?(?:[:,]\s*|\s+){_ASKED_PT}|(?:tenho )?uma (?:pergunta|dúvida)[:.,]\s*)+"
    ),
}
"""What is said to a person, not asked."""

THANKS: dict[Language, str] = {
    EN: (
        r"(?:(?:[,.;]|(?<=[?!]))\s*(?:please|sorry|(?i:many thanks|thanks|thank you)"
        r"(?: a lot| so much| very much| in advance)?)"
        r"|\s(?:Thanks|Thank you)(?: a lot| so much| very much| in advance)?)[.!\s]*$"
    ),
    PT: (
        r"(?:(?:[,.;]|(?<=[?!]))\s*(?i:por (?:favor|gentileza)|(?:se )?faz favor|desculpe?|desculpa"
        r"|(?:muito )?obrigad[oa])(?: desde já)?"
        r"|\sObrigad[oa](?: desde já)?)[.!\s]*(?=\??\s*$)"
    ),
}
"""The same at the end: after a sign, or as a sentence of its own by its capital ("who sings Thank You" is asked)."""

_HELPS_EN = r"(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|may|must)\b"
_NAMED_EN = (
    r"(?!(?:i|you|we|they|he|she|it|there|the|an?|this|that|these|those|my|your|our|his|her|its|their|to|else)\b)"
)
"""Before what a question word is asked of: "who made it", "how deep is it", but not "what it does"."""
_PREPOSITIONS_EN = r"(?:at|in|on|by|for|to|from|with|since|until)"
_ASK_EN = (
    rf"(?:(?:what|who|whom|which|where|when|why|how)(?:'s\b| {_HELPS_EN})|how (?:many|much|long|often|old|far|about)\b"
    rf"|(?:{_PREPOSITIONS_EN} )?(?:what|which|whose|how) {_NAMED_EN}(?:[\w-]+ ){{1,3}}{_HELPS_EN}"
    rf"|(?:what|which) {_NAMED_EN}(?:[\w-]+ ){{1,2}}[a-z]+(?:s|ed) (?:it|them)\b"
    rf"|{_PREPOSITIONS_EN} whom {_HELPS_EN}|who(?:se)? {_NAMED_EN}[a-z]|what {_NAMED_EN}[a-z]+(?:s|ed)\b"
    rf"|{_HELPS_EN} (?:it|there|they|i|we|you|this|that|he|she)\b)"
)
_DETERMINERS_EN = r"(?:the|an?|these|those|my|your|our|his|her|its|their|all|any|each|every|both|people|students|users)"
_HELPED_EN = (
    rf"(?:(?:do|does|did|can|could|should|will|would|may|must) (?:{_DETERMINERS_EN}\b|[a-z]+s [a-z])"
    r"|(?:are|were) (?:[\w-]+ )?[a-z]+s [a-z]+ed\b"
    r"|(?:is|was) (?:the|an?|its|their|our|my) (?:[\w-]+ ){1,3}?[a-z]+ed(?= (?:on|to|too|again|then)\b|\W*$))"
)
"""With what else a question to be answered by yes or no begins: "does the job wait", "are error pages cached". Only
behind a comma: "what he did the day before" has none. Not "is the director of ...", which goes on with a question."""
_WORDS_PT = (
    r"o que\b|qual\b|quais\b|quem\b|quando\b|onde\b|por que\b|porquê\b|porque é que\b|como\b|quant[oa]s?\b"
    r"|(?:[ad]|até|com|de|desde|em|para|por) (?:que|qual|quais|quem|quando|onde|quant[oa]s?) \w+"
    r"|que [^\W\d_]{3,} [oa]s? [^\W\d_]+(?=\W*$)"
)
ASK: dict[Language, str] = {EN: _ASK_EN, PT: rf"(?:{_WORDS_PT}|(?:é|há|existe|devo|posso|ele|ela|isso) \w+)"}
"""Words with which a question begins."""
MEASURED: dict[Language, str] = {
    EN: rf"^how [\w-]+(?: [\w-]+)? (?={_HELPS_EN})",
    PT: r"^quant[oa]s? [\w-]+ ",
}
"""What is counted or measured of a thing: the "it" of the next question is the thing."""
DO: dict[Language, str] = {
    EN: (
        r"(?:list|find|give|show|explain|describe|compare|summari[sz]e|identify|recommend|suggest|write|provide"
        r"|rewrite|convert|translate|calculate|compute|tell me)\b"
    ),
    PT: (
        r"(?:liste|encontre|dê|mostre|explique|descreva|compare|resuma|identifique|recomende|sugira|escreva|forneça"
        r"|reescreva|converta|traduza|calcule)\b"
    ),
}
"""Words with which an instruction begins."""
IF_SO: dict[Language, str] = {EN: r"if (?:so|not|yes|no),\s*", PT: r"(?:se (?:sim|não|for)|caso contrário),\s*"}
"""Before what is asked on the answer to what stands before."""
_RELATED_EN = rf"(?:whose|who (?!{_HELPS_EN}))"
_AFTER_COMMA: dict[Language, str] = {
    EN: (
        rf"(?:(?!(?:\w+ )?(?:who|which|wh?ere|when))|(?=wh(?:en|ere) {_HELPS_EN})"
        rf"|(?!which {_HELPS_EN})(?=wh[^,;?]+(?:, wh[^,;?]+){{0,6}},? and (?!{_RELATED_EN}){ASK[EN]}))"
    ),
    PT: (
        r"(?:(?!quem|que|onde|quando|como)"
        rf"|(?=(?:quem|onde|quando) [^,;?]+(?:, (?:qu|onde|como)[^,;?]+){{0,6}},? e (?:{_WORDS_PT})))"
    ),
}
"""What begins no relative clause: another word, "when is the ...", or one of several questions in a row ("..., who is X
and how long ...")."""
JOINTS: dict[Language, str] = {
    EN: (
        rf"\s*(?:[,;]\s*(?:and |then |also |or )+|[,;]\s*{_AFTER_COMMA[EN]}|\s(?:and|then|and then"
        rf"|and also|but)\s+)(?={ASK[EN]}|{DO[EN]})"
        rf"|\s*[,;]\s*(?:(?:and |then |also )+|(?=[^;?]{{1,300}}, and (?:{ASK[EN]}|{_HELPED_EN})))(?={_HELPED_EN})"
    ),
    PT: (
        rf"\s*(?:[,;]\s*(?:e |então |também |ou )+|[,;]\s*{_AFTER_COMMA[PT]}|\s(?:e|e então|e também|"
        rf"mas)\s+)(?={ASK[PT]}|{DO[PT]})"
    ),
}
"""Where one question ends and the next begins inside a sentence."""

TWO_WORDS: dict[Language, str] = {
    EN: (
        r"^(?P<a>who|what|when|where|why|how) (?:and|or) (?P<b>who|what|when|where|why|how) (?P<rest>(?!much|"
        r"many).{4,})$"
    ),
    PT: (
        r"^(?P<a>quem|o que|quando|onde|por que|como) (?:e|ou) (?P<b>quem|o que|quando|onde|por que|como) "
        r"(?P<rest>.{4,})$"
    ),
}
"""Two question words before one clause: "when and where was X born"."""

RELATIVE: dict[Language, str] = {EN: r"\w (?:who|whose|which)\b", PT: r"\w quem\b"}
"""Inside a question: what follows "and who" may go on with that clause ("a driver who is ill and who cannot come")."""

CONDITION: dict[Language, str] = {EN: r"(?:,|\b(?:and|or|but)) if [^,]*$", PT: r"(?:,|\b(?:e|ou|mas)) se [^,]*$"}
"""At the end of the left side: what follows is asked on that condition ("is there a pool and if so, when ...")."""

_AUX_EN = r"(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|to|and|or)\b"
SCENE: dict[Language, str] = {
    EN: rf"^(?:when|where|while) (?!{_AUX_EN})",
    PT: r"^quando (?!é|são|foi|foram|se|um|uma|vai|posso|devo|foi|será|começ\w+|surg\w+|nasc\w+|morr\w+|ocorr\w+"
    r"|\w{3,} (?:[oa]s?|uma?) )",
}
"""A clause that opens like a question but only sets the scene: "When AT&T financed the project, what ...". """

LEANING: dict[Language, str] = {
    EN: (
        r"\b(?:each (?:of (?:them|these|those)|one|\w+)|these|those|they|them|their|the (?:first|second|latter|"
        r"former))\b"
    ),
    PT: r"\b(?:cada (?:um|uma|\w+)|ess[ea]s?|dess[ea]s?|seus?|suas?|deles|delas)\b",
}
"""Words by which a later part leans on an earlier one."""

OBJECT: dict[Language, str] = {
    EN: r"^(?:who|(?:which|what)(?: [\w-]+){1,2}) [a-z]+(?:s|ed) (?P<it>it|them)\W*$",
    PT: (
        r"^(?:quem|(?:qual|quais|que) (?!é\b|são\b|era\b|eram\b|foi\b|foram\b|será\b)"
        r"[^\W\d_]+) (?P<it>[oa]s?) [^\W\d_]+\W*$"
    ),
}
"""A part that does something to what an earlier one is about: "which flag changes it", which is not the flag."""

WITH_ITS: dict[Language, str] = {
    EN: (
        r"^(?P<main>(?:list|identify|find|name|give|show|(?:what|who) (?:are|were))\b.{8,}?),? (?:and|along with|"
        r"together with|as well as|including) (?P<what>(?:their|its|his|her)(?: respective)? [^,?]{3,70})$"
    ),
    PT: (
        r"^(?P<main>(?:liste|identifique|encontre|cite|dê|mostre|(?:quais|quem) (?:são|eram|foram))\b.{8,}?),? "
        r"(?:e|junto com|assim como|além de|bem como) (?P<what>(?:seus?|suas?|(?:[oa]s? )?respectiv[oa]s?) "
        r"[^,?]{3,70})$"
    ),
}
"""A second thing wanted of whatever answers the first: "list the universities ... along with their mascots"."""

WHAT_ARE = {EN: "What are", PT: "Quais são"}
"""Before several things, the question for them."""
