"""The parts of a request: each question in it that needs an answer of its own, and which of them wait for another's.

Splitting is cautious: a part that was not seen costs a little coverage, a plain question cut in pieces costs a search each.
Where the words only hint at several steps, the request stays whole and ``suspected`` says so.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from calibrant.judges.free.compared import compared
from calibrant.judges.free.followup import VERBAL, dangling
from calibrant.judges.free.hops import hops, suspicious
from calibrant.judges.free.terms import EN, PT, identifiers, longest_chunk, specific_words
from calibrant.judges.free.text import sentences
from calibrant.state.task import Language, Question

MOST = 8
"""Parts beyond this many are left together in the last one."""

Draft = tuple[str, tuple[int, ...]]
"""A part and the places (from 0) of the parts that it waits for."""

COURTESY: dict[Language, str] = {
    EN: r"^(?:(?:hi|hello|hey|please|thanks|thank you|dear \w+|ok|okay|so|well)[,.! ]+|(?:can|could|would|will) you (?:please |kindly )?(?:tell me|explain(?: to me)?|help me understand|let me know|show me)\s+(?:about )?|i(?:'d| would) like to know\s+|i (?:want|need) to know\s+|(?:please )?tell me\s+(?=what|who|when|where|which|why|how|if|whether)|do you know\s+)+",
    PT: r"^(?:(?:oi|olá|por favor|obrigad[oa]|então|bem|bom dia|boa tarde)[,.! ]+|(?:você )?(?:pode|poderia) (?:por favor )?(?:me )?(?:dizer|explicar|informar)\s+|(?:eu )?(?:quero|gostaria de|preciso) saber\s+|(?:por favor )?me (?:diga|explique)\s+(?=o que|qual|quem|quando|onde|por que|como|se))+",
}
"""What is said to a person, not asked."""

_ASK_EN = (
    r"(?:(?:what|who|which|where|when|why|how)(?:'s| is| are| was| were| do| does| did| can| could| should| would| will| has| have|"
    r" many| much| long| often| old| far| about)\b|(?:what|which) \w+ (?:is|are|was|were|do|does|did|can|should|has|have)\b|"
    r"(?:is|are|does|do|did|can|should|will|would) (?:it|there|they|i|we|you|this|that|he|she)\b)"
)
_ASK_PT = r"(?:o que\b|qual\b|quais\b|quem\b|quando\b|onde\b|por que\b|como\b|quant[oa]s?\b|(?:é|há|existe|devo|posso|ele|ela|isso) \w+)"
_DO_EN = (
    r"(?:list|find|give|show|explain|describe|compare|summari[sz]e|identify|recommend|suggest|write|provide|tell me)\b"
)
_DO_PT = r"(?:liste|encontre|dê|mostre|explique|descreva|compare|resuma|identifique|recomende|sugira|escreva|forneça)\b"
JOINTS: dict[Language, str] = {
    EN: rf"\s*(?:[,;]\s*(?:and |then |also |or )+|[,;]\s*(?!who|which|wh?ere|when)|\s(?:and|then|and then|and also|but)\s+)(?={_ASK_EN}|{_DO_EN})",
    PT: rf"\s*(?:[,;]\s*(?:e |então |também |ou )+|[,;]\s*(?!quem|que|onde|quando|como)|\s(?:e|e então|e também|mas)\s+)(?={_ASK_PT}|{_DO_PT})",
}
"""Where one question ends and the next begins inside a sentence."""

TWO_WORDS: dict[Language, str] = {
    EN: r"^(?P<a>who|what|when|where|why|how) (?:and|or) (?P<b>who|what|when|where|why|how) (?P<rest>(?!much|many).{4,})$",
    PT: r"^(?P<a>quem|o que|quando|onde|por que|como) (?:e|ou) (?P<b>quem|o que|quando|onde|por que|como) (?P<rest>.{4,})$",
}
"""Two question words before one clause: "when and where was X born"."""

_AUX_EN = r"(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|to|and|or)\b"
SCENE: dict[Language, str] = {
    EN: rf"^(?:when|where|while) (?!{_AUX_EN})",
    PT: r"^quando (?!é|são|foi|foram|se|um|uma|vai|posso|devo|foi|será|começ\w+|surg\w+|nasc\w+|morr\w+|ocorr\w+)",
}
"""A clause that opens like a question but only sets the scene: "When AT&T financed the project, what ...". """

LEANING: dict[Language, str] = {
    EN: r"\b(?:each (?:of (?:them|these|those)|one|\w+)|these|those|they|them|their|the (?:first|second|latter|former))\b",
    PT: r"\b(?:cada (?:um|uma|\w+)|ess[ea]s?|dess[ea]s?|seus?|suas?|deles|delas)\b",
}
"""Words by which a later part leans on an earlier one."""

WITH_ITS: dict[Language, str] = {
    EN: r"^(?P<main>(?:list|identify|find|name|give|show|(?:what|who) (?:are|were))\b.{8,}?),? (?:and|along with|together with|as well as|including) (?P<what>(?:their|its|his|her)(?: respective)? [^,?]{3,70})$",
    PT: r"^(?P<main>(?:liste|identifique|encontre|cite|dê|mostre|(?:quais|quem) (?:são|eram|foram))\b.{8,}?),? (?:e|junto com|assim como|além de|bem como) (?P<what>(?:seus?|suas?|(?:[oa]s? )?respectiv[oa]s?) [^,?]{3,70})$",
}
"""A second thing wanted of whatever answers the first: "list the universities ... along with their mascots"."""


@dataclass(frozen=True)
class Split:
    """The parts of a request. ``suspected``: it looks like several steps, but how they divide is not plain."""

    questions: tuple[Question, ...]
    suspected: bool = False


def split(text: str, language: Language) -> Split:
    """The parts of ``text`` with ids q1, q2, ...; a plain question is one part."""
    drafts: list[Draft] = []
    units, scene = _units(text, language)
    for unit in units:
        drafts += _shifted(_parts(unit, language), len(drafts))
    drafts = _explained(_capped(drafts), scene, language)
    questions = tuple(
        Question(id=f"q{n}", text=part, depends_on=tuple(f"q{place + 1}" for place in waits))
        for n, (part, waits) in enumerate(drafts, 1)
    )
    return Split(questions, len(questions) == 1 and suspicious(text, language))


def _units(text: str, language: Language) -> tuple[list[str], str]:
    """The sentences that ask or instruct, and the scene that the others set; when nothing asks, all is asked."""
    found = [bare(sentence.text, language) for sentence in sentences(text) if sentence.kind != "code"]
    pieces = [_piece(piece) for sentence in found for piece in re.split(r"(?<=\?)\s+|;\s+(?=\w)", sentence)]
    pieces = [piece for piece in pieces if piece.strip(" ?.!")]
    asking = [piece for piece in pieces if _asks(piece, language)]
    if not asking:
        return [" ".join(pieces) or text.strip()], ""
    return asking, " ".join(piece for piece in pieces if piece not in asking)


def _piece(piece: str) -> str:
    return re.sub(r"^(?:and|then|also|e|então|também),? ", "", piece.strip(), flags=re.IGNORECASE)


def bare(sentence: str, language: Language) -> str:
    """``sentence`` without greetings and other courtesy."""
    asked = re.sub(COURTESY[language], "", sentence, flags=re.IGNORECASE)
    return asked if specific_words(asked, language) or not specific_words(sentence, language) else sentence


def _asks(piece: str, language: Language) -> bool:
    start = rf"{VERBAL[language]}|^{_DO_PT if language is PT else _DO_EN}"
    inside = _ASK_PT if language is PT else _ASK_EN
    joined = re.search(rf"(?:^|[,:]\s*|\b(?:and|e)\s+){inside}", piece, re.IGNORECASE) is not None
    return piece.endswith("?") or re.match(start, piece, re.IGNORECASE) is not None or joined


def _parts(unit: str, language: Language) -> list[Draft]:
    """The parts of one sentence, by the first reading that fits."""
    clauses = _clauses(unit.strip(" ."), language)
    if len(clauses) > 1:
        drafts: list[Draft] = []
        for clause in clauses:
            drafts += _shifted(_single(clause, language), len(drafts))
        return drafts
    return _single(unit, language)


def _single(clause: str, language: Language) -> list[Draft]:
    readings: tuple[Callable[[str, Language], list[Draft]], ...] = (_two_words, _with_its, compared, hops)
    for reading in readings:
        drafts = reading(clause.strip(" ?."), language)
        if len(drafts) > 1:
            return [(_asked(part, language), waits) for part, waits in drafts]
    return [(clause.strip(), ())]


def _clauses(unit: str, language: Language) -> list[str]:
    """A sentence cut where a new question begins, if both sides are questions or instructions."""
    cuts = [0]
    ends = []
    for joint in re.finditer(JOINTS[language], unit, re.IGNORECASE):
        left = unit[cuts[-1] : joint.start()]
        if joint.start() and _ends(left, unit[joint.end() :], language):
            ends.append(joint.start())
            cuts.append(joint.end())
    clauses = [unit[start:end].strip(" ,;?") for start, end in zip(cuts, [*ends, len(unit)], strict=True)]
    return [_asked(clause, language) for clause in clauses] if len(clauses) > 1 else [unit]


def _ends(left: str, right: str, language: Language) -> bool:
    """Whether a question ends with ``left``. An instruction on the right only follows an instruction ("how do I read and
    write files" is one question)."""
    do = _DO_PT if language is PT else _DO_EN
    if re.match(do, right, re.IGNORECASE) and not re.match(do, left.strip(), re.IGNORECASE):
        return False
    return _stands(left, language) and bool(specific_words(left, language) or dangling(left, language))


def _stands(clause: str, language: Language) -> bool:
    """Whether a clause is a question or an instruction by itself, not the scene for one ("If X, what ...")."""
    clause = clause.strip()
    start = rf"{VERBAL[language]}|^{_DO_PT if language is PT else _DO_EN}"
    asks = re.match(start, clause, re.IGNORECASE) is not None and len(clause.split()) > 2
    return asks and re.match(SCENE[language], clause, re.IGNORECASE) is None


def _two_words(clause: str, language: Language) -> list[Draft]:
    found = re.match(TWO_WORDS[language], clause, re.IGNORECASE)
    if found is None:
        return []
    return [(f"{found['a']} {found['rest']}", ()), (f"{found['b']} {found['rest']}", ())]


def _with_its(clause: str, language: Language) -> list[Draft]:
    found = re.match(WITH_ITS[language], clause, re.IGNORECASE)
    if found is None or not _stands(found["main"], language):
        return []
    ask = "Quais são" if language is PT else "What are"
    return [(found["main"], ()), (f"{ask} {found['what']}", (0,))]


def _asked(clause: str, language: Language) -> str:
    """A clause as a sentence of its own: capital first, a question mark where it asks."""
    clause = clause.strip(" ,;?.")
    if not clause:
        return clause
    instructs = re.match(_DO_PT if language is PT else _DO_EN, clause, re.IGNORECASE) is not None
    head = clause if re.match(r"[a-z]+[._(A-Z]", clause) else clause[:1].upper() + clause[1:]
    return head if instructs else f"{head}?"


def _explained(drafts: list[Draft], scene: str, language: Language) -> list[Draft]:
    """Parts that lean on an earlier one ("how do I avoid it?") wait for it and name in brackets what it is about."""
    explained: list[Draft] = []
    about = _about(scene, language) if scene else ""
    for place, (part, waits) in enumerate(drafts):
        lost = dangling(part, language)
        leans = bool(place) and (bool(lost) or re.search(LEANING[language], part, re.IGNORECASE) is not None)
        explained.append((bracketed(part, about) if lost else part, waits or ((place - 1,) if leans else ())))
        about = about if lost else _about(part, language) or about
    return explained


def bracketed(part: str, about: str) -> str:
    """``part`` with what its pronoun stands for in brackets at its end."""
    if not about:
        return part
    return f"{part[:-1]} ({about}){part[-1]}" if part[-1:] in ("?", ".") else f"{part} ({about})"


def _about(part: str, language: Language) -> str:
    """What a part is about, for the part that leans on it: an identifier it names and its longest phrase."""
    who = re.match(r"(?:who|quem) .+", part, re.IGNORECASE)
    if who:
        return who.group().strip(" ?").lower()[:3] + who.group().strip(" ?")[3:]
    coded = next((term.text for term in identifiers(part)), "")
    phrase = longest_chunk(part, language)
    return phrase if coded in phrase else f"{coded}, {phrase}".strip(", ")


def _shifted(drafts: list[Draft], by: int) -> list[Draft]:
    return [(part, tuple(place + by for place in waits)) for part, waits in drafts]


def _capped(drafts: list[Draft]) -> list[Draft]:
    if len(drafts) <= MOST:
        return drafts
    rest = " ".join(part for part, _ in drafts[MOST - 1 :])
    return [*drafts[: MOST - 1], (rest, ())]
