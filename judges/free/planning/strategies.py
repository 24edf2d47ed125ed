"""The ways of going about a task: what each searches for, where, and what is told of it, in English and Portuguese."""

from dataclasses import dataclass, field, replace

from calibrant.state.task import EN, PT, Language


@dataclass(frozen=True)
class Strategy:
    """A way of going about a task. Its texts and queries are templates, by language."""

    id: str
    title: str
    rationale: dict[Language, str]
    own_risk: dict[Language, str]
    """What it risks by itself, whatever the task."""
    queries: dict[Language, tuple[str, ...]] = field(default_factory=dict)
    """What it searches for beside the words of a part."""
    sources: tuple[str, ...] = ()
    """Where it looks, best first."""


DIRECT = Strategy(
    id="direct",
    title="direct",
    rationale={EN: "Answer the question as asked{learnt}.", PT: "Responder à pergunta como foi feita{learnt}."},
    own_risk={
        EN: "Sources may say it in other words than the question.",
        PT: "As fontes podem dizê-lo com outras palavras que a pergunta.",
    },
)
DIRECT_PARTS = replace(
    DIRECT,
    rationale={
        EN: "Answer the {count} parts as asked{learnt}.",
        PT: "Responder às {count} partes como foi feita{learnt}.",
    },
)
BROAD = Strategy(
    id="broad",
    title="broad to narrow",
    rationale={
        EN: "First an overview of {topic}, then the parts.",
        PT: "Primeiro uma visão geral de {topic}, depois as partes.",
    },
    own_risk={
        EN: "Background may crowd out what was asked.",
        PT: "O contexto pode tomar o lugar do que foi perguntado.",
    },
    queries={EN: ("{topic} overview",), PT: ("{topic} visão geral",)},
)
BROAD_BY_LEADS = replace(
    BROAD,
    rationale={
        EN: "The evidence held speaks of {found}: start there, then answer the parts.",
        PT: "As passagens encontradas falam de {found}: começar por aí, depois as partes.",
    },
    queries={EN: (), PT: ()},
)
PRACTICE = Strategy(
    id="practice",
    title="practice-oriented",
    rationale={
        EN: "Go by what works: examples, best practices and known mistakes with {topic}.",
        PT: "Partir do que funciona na prática: exemplos, boas práticas e erros comuns com {topic}.",
    },
    own_risk={EN: "Examples may be written for another version.", PT: "Os exemplos podem ser de outra versão."},
    queries={
        EN: ("{topic} best practices", "{topic} {found} examples", "common mistakes when {doing}"),
        PT: ("{topic} boas práticas", "{topic} {found} exemplos", "erros comuns {doing}"),
    },
    sources=("docs", "github", "stackoverflow", "knowledge"),
)
BY_SOURCE = Strategy(
    id="sources",
    title="by source",
    rationale={
        EN: "Compare what reference sources say about {topic}, objections included.",
        PT: "Comparar o que fontes de referência dizem sobre {topic}, inclusive objeções.",
    },
    own_risk={EN: "Reference sources may lag behind the present.", PT: "Fontes de referência podem estar atrasadas."},
    queries={
        EN: ("{topic} report", "{topic} figures", "{topic} criticism"),
        PT: ("{topic} relatório", "{topic} dados", "{topic} críticas"),
    },
    sources=("knowledge", "wikipedia", "arxiv", "docs", "web"),
)
BY_PATTERN = Strategy(
    id="pattern1",
    title="by pattern",
    rationale={
        EN: "It worked before: {name} (used {uses} times, {rate:.0%} successful).",
        PT: "Funcionou antes: {name} ({uses} usos, {rate:.0%} de sucesso).",
    },
    own_risk={
        EN: "The task it worked for may have differed in what matters.",
        PT: "A tarefa em que funcionou pode ter sido diferente no essencial.",
    },
)
