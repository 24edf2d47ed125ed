"""``reason`` proposes candidate strategies. They are explored side by side, one ``branch`` each; ``select`` judges."""

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from calibrant.judges.given import ToolCard, ToPlan
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.judging import attempt_of, open_phase
from calibrant.nodes.work import Work
from calibrant.state.budget import Allowance
from calibrant.state.channels import Update, View
from calibrant.state.context import Context
from calibrant.state.memory import Pattern, Recollection
from calibrant.state.retrieval import Distillate
from calibrant.state.task import Phase
from calibrant.state.uncertainty import Signal, SignalKind


def reason(deps: Deps) -> Node:
    """The node. After a retrieval it proposes anew, from the evidence held then."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        if state.perceived is None:
            raise RuntimeError("reason runs after perceive")
        open_phase(work, state, Phase.REASON)
        given = ToPlan(
            task=state.perceived,
            evidence=state.evidence,
            distillate=state.retrieval.distillate if state.retrieval else Distillate(),
            patterns=patterns_of(state.recalled),
            sources=tuple(deps.sources),
            tools=tool_cards(deps),
            branches=work.context.branches,
            guidance=spoken(state),
        )
        # One branch needs no planner.
        judged = await work.judge(work.panel.plan, given, allowance=Allowance() if given.task.is_plain else None)
        signals = _signals(judged.hesitation, attempt_of(state, Phase.REASON))
        return work.done({"branches": Overwrite(judged.value), "signals": signals})

    return node


def patterns_of(recalled: Recollection | None) -> tuple[Pattern, ...]:
    """The remembered patterns, best first."""
    items = sorted(recalled.patterns if recalled else (), key=lambda item: -item.weight)
    return tuple(item.pattern for item in items if item.pattern)


def tool_cards(deps: Deps) -> tuple[ToolCard, ...]:
    """The tools as a planner sees them."""
    return tuple(
        ToolCard(name=name, description=tool.description, schema=tool.args, read_only=is_read_only(tool.metadata))
        for name, tool in deps.tools.items()
    )


def is_read_only(metadata: dict[str, object] | None) -> bool:
    """Read-only by declaration, else it needs approval (``metadata={"read_only": True}``, or MCP's
    ``readOnlyHint``)."""
    declared = metadata or {}
    return bool(declared.get("read_only") or declared.get("readOnlyHint"))


def spoken(state: View) -> str:
    """What a person has said in this run: it holds for the phase that asked and for those after it."""
    return "\n".join(answer.text for answer in state.guidance if answer.action == "guide")


def _signals(hesitation: str, attempt: int) -> tuple[Signal, ...]:
    if not hesitation:
        return ()
    detail = f'the planner hesitates: "{hesitation}"'
    return (Signal(kind=SignalKind.HESITATION, phase=Phase.REASON, attempt=attempt, detail=detail),)
