"""The parts of a request: each question in it that needs an answer of its own, and which of them wait for another's.

Splitting is cautious: a part not seen costs a little coverage, a plain question cut in pieces costs a search each.
Where the words only hint at several steps, the request stays whole and ``suspected`` says so.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from calibrant.judges.free.request.about import described
from calibrant.judges.free.request.compared import compared
from calibrant.judges.free.request.followup import bracketed, dangling, subjectless
from calibrant.judges.free.request.followup_cues import THINGS, VERBAL
from calibrant.judges.free.request.hops import Draft, hops, suspicious
from calibrant.judges.free.request.part_cues import (
    ASK,
    CONDITION,
    COURTESY,
    DO,
    IF_SO,
    JOINTS,
    LEANING,
    MEASURED,
    OBJECT,
    RELATIVE,
    SCENE,
    THANKS,
    TWO_WORDS,
    WHAT_ARE,
    WITH_ITS,
)
from calibrant.judges.free.words.terms import identifiers, longest_chunk, specific_words
from calibrant.judges.free.words.text import sentences
from calibrant.state.task import Language, Question

MOST = 8
"""Parts beyond this many are left together in the last one."""

_TELLS_WITHIN = 300
"""Characters in which a question has said what it is about. One that has not is read no further: a long run of empty
questions would be read again at each of its joints."""

_TELLING, _SCENE = 2, 300
"""A question is asked with what was said before it, up to so many characters; one with fewer words of its own also with
what is said behind it."""


@dataclass(frozen=True)
class Split:
    """The parts of a request. ``suspected``: it looks like several steps, but how they divide is not plain."""

    questions: tuple[Question, ...]
    suspected: bool = False


def split(text: str, language: Language) -> Split:
    """The parts of ``text`` with ids q1, q2, ...; a plain question is one part."""
    units, scene = _units(text, language)
    drafts = _explained(_capped(_in_a_row(_parts(unit, language) for unit in units)), scene, language)
    questions = tuple(
        Question(id=f"q{n}", text=part, depends_on=tuple(f"q{place + 1}" for place in waits))
        for n, (part, waits) in enumerate(drafts, 1)
    )
    return Split(questions, len(questions) == 1 and suspicious(text, language))


def asked_apart(text: str, parts: Sequence[str]) -> bool:
    """Whether ``text`` is nothing but these questions, each a sentence of its own: they need no other words, and their
    answers no conclusion. A part that leans on another one is worded anew, and does not stand there."""
    left = text
    for part in parts:
        if not part.endswith("?") or part not in left:
            return False
        left = left.replace(part, " ", 1)
    return len(parts) > 1 and re.search(r"\w", left) is None


@dataclass(frozen=True)
class _Scene:
    """What the sentences say that ask nothing: all of them, and those before the first one that asks."""

    all: str = ""
    before: str = ""


def _units(text: str, language: Language) -> tuple[list[str], _Scene]:
    """The sentences that ask or instruct, and the scene that the others set; when nothing asks, all is asked."""
    found = [bare(sentence.text, language) for sentence in sentences(text) if sentence.kind != "code"]
    apart = (piece for sentence in found for piece in re.split(r"(?<=\?)\s+|;\s+(?=\w)", sentence))
    pieces = [_piece(piece) for whole in apart for piece in _from_its_scene(whole, language)]
    pieces = [piece for piece in pieces if piece.strip(" ?.!")]
    asking = [piece for piece in pieces if asks(piece, language)]
    if not asking:
        return [" ".join(pieces) or text.strip()], _Scene()
    others = [piece for piece in pieces if piece not in asking]
    before = [_ended(piece) for piece in pieces[: pieces.index(asking[0])] if _tells(piece, language)]
    return asking, _Scene(" ".join(others), " ".join(before))


def _from_its_scene(piece: str, language: Language) -> list[str]:
    """What is told before a colon and the several things that are asked behind it: "I travel next week: what do I get a
    day, and when is it paid?"."""
    scene, _, asked = piece.partition(": ")
    is_scene = " " in scene and _tells(scene, language) and not asks(scene, language)
    if not (is_scene and _opens(asked, language)):
        return [piece]
    return [f"{scene}:", asked] if len(_parts(asked, language)) > 1 else [piece]


def _tells(piece: str, language: Language) -> bool:
    """Whether a sentence says more than courtesy does."""
    return bool(specific_words(re.sub(COURTESY[language], "", piece, flags=re.IGNORECASE), language))


def _ended(piece: str) -> str:
    return piece if piece[-1] in ".!:" else f"{piece}."


def _piece(piece: str) -> str:
    return re.sub(r"^(?:and|then|also|e|então|também),? ", "", piece.strip(), flags=re.IGNORECASE)


def bare(sentence: str, language: Language) -> str:
    """``sentence`` without greetings and other courtesy."""
    asked = re.sub(COURTESY[language], "", re.sub(THANKS[language], "", sentence), flags=re.IGNORECASE)
    return asked if specific_words(asked, language) or not specific_words(sentence, language) else sentence


def asks(piece: str, language: Language) -> bool:
    """Whether a sentence asks something, or tells what to do, be it on the answer to another one."""
    piece = re.sub(rf"^{IF_SO[language]}", "", piece, flags=re.IGNORECASE)
    joined = re.search(rf"(?:^|[,:]\s*|\b(?:and|e)\s+){ASK[language]}", piece, re.IGNORECASE) is not None
    return piece.endswith("?") or _opens(piece, language) or joined


def _opens(piece: str, language: Language) -> bool:
    """Whether ``piece`` begins as a question or an instruction does."""
    return re.match(rf"{VERBAL[language]}|{DO[language]}", piece, re.IGNORECASE) is not None


