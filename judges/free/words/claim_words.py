"""What single words make of a statement: how much it claims, whether it gives leave or limits its case, whether what it
tells of has one value or many. English and Portuguese."""

from functools import cache

from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import stem
from calibrant.state.task import EN, PT, Language

ONE_VALUED = {
    EN: word_set(
        "written implemented developed built created made founded established invented discovered designed directed "
        "authored composed painted born died buried located situated based headquartered capital named called "
        "published released launched opened owned acquired won default equals ends ended begins began starts started "
        "developer author creator founder owner director president ceo mother father spouse king queen painter "
        "language licence license currency nationality headquarters married stored saved "
        "equals set defaults format encoding"
    ),
    PT: word_set(
        "escrito escrita implementado implementada desenvolvido desenvolvida criado criada feito feita fundado fundada "
        "inventado inventada descoberto descoberta dirigido dirigida composto composta pintado "
        "pintada nasceu nascida morreu nascido localizado localizada situado situada "
        "capital chamado chamada publicado publicada lançado lançada autor autora criador fundador dono diretor "
        "presidente língua licença moeda nacionalidade sede padrão casado casada começou terminou "
        "armazenado armazenada formato"
    ),
}
"""Words of attributes that have one value (born in, written in, capital of): two values exclude each other."""
MANY_VALUED = {
    EN: word_set(
        "support supports supported include includes including included provide provides offer offers contain contains "
        "use uses used accept accepts such like e.g example examples feature features handle handles also other "
        "another can may available compatible work works integrate integrates"
    ),
    PT: word_set(
        "suporta suportam inclui incluem fornece oferece contém usa usam aceita como exemplo exemplos também outro "
        "outra pode podem disponível compatível funciona integra"
    ),
}
"""Words of attributes that have many values: two values for one of them are two facts."""
EVENTS = {
    EN: word_set(
        "born died founded established built released launched created introduced invented published discovered opened "
        "began started ended completed formed incorporated adopted signed ratified abolished deprecated premiered "
        "aired started constructed finished elected formed recorded debuted"
    ),
    PT: word_set(
        "nasceu morreu fundado fundada estabelecido construído construída lançado lançada criado criada introduzido "
        "inventado publicado publicada descoberto inaugurado inaugurada começou terminou concluído assinado abolido "
        "abolida estreou formado eleito eleita estabelecida introduzida inventada descoberta concluída assinada "
        "adotado adotada formada aberto aberta abriu iniciou encerrado encerrada constituído constituída"
    ),
}
"""What happens once: two dates for one of them exclude each other."""
FORCE = {
    EN: {
        "always": 3, "never": 3, "all": 3, "every": 3, "must": 3, "only": 3, "none": 3, "guaranteed": 3,
        "guarantees": 3, "certainly": 3, "definitely": 3, "entirely": 3, "completely": 3, "proven": 3, "any": 3,
        "each": 3, "usually": 1, "often": 1, "mostly": 1, "most": 1, "many": 1, "generally": 1, "typically": 1,
        "likely": 1, "probably": 1, "should": 1, "normally": 1, "frequently": 1,
        "may": 0, "might": 0, "some": 0, "sometimes": 0, "possibly": 0, "perhaps": 0, "few": 0,
        "rarely": 0, "occasionally": 0, "suggests": 0, "seems": 0, "apparently": 0, "allegedly": 0, "reportedly": 0,
        "unclear": 0,
    },
    PT: {
        "sempre": 3, "nunca": 3, "todos": 3, "todas": 3, "todo": 3, "toda": 3, "cada": 3, "deve": 3, "apenas": 3,
        "somente": 3, "nenhum": 3, "nenhuma": 3, "jamais": 3, "certamente": 3, "definitivamente": 3, "devem": 3,
        "deverá": 3, "deverão": 3, "só": 3, "qualquer": 3, "garantido": 3, "garante": 3, "inteiramente": 3,
        "completamente": 3,
        "geralmente": 1, "normalmente": 1, "maioria": 1, "muitos": 1, "muitas": 1, "frequentemente": 1,
        "provavelmente": 1, "costuma": 1, "costumam": 1, "habitualmente": 1, "tipicamente": 1, "deveria": 1,
        "deveriam": 1,
        "pode": 0, "podem": 0, "poderá": 0, "poderão": 0, "poderia": 0, "poderiam": 0, "talvez": 0, "alguns": 0,
        "algumas": 0, "às vezes": 0, "possivelmente": 0, "raramente": 0, "ocasionalmente": 0, "parece": 0, "parecem": 0,
        "sugere": 0, "poucos": 0, "poucas": 0, "supostamente": 0, "aparentemente": 0, "eventualmente": 0,
    },
}  # fmt: skip
"""How much a word claims: 3 without exception, 1 as a rule, 0 possibly. A plain statement stands at 2."""
PLAIN_FORCE = 2
DUTIES = word_set("must only any each deve devem deverá deverão cada apenas somente só qualquer")
"""Words of the highest force that tell a plain rule in other words: "report it", it must be reported."""
LEAVE = {
    EN: word_set("may can cannot can't must mustn't shall allowed permitted entitled authorized authorised"),
    PT: word_set(
        "pode podem posso podemos podia podiam poderá poderão deve devem devo devemos permitido permitida "
        "permitidos permitidas autorizado autorizada autorizados autorizadas"
    ),
}
"""Words that give leave to do something, or deny it where they are negated."""
FORBIDDEN = word_set("forbidden prohibited banned proibido proibida proibidos proibidas vedado vedada vedados vedadas")
HAPPENING = {
    EN: word_set(
        "cause lead result occur happen arise affect vary differ depend appear seem become contain include need "
        "require fail increase decrease reduce improve change damage lose help work last exceed cost delay harm rise "
        "fall grow drop rain survive suffer experience know notice match"
    ),
    PT: word_set(""),
}
"""What happens by itself and takes no leave: it may, or may not, happen. (Portuguese says the latter in other words:
"pode não causar" is a possibility, "não pode causar" none.)"""
CONDITIONS = {
    EN: word_set("if when unless except only during while until provided depending otherwise without"),
    PT: word_set("se quando exceto excepto salvo apenas somente só durante enquanto dependendo mediante sem caso")
    | {"até que", "menos que", "desde que", "sempre que"},
}
"""Words that open a condition: what follows limits the statement."""
PRICING = {
    EN: word_set("cost costs price prices priced fee charge charged pay amounts"),
    PT: word_set("custa custam custo preço preços valor vale taxa tarifa cobra cobram cobrado cobrada paga pagam"),
}
"""What an amount of money says by itself: admission is 12 euros, admission costs 12 euros."""
CASES = {
    EN: word_set("if when unless whenever whether until"),
    PT: word_set("se quando caso") | {"até que", "menos que", "sempre que"},
}
"""Words that open a case: two sentences may each tell of their own."""


@cache
def stemmed(words: frozenset[str], language: Language) -> frozenset[str]:
    """The stems of a list of words."""
    return frozenset(stem(word, language) for word in words)
