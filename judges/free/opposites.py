"""Words that set statements against each other: antonyms, exclusive classes, degrees of force. English and Portuguese.

Knowledge of the two languages, not of any subject. Everything is looked up by stem.
"""

from functools import cache

from calibrant.judges.free.text import stem
from calibrant.state.task import Language

EN, PT = Language.ENGLISH, Language.PORTUGUESE


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ANTONYMS = {
    EN: """
    true:false enable:disable enabled:disabled accept:reject accepted:rejected allow:forbid allow:prohibit allow:deny
    allow:prevent allow:block permit:forbid permit:prohibit increase:decrease increase:reduce increase:lower
    increases:decreases raise:lower raises:lowers raise:reduce rise:fall rose:fell grow:shrink gain:lose win:lose
    begin:end start:stop start:finish start:end open:close opened:closed opens:closes include:exclude
    includes:excludes add:remove pass:fail succeed:fail success:failure support:oppose love:hate like:dislike
    before:after above:below over:under more:less more:fewer higher:lower high:low highest:lowest larger:smaller
    large:small largest:smallest big:small bigger:smaller biggest:smallest faster:slower fast:slow fastest:slowest
    quick:slow longer:shorter long:short longest:shortest older:younger oldest:youngest old:new older:newer old:young
    early:late earlier:later first:last best:worst better:worse good:bad positive:negative safe:unsafe safe:dangerous
    possible:impossible required:optional mandatory:optional necessary:unnecessary legal:illegal valid:invalid
    public:private free:paid empty:full alive:dead present:absent inside:outside indoors:outdoors indoor:outdoor
    hot:cold warm:cool wet:dry hard:soft easy:difficult easy:hard simple:complex strong:weak heavy:light dark:light
    rich:poor cheap:expensive male:female man:woman boy:girl husband:wife mother:father brother:sister king:queen
    north:south east:west northern:southern eastern:western left:right top:bottom front:back upper:lower
    synchronous:asynchronous mutable:immutable static:dynamic local:remote manual:automatic permanent:temporary
    same:different similar:different equal:unequal known:unknown likely:unlikely active:inactive passive:active
    stable:unstable ascending:descending always:never all:none everyone:nobody everything:nothing effective:ineffective
    sitting:standing awake:asleep awake:sleeping happy:sad smiling:frowning smiling:crying laughing:crying
    clean:dirty loud:quiet day:night summer:winter morning:evening create:destroy create:delete buy:sell push:pull
    attack:defend improve:worsen improves:worsens protect:harm help:hinder activate:inhibit activates:inhibits
    promote:inhibit promotes:inhibits promote:suppress induce:suppress induce:inhibit upregulate:downregulate
    benign:malignant acute:chronic confirm:deny confirm:refute prove:disprove agree:disagree appear:disappear
    arrive:depart arrive:leave rural:urban domestic:foreign domestic:wild odd:even major:minor maximum:minimum
    fiction:nonfiction fictional:real married:divorced married:single victory:defeat war:peace obey:disobey
    ancient:modern encrypted:unencrypted signed:unsigned signed:unsigned supported:unsupported deprecated:recommended
    close:far near:far nearby:distant sunrise:sunset
    """,
    PT: """
    verdadeiro:falso ativar:desativar ativado:desativado habilitar:desabilitar habilitado:desabilitado aceitar:rejeitar
    permitir:proibir permitir:impedir aumentar:diminuir aumentar:reduzir subir:descer subir:cair crescer:encolher
    crescer:diminuir ganhar:perder vencer:perder começar:terminar iniciar:terminar iniciar:parar abrir:fechar
    aberto:fechado incluir:excluir adicionar:remover passar:falhar antes:depois acima:abaixo mais:menos maior:menor
    alto:baixo grande:pequeno rápido:lento longo:curto velho:novo velho:jovem antigo:novo antigo:moderno cedo:tarde
    primeiro:último melhor:pior bom:mau bom:ruim positivo:negativo seguro:inseguro seguro:perigoso possível:impossível
    obrigatório:opcional necessário:desnecessário legal:ilegal válido:inválido público:privado gratuito:pago
    grátis:pago vazio:cheio vivo:morto presente:ausente dentro:fora quente:frio molhado:seco duro:macio fácil:difícil
    simples:complexo forte:fraco pesado:leve claro:escuro rico:pobre barato:caro masculino:feminino homem:mulher
    menino:menina garoto:garota norte:sul leste:oeste esquerda:direita superior:inferior síncrono:assíncrono
    mutável:imutável estático:dinâmico local:remoto manual:automático permanente:temporário mesmo:diferente
    igual:diferente conhecido:desconhecido provável:improvável ativo:inativo ativo:passivo estável:instável
    sempre:nunca todos:nenhum tudo:nada crescente:decrescente sentado:parado sentado:correndo dormindo:acordado
    feliz:triste limpo:sujo dia:noite verão:inverno criar:destruir comprar:vender empurrar:puxar melhorar:piorar
    eficaz:ineficaz confirmar:negar concordar:discordar urbano:rural vestindo:tirando subindo:descendo
    entrando:saindo máximo:mínimo colocando:removendo adicionando:removendo abrindo:fechando
    """,
}
_CLASSES = {
    EN: """
    red green blue yellow black white brown orange purple pink gray grey
    monday tuesday wednesday thursday friday saturday sunday
    mercury venus earth mars jupiter saturn uranus neptune
    first second third fourth fifth sixth seventh eighth ninth tenth
    wooden metal plastic glass stone steel concrete leather cotton paper
    kitchen bathroom bedroom garage basement attic
    guitar piano violin trumpet drum flute cello saxophone
    coffee tea beer wine milk juice vodka champagne
    circle square triangle rectangle
    actor singer painter politician lawyer footballer scientist novelist
    """,
    PT: """
    vermelho verde azul amarelo preto branco marrom laranja roxo rosa cinza
    segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo
    mercúrio vênus terra marte júpiter saturno urano netuno
    primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo
    guitarra violão piano violino trompete tambor bateria flauta violoncelo
    café chá cerveja vinho leite suco
    cozinha banheiro quarto garagem porão
    """,
}
_SYNONYMS = {
    EN: """
    write implement develop code build create make
    release launch publish ship
    found establish start create set
    cost price
    require need
    begin start
    end finish stop
    big large
    buy purchase acquire
    allow permit
    use employ
    show demonstrate
    locate situate base
    kill murder
    child kid
    default preset
    remove delete
    error failure
    film movie
    author writer
    return yield give
    """,
    PT: """
    escrever implementar desenvolver programar
    lançar publicar
    fundar criar estabelecer
    custar preço
    exigir requerer precisar
    começar iniciar
    terminar acabar finalizar
    comprar adquirir
    permitir autorizar
    usar utilizar empregar
    mostrar demonstrar
    localizar situar
    criança menino menina
    grande enorme
    filme película
    remover excluir apagar
    """,
}
ONE_VALUED = {
    EN: _set(
        "written implemented developed built created made founded established invented discovered designed directed "
        "authored composed painted born died buried located situated based headquartered capital named called "
        "published released launched opened owned acquired won default equals ends ended begins began starts started "
        "developer author creator founder owner director president ceo mother father spouse king queen painter "
        "language licence license currency nationality headquarters married stored saved "
        "equals set defaults format encoding"
    ),
    PT: _set(
        "escrito escrita implementado implementada desenvolvido desenvolvida criado criada feito feita fundado fundada "
        "inventado descoberto dirigido composto pintado nasceu morreu nascido localizado localizada situado situada "
        "capital chamado chamada publicado publicada lançado lançada autor autora criador fundador dono diretor "
        "presidente língua licença moeda nacionalidade sede padrão casado casada começou terminou "
        "armazenado armazenada formato"
    ),
}
"""Words of attributes that have one value (born in, written in, capital of): two values exclude each other."""
MANY_VALUED = {
    EN: _set(
        "support supports supported include includes including included provide provides offer offers contain contains "
        "use uses used accept accepts such like e.g example examples feature features handle handles also other "
        "another can may available compatible work works integrate integrates"
    ),
    PT: _set(
        "suporta suportam inclui incluem fornece oferece contém usa usam aceita como exemplo exemplos também outro "
        "outra pode podem disponível compatível funciona integra"
    ),
}
"""Words of attributes that have many values: two values for one of them are two facts."""
EVENTS = {
    EN: _set(
        "born died founded established built released launched created introduced invented published discovered opened "
        "began started ended completed formed incorporated adopted signed ratified abolished deprecated premiered "
        "aired started constructed finished elected formed recorded debuted"
    ),
    PT: _set(
        "nasceu morreu fundado fundada estabelecido construído construída lançado lançada criado criada introduzido "
        "inventado publicado publicada descoberto inaugurado inaugurada começou terminou concluído assinado abolido "
        "abolida estreou formado eleito eleita"
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
        "somente": 3, "nenhum": 3, "nenhuma": 3, "jamais": 3, "certamente": 3, "definitivamente": 3,
        "geralmente": 1, "normalmente": 1, "maioria": 1, "muitos": 1, "muitas": 1, "frequentemente": 1,
        "provavelmente": 1, "costuma": 1,
        "pode": 0, "podem": 0, "poderia": 0, "talvez": 0, "alguns": 0, "algumas": 0, "às": 0, "possivelmente": 0,
        "raramente": 0, "ocasionalmente": 0, "parece": 0, "sugere": 0, "poucos": 0,
    },
}  # fmt: skip
"""How much a word claims: 3 without exception, 1 as a rule, 0 possibly. A plain statement stands at 2."""
PLAIN_FORCE = 2
_PREFIXES = frozenset(["un", "in", "im", "ir", "il", "non", "dis", "des"])
CONDITIONS = {
    EN: _set("if when unless except only during while until provided depending otherwise without"),
    PT: _set("se quando exceto salvo apenas somente durante enquanto dependendo sem caso"),
}
"""Words that open a condition: what follows limits the statement."""


