"""The few sentences that the product says in its own words, in the languages that the LLM-free tier knows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from calibrant.judges.free.request.courtesy import Said
from calibrant.nodes.reading.answered import Lack, reply_language
from calibrant.nodes.reading.called import Calls
from calibrant.state.answer import Verdict
from calibrant.state.channels import View
from calibrant.state.confidence import Factor, score_text
from calibrant.state.evidence import Filters
from calibrant.state.task import Language

_TEXTS = {
    Language.ENGLISH: {
        "none": "I did not find an answer that the evidence supports.",
        "parts": "Not answered: {}.",
        "untold": "Not found in the passages: {}.",
        "quoting": (
            "Without a language model I can only quote; for more, set CALIBRANT_MODEL_NAME, and "
            "CALIBRANT_MODEL_BASE_URL for an endpoint of your own."
        ),
        "tongue": "The question may be in another language than the sources: asked in theirs, it may be answered.",
        "missing": "Nothing found mentions: {}.",
        "meant": "Did you mean: {}?",
        "nothing": "Nothing was found on this.",
        "unsearched": "Nothing was searched.",
        "bare": "There is nothing to search yet: `calibrant ingest PATH` makes a knowledge base.",
        "beside": "What was found speaks of this, but nothing in it is sure enough to be the answer.",
        "searched": "Searched: {}.",
        "narrowed": "Of that only what matches: {}.",
        "failed": "Could not be searched: {}.",
        "done": "Done: {}.",
        "unsure": "May have been done: {}.",
        "broken": "Not done: {}.",
        "aborted": "Stopped as you asked.",
        "vague": "the request is too vague to search for",
        "approval": "{} changes something: it needs approval",
        "repeated": "{} may already have been done",
        "closest": "Closest found, which may or may not answer it",
        "withheld": "I found an answer but withhold it: my confidence in it is {}, below the required {:.2f}.",
        Said.GREETING: "Hello!",
        Said.THANKS: "You are welcome.",
        Said.FAREWELL: "Goodbye!",
        Said.ABOUT: "",
        Said.AGREED: "All right.",
        "purpose": "I answer questions from sources, and say which.",
        "sources": "What I can search: {}.",
        "no sources": "There is nothing to search yet.",
        Verdict.UNVERIFIED: "(unverified)",
        Verdict.CONTRADICTED: "(its source contradicts it)",
    },
    Language.PORTUGUESE: {
        "none": "Não encontrei uma resposta que as fontes sustentem.",
        "parts": "Sem resposta: {}.",
        "untold": "Não encontrado nos trechos: {}.",
        "quoting": (
            "Sem um modelo de linguagem só posso citar; para mais, defina CALIBRANT_MODEL_NAME, e "
            "CALIBRANT_MODEL_BASE_URL para um endpoint próprio."
        ),
        "tongue": "A pergunta talvez esteja em outra língua que as fontes: feita na delas, pode ter resposta.",
        "missing": "Nada do que foi encontrado menciona: {}.",
        "meant": "Quis dizer: {}?",
        "nothing": "Nada foi encontrado sobre isto.",
        "unsearched": "Nada foi consultado.",
        "bare": "Ainda não há nada para consultar: `calibrant ingest PATH` cria uma base de conhecimento.",
        "beside": "O que foi encontrado fala disso, mas nada é seguro o bastante para ser a resposta.",
        "searched": "Fontes consultadas: {}.",
        "narrowed": "Delas, só o que corresponde a: {}.",
        "failed": "Não foi possível consultar: {}.",
        "done": "Feito: {}.",
        "unsure": "Talvez feito: {}.",
        "broken": "Não feito: {}.",
        "aborted": "Interrompido a seu pedido.",
        "vague": "o pedido é vago demais para ser procurado",
        "approval": "{} altera algo: precisa de aprovação",
        "repeated": "{} talvez já tenha sido feito",
        "task_understanding": "O pedido só foi compreendido em parte.",
        "strategy_clarity": "Os passos do plano estão pouco definidos.",
        "closest": "O mais próximo, que pode responder ou não",
        "withheld": "Encontrei uma resposta, mas não a dou: minha confiança nela é {}, abaixo do mínimo de {:.2f}.",
        Said.GREETING: "Olá!",
        Said.THANKS: "De nada.",
        Said.FAREWELL: "Até logo!",
        Said.ABOUT: "",
        Said.AGREED: "Certo.",
        "purpose": "Respondo a perguntas a partir de fontes, e digo quais.",
        "sources": "O que posso consultar: {}.",
        "no sources": "Ainda não há nada para consultar.",
        Verdict.UNVERIFIED: "(não verificado)",
        Verdict.CONTRADICTED: "(a fonte o contradiz)",
    },
}


@dataclass(frozen=True)
class Phrases:
    """What is said in one language."""

    language: Language

    @property
    def _texts(self) -> Mapping[str, str]:
        return _TEXTS[self.language]

    def abstention(
        self,
        lack: Lack,
        *,
        meant: Sequence[str],
        parts: Sequence[str],
        calls: Calls,
        needs_model: bool,
        searched: Sequence[str],
        filters: Filters,
    ) -> str:
        """The abstention: that there is no answer, and what is missing. ``meant``: words of the documents that
        may be meant by missing ones. ``needs_model``: only one could do it."""
        said = [self._texts["none"], self.left_open(parts, calls), self.only_quoted if needs_model else ""]
        said += [self._missing(lack), self._list("meant", meant)]
        said += [self._texts["beside"] if lack.is_beside and not needs_model else ""]
        said += [self._list("searched", searched) if lack.searched else self._unsearched(lack)]
        said += [self._list("narrowed", filter_words(filters) if searched else ())]
        said += [self._list("failed", lack.failed)]
        return " ".join(part for part in said if part)

    def lacking(self, lack: Lack) -> tuple[str, ...]:
        """What an answer still lacks, sentence by sentence. Where every source was silent, nothing is known of it."""
        if lack.held:
            said = self._missing(lack) or self._texts["beside"]
        elif not lack.searched:
            said = self._unsearched(lack)
        else:
            said = "" if lack.silent else self._texts["nothing"]
        return tuple(part for part in (said, self._list("failed", lack.failed)) if part)

    def left_open(self, parts: Sequence[str], calls: Calls) -> str:
        """Which parts of the question are left open, and what became of the calls."""
        return " ".join(filter(None, (self._list("parts", parts), self.fates(calls))))

    def untold(self, missing: Sequence[str]) -> str:
        """What the passages do not tell of what is asked, beside the answer that they give."""
        return self._list("untold", missing)

    def fates(self, calls: Calls) -> str:
        """Which calls were made, which may have been, and which were not, and why."""
        told = (("done", calls.done), ("unsure", calls.unsure), ("broken", calls.failed))
        return " ".join(filter(None, (self._list(key, items) for key, items in told)))

    def nothing_mentions(self, names: Sequence[str]) -> str:
        """That nothing found mentions ``names``."""
        return self._list("missing", names)

    def doubt(self, verdicts: Collection[Verdict]) -> str:
        """What stands behind a sentence that its sources do not support, by the worst of its claims' ``verdicts``."""
        worst = next((one for one in (Verdict.CONTRADICTED, Verdict.UNVERIFIED) if one in verdicts), None)
        return self._texts[worst] if worst else ""

    @property
    def closest_title(self) -> str:
        """What stands above the sentences that came nearest."""
        return self._texts["closest"]

    def polite(self, said: Said, sources: Sequence[str], known: bool) -> str:
        """The reply to a courtesy: in kind, and what there is to ask. ``known``: something was asked already, so that
        what is only thanked for or agreed to needs no more."""
        if known and said in (Said.THANKS, Said.FAREWELL, Said.AGREED):
            return self._texts[said]
        searched = self._list("sources", sources) or self._texts["no sources"]
        return " ".join(filter(None, (self._texts[said], self._texts["purpose"], searched)))

    @property
    def only_quoted(self) -> str:
        """That quoting is all that can be done without a model, and how to configure one."""
        return self._texts["quoting"]

    @property
    def too_vague(self) -> str:
        """Why a person is asked for a wording."""
        return self._texts["vague"]

    def approval_sought(self, called: Sequence[str], repeated: Sequence[str]) -> tuple[str, ...]:
        """Why a person is asked whether the tools ``called`` may run, of which those ``repeated`` may have run
        before."""
        asked = self._texts["approval"].format(", ".join(called))
        return (asked, *(self._texts["repeated"].format(name) for name in repeated))

    def weakness(self, factor: Factor) -> str:
        """Why a factor is low: its own reason, which is English, or what stands for it in another language."""
        return self._texts.get(factor.name) or factor.reason

    @property
    def refusal(self) -> str:
        """What is said when a person has stopped the run."""
        return self._texts["aborted"]

    def withheld(self, confidence: float, least: float) -> str:
        """What is said in place of an answer that is not sure enough."""
        return self._texts["withheld"].format(score_text(confidence), least)

    def _unsearched(self, lack: Lack) -> str:
        return self._texts["bare" if lack.bare else "unsearched"]

    def _missing(self, lack: Lack) -> str:
        return self._texts["tongue"] if lack.foreign else self.nothing_mentions(lack.missing)

    def _list(self, key: str, items: Sequence[str]) -> str:
        told = self._texts[key].format("; ".join(item.rstrip(".") for item in items))
        return (told.removesuffix(".") if told.endswith("?.") else told) if items else ""


def phrases_for(state: View) -> Phrases:
    """What is said to the user of this run, in the language of the answer."""
    return Phrases(reply_language(state))


def filter_words(filters: Filters) -> tuple[str, ...]:
    """What the documents that were searched had to match."""
    return (*filters.kinds, *filters.paths, *((f">= {filters.since:%Y-%m-%d}",) if filters.since else ()))
