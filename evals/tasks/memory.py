"""``memory``: what a second, similar run costs after a first one, and whether a dissimilar run is left alone.

Each item is four runs over the set's own documents: a question, the same in other words (on the same memory), another
question on that memory, and that other question with nothing remembered.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from calibrant.evals.figures import column, figure, mean, plain_figure
from calibrant.evals.halves import number_of
from calibrant.evals.once import OncePerSet
from calibrant.evals.questions import SETS, Libraries, Question, holds
from calibrant.evals.setup import Setup, spent
from calibrant.evals.task import Figure, Item, Judge, Sample, Task, Verdict
from calibrant.graph.build import make_deps
from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.nodes.deps import Deps
from calibrant.state.channels import View

ASKED = ("squad2", "nq_open_oracle")
RUNS = ("first", "again", "other", "other alone")
WORDINGS = ("Please tell me: {}", "I would like to know the following. {}", "{} Thank you.")
"""The same question as another person would put it: the words that carry it stay."""


def of_set(name: str) -> Any:
    """A set's answerable questions, each with another one about another document."""

    def load(root: Path) -> Iterator[Item]:
        questions = [one for one in SETS[name](root)[1] if one.answers]
        for place, one in enumerate(questions):
            yield _item(name, one, questions[(place + len(questions) // 2) % len(questions)])

    return load


def small(record: Mapping[str, Any]) -> Item:
    """``question`` and ``answers``, ``other`` and ``other_answers``; ``title`` and ``text`` of a document."""
    one = Question(record["question"], record["question"], tuple(record["answers"]))
    return _item("small", one, Question("", record["other"], tuple(record["other_answers"])))


def _item(dataset: str, one: Question, other: Question) -> Item:
    truth = {"one": list(one.answers), "other": list(other.answers)}
    return Item(dataset, one.key, (one.text, reworded(one.text), other.text), truth)


def reworded(question: str) -> str:
    """``question`` in another wording, always the same for one question."""
    return WORDINGS[number_of(question) % len(WORDINGS)].format(question)


@asynccontextmanager
async def opened(setup: Setup) -> AsyncIterator[Judge]:
    """A judge that gives each item a memory of its own."""
    libraries = Libraries(setup, "memory")
    context = setup.settings.model_copy(update={"interactive": False})

    async def make(dataset: str) -> Deps:
        machine = await libraries.machine(dataset)
        return make_deps(embeddings=setup.encoder, context=context, machine=machine, secrets=setup.secrets)

    made = OncePerSet(make)

    async def judge(item: Item) -> Verdict:
        deps = await made.of(item.dataset)
        question, again, other = item.given
        shared, empty = InMemoryStore(), InMemoryStore()
        asked = (
            ("first", question, "one", shared), ("again", again, "one", shared),
            ("other", other, "other", shared), ("other alone", other, "other", empty),
        )  # fmt: skip
        values: dict[str, Any] = {}
        for name, text, truth, store in asked:
            values |= values_of(name, await one_run(deps, text, store), item.truth[truth])
        return Verdict(values)

    yield judge


async def one_run(deps: Deps, question: str, store: InMemoryStore) -> View:
    """One question on a memory: the state at its end."""
    graph = wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()), store=store)
    config = RunnableConfig(configurable={"thread_id": "eval"})
    await graph.ainvoke({"task": question}, config)
    return View.model_validate((await graph.aget_state(config)).values)


def values_of(name: str, state: View, answers: list[str]) -> dict[str, Any]:
    """A run as values, each named ``what:run``."""
    values = {
        "right": any(holds(citation.quote, answers) for citation in state.citations),
        "retrievals": state.spend.retrievals,
        "searches": state.spend.searches,
        "seconds": round(state.spend.seconds, 4),
        "calls": spent(state.spend).get("calls", 0),
    }
    return {f"{what}:{name}": value for what, value in values.items()}


def figures(sample: Sample) -> Iterator[Figure]:
    """Quality and cost of each run, what the second saves, and what remembering does to another question."""
    for dataset, part in sample.by_dataset():
        # Only what ended well is remembered: after a wrong first answer there is nothing to save.
        for name in RUNS:
            yield figure(part, dataset, f"{name}: answer found", mean, column(part.rows, f"right:{name}"))
            for cost in ("retrievals", "searches", "seconds", "calls"):
                values = column(part.rows, f"{cost}:{name}")
                yield plain_figure(part, dataset, f"{name}: {cost}", mean, values, aim="down", detail=cost == "calls")
        known = part.where(lambda row: bool(row.values["right:first"]))
        for cost in ("retrievals", "searches", "seconds"):
            before, after = column(known.rows, f"{cost}:first"), column(known.rows, f"{cost}:again")
            yield figure(known, dataset, f"saved by memory, after a right answer: {cost}", _saved, before, after)
        changed = [
            row.values["right:other"] != row.values["right:other alone"]
            or row.values["searches:other"] != row.values["searches:other alone"]
            for row in part.rows
        ]
        yield figure(part, dataset, "another question changed by memory", mean, changed, aim="down")


def _saved(before: Any, after: Any) -> float | None:
    return 1.0 - float(sum(after)) / float(sum(before)) if sum(before) else None


TASK = Task(
    name="memory",
    about="A second, similar run against the first, and a dissimilar one against itself without memory",
    loaders={name: of_set(name) for name in ASKED},
    small=small,
    open=opened,
    figures=figures,
    rooms=("state", "judges", "retrievers", "memory", "nodes", "graph"),
)