@cache
def antonyms(language: Language) -> frozenset[tuple[str, str]]:
    """Pairs of stems that exclude each other, both ways round."""
    pairs = [tuple(stem(word, language) for word in pair.split(":")) for pair in _ANTONYMS[language].split()]
    return frozenset((a, b) for left, right in pairs for a, b in ((left, right), (right, left)) if a != b)


@cache
def _groups(language: Language, synonyms: bool) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate((_SYNONYMS if synonyms else _CLASSES)[language].strip().splitlines()):
        for word in line.split():
            found.setdefault(stem(word, language), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def are_opposite(first: str, second: str, language: Language) -> bool:
    """Whether two stems are antonyms, by the list."""
    return (first, second) in antonyms(language)


@cache
def telling_stems(language: Language) -> frozenset[str]:
    """The stems that any list knows: only pairs of these need comparing."""
    listed = {root for pair in antonyms(language) for root in pair}
    return frozenset(listed.union(_groups(language, True), _groups(language, False)))


def negates_by_prefix(first: str, second: str) -> bool:
    """Whether one word is the other with a negative prefix: valid, invalid."""
    return _prefixed(first, second) or _prefixed(second, first)


def _prefixed(base: str, other: str) -> bool:
    return len(base) > 5 and other.endswith(base) and other.removesuffix(base) in _PREFIXES


def are_synonyms(first: str, second: str, language: Language) -> bool:
    """Whether two stems may stand for one another."""
    groups = _groups(language, True)
    return bool(groups.get(first, frozenset()) & groups.get(second, frozenset()))


def are_exclusive(first: str, second: str, language: Language) -> bool:
    """Whether two stems are different members of one exclusive class (red, green)."""
    groups = _groups(language, False)
    same = groups.get(first, frozenset()) & groups.get(second, frozenset())
    return first != second and bool(same) and {first, second} != {"grai", "grei"}