def _instructs(piece: str, language: Language) -> bool:
    return re.match(DO[language], piece, re.IGNORECASE) is not None


def _parts(unit: str, language: Language) -> list[Draft]:
    """The parts of one sentence, by the first reading that fits."""
    clauses = _clauses(unit.strip(" ."), language)
    if len(clauses) > 1:
        return _in_a_row(_single(clause, language) for clause in clauses)
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
        left = unit[cuts[-1] : joint.start()][:_TELLS_WITHIN]
        if joint.start() and _ends(left, unit[joint.end() :], language):
            ends.append(joint.start())
            cuts.append(joint.end())
    clauses = [unit[start:end].strip(" ,;?") for start, end in zip(cuts, [*ends, len(unit)], strict=True)]
    return [_asked(clause, language) for clause in clauses] if len(clauses) > 1 else [unit]


def _ends(left: str, right: str, language: Language) -> bool:
    """Whether a question ends with what begins with ``left``.

    An instruction on the right only follows an instruction: "how do I read and write files" is one question.
    """
    if _instructs(right, language) and not _instructs(left.strip(), language):
        return False
    if re.match(r"(?:who|quem)\b", right, re.IGNORECASE) and re.search(RELATIVE[language], left, re.IGNORECASE):
        return False
    if re.search(CONDITION[language], left, re.IGNORECASE):
        return False
    leans = dangling(left, language) or subjectless(left, language)
    return _stands(left, language) and bool(specific_words(left, language) or leans)


def _stands(clause: str, language: Language) -> bool:
    """Whether a clause is a question or an instruction by itself, not the scene for one ("If X, what ...")."""
    clause = clause.strip()
    is_scene = re.match(SCENE[language], clause, re.IGNORECASE) is not None
    return _opens(clause, language) and len(clause.split()) > 2 and not is_scene


def _two_words(clause: str, language: Language) -> list[Draft]:
    found = re.match(TWO_WORDS[language], clause, re.IGNORECASE)
    if found is None:
        return []
    return [(f"{found['a']} {found['rest']}", ()), (f"{found['b']} {found['rest']}", ())]


def _with_its(clause: str, language: Language) -> list[Draft]:
    found = re.match(WITH_ITS[language], clause, re.IGNORECASE)
    if found is None or not _stands(found["main"], language):
        return []
    return [(found["main"], ()), (f"{WHAT_ARE[language]} {found['what']}", (0,))]


def _asked(clause: str, language: Language) -> str:
    """A clause as a sentence of its own: capital first, a question mark where it asks."""
    clause = clause.strip(" ,;?.")
    if not clause:
        return clause
    head = _capitalised(clause)
    return head if _instructs(clause, language) else f"{head}?"


def _capitalised(clause: str) -> str:
    return clause if re.match(r"[a-z]+[._(A-Z]", clause) else clause[:1].upper() + clause[1:]


def _explained(drafts: list[Draft], scene: _Scene, language: Language) -> list[Draft]:
    """Parts that lean on an earlier one ("how do I avoid it?") wait for it and name in brackets what it is about; the
    others are asked with the scene that was set for them."""
    explained: list[Draft] = []
    subject = scene.all
    for place, (part, waits) in enumerate(drafts):
        done_to = re.match(OBJECT[language], part, re.IGNORECASE) if place else None
        lost = done_to["it"] if done_to else dangling(part, language)
        bare_verb = bool(place) and subjectless(part, language)
        leans = bool(place) and (bool(lost) or bare_verb or re.search(LEANING[language], part, re.IGNORECASE))
        needs = waits or ((place - 1,) if leans else ())
        told = part
        if not leans and 0 < len(scene.before) <= _SCENE:
            told = f"{scene.before} {_capitalised(part)}"
        elif not place and _needs_scene(part, scene.all, language):
            told = f"{scene.all} {part}"
        elif lost or bare_verb:
            told = bracketed(part, (described(subject) if bare_verb else "") or _about(subject, language, lost))
        explained.append((told, needs))
        subject = subject if lost or bare_verb or not _about(part, language) else part
    return explained


def _needs_scene(part: str, scene: str, language: Language) -> bool:
    """Whether a question says too little without the sentences before it."""
    return 0 < len(scene) <= _SCENE and len(specific_words(part, language)) < _TELLING


def _about(part: str, language: Language, pronoun: str = "") -> str:
    """What a part is about, for the part that leans on it: whom it asks for ("who wrote Dune"), or what that person did
    it to where the ``pronoun`` is a thing's (Dune); else an identifier it names and its longest phrase."""
    who = re.match(r"(?:who|quem) \w+(?: (?P<thing>.+))?", part.strip(" ?"), re.IGNORECASE)
    if who:
        thing = who["thing"] if re.fullmatch(THINGS[language], pronoun, re.IGNORECASE) else ""
        return thing or who.group()[:3].lower() + who.group()[3:]
    coded = next((term.text for term in identifiers(part)), "")
    rest = re.sub(MEASURED[language], "", part, flags=re.IGNORECASE)
    phrase = longest_chunk(rest, language) or longest_chunk(part, language)
    return phrase if coded in phrase else f"{coded}, {phrase}".strip(", ")


def _in_a_row(groups: Iterable[list[Draft]]) -> list[Draft]:
    """The parts of several groups, each waiting for those of its own."""
    drafts: list[Draft] = []
    for group in groups:
        before = len(drafts)
        drafts += [(part, tuple(before + place for place in waits)) for part, waits in group]
    return drafts


def _capped(drafts: list[Draft]) -> list[Draft]:
    if len(drafts) <= MOST:
        return drafts
    rest = " ".join(part for part, _ in drafts[MOST - 1 :])
    return [*drafts[: MOST - 1], (rest, ())]
