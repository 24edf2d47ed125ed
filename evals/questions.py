"""Questions over a set's own documents: what the tasks that run the graph ask, and the knowledge base they ask."""

import asyncio
import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calibrant.evals import scifact
from calibrant.evals.data import BESIDE, root_of, small_records
from calibrant.evals.halves import MANUALS
from calibrant.evals.manuals import manuals
from calibrant.evals.once import OncePerSet
from calibrant.evals.own import OWN, digest_of, own
from calibrant.evals.setup import Setup
from calibrant.evals.task import SMALL, Item
from calibrant.graph.settings import Machine
from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir
from calibrant.retrievers.knowledge.loaders import RECIPE
from calibrant.state.errors import ConfigurationError, InputError
from calibrant.state.protocols import TextEncoder

READY = "ready"
"""A file of this name says that a knowledge base is complete."""


@dataclass(frozen=True)
class Document:
    """A document of a set: one file of its knowledge base."""

    title: str
    text: str

    @property
    def name(self) -> str:
        """The name of its file, by which a citation of it is known."""
        return hashlib.sha256(f"{self.title}\n{self.text}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Question:
    """A question, its right answers as they stand in the documents, and the documents that hold them.

    ``answers`` empty: the question cannot be answered, or (with ``needs``) finding the documents is what counts.
    """

    key: str
    text: str
    answers: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Names of the documents that hold the answer."""
    together: bool = False
    """All of them are needed; else one is enough."""

    def item(self, dataset: str) -> Item:
        """As an item of a task."""
        truth = {"answers": list(self.answers), "needs": list(self.needs), "together": self.together}
        return Item(dataset, self.key, self.text, truth)


Loaded = tuple[list[Document], list[Question]]


def squad2(root: Path) -> Loaded:
    """Wikipedia paragraphs; about half of the questions cannot be answered from them."""
    held = json.loads((root / "squad2_dev" / "dev-v2.0.json").read_text(encoding="utf-8"))["data"]
    return _squad(held)


def faquad(root: Path) -> Loaded:
    """Portuguese paragraphs about a university; all questions can be answered."""
    return _squad(json.loads((root / "faquad_pt" / "train.json").read_text(encoding="utf-8"))["data"])


def _squad(articles: Iterable[dict[str, Any]]) -> Loaded:
    documents: list[Document] = []
    questions: list[Question] = []
    for article in articles:
        for paragraph in article["paragraphs"]:
            document = Document(article["title"].replace("_", " "), paragraph["context"])
            documents.append(document)
            for row in paragraph["qas"]:
                answers = tuple(dict.fromkeys(answer["text"] for answer in row["answers"]))
                needs = (document.name,) if answers else ()
                # The paragraph is the key, as for fitting: questions over one paragraph stay in one half.
                questions.append(Question(paragraph["context"], row["question"], answers, needs))
    return documents, questions


def nq_open(root: Path) -> Loaded:
    """Questions that people asked a search engine, each with the piece of a Wikipedia page that answers it."""
    documents, questions = [], []
    with gzip.open(root / "nq_open_oracle" / "nq-open-oracle.jsonl.gz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            gold = Document(row["ctxs"][0]["title"], row["ctxs"][0]["text"])
            documents.append(gold)
            questions.append(Question(row["question"], row["question"], tuple(row["answers"]), (gold.name,)))
    return documents, questions


def hotpot(root: Path) -> Loaded:
    """Questions that need two of ten pages."""
    documents: list[Document] = []
    questions: list[Question] = []
    text = (root / "hotpot_distractor100" / "hotpot_distractor_100.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, text.splitlines()):
        pages = {
            title: Document(title, "".join(said))
            for title, said in zip(row["context"]["title"], row["context"]["sentences"], strict=True)
        }
        documents.extend(pages.values())
        needs = tuple(dict.fromkeys(pages[title].name for title in row["supporting_facts"]["title"]))
        questions.append(Question(row["id"], row["question"], (), needs, together=True))
    return documents, questions


def scifact_claims(root: Path) -> Loaded:
    """Claims about health and biology, and the abstracts that support or contradict them."""
    documents = {name: Document(title, text) for name, title, text in scifact.abstracts(root)}
    found: dict[str, list[str]] = {}
    for one in scifact.rationales(root):
        if one.label != scifact.NOTHING:
            found.setdefault(one.claim, []).append(documents[one.abstract.id].name)
    return list(documents.values()), [Question(claim, claim, (), tuple(names)) for claim, names in found.items()]


def with_gaps(load: Callable[[Path], Loaded]) -> Callable[[Path], Loaded]:
    """A set without half of its documents: what only those tell cannot be answered any more.

    A question of theirs whose answer also stands in a document that is left is not asked: whether that one answers it,
    nobody has said.
    """

    def part(root: Path) -> Loaded:
        documents, questions = load(root)
        left = [one for one in documents if int(one.name, 16) % 2]
        names, texts = {one.name for one in left}, [_plain(one.text) for one in left]
        asked = []
        for question in questions:
            if not question.answers or names.issuperset(question.needs):
                asked.append(question)
            elif not any(words in text for words in _said(question.answers) for text in texts):
                asked.append(replace(question, answers=(), needs=()))
        return left, asked

    return part


SETS: dict[str, Callable[[Path], Loaded]] = {
    "squad2": squad2, "nq_open_oracle": nq_open, "hotpot": hotpot, "scifact": scifact_claims, "faquad": faquad,
    "nq_open_gaps": with_gaps(nq_open), "faquad_gaps": with_gaps(faquad),
}  # fmt: skip


def of_set(name: str) -> Callable[[Path], Iterator[Item]]:
    """A set's questions as a task's loader."""

    def load(root: Path) -> Iterator[Item]:
        return (question.item(name) for question in SETS[name](root)[1])

    return load


def small(record: Mapping[str, Any]) -> Item:
    """``question`` and ``answers`` (none: it cannot be answered), with ``title`` and ``text`` of the document that has
    them, unless all are asked of a user's own files."""
    needs = (Document(record["title"], record["text"]).name,) if record["answers"] and "text" in record else ()
    return Question(record["question"], record["question"], tuple(record["answers"]), needs).item("small")


def documents_of(dataset: str, task: str, root: Path | None) -> list[Document]:
    """The documents that a set's questions are asked of. ``task``: whose small set is meant."""
    if dataset == SMALL or dataset.endswith(OWN):
        records = small_records(task) if dataset == SMALL else own(dataset).records
        return [Document(record["title"], record["text"]) for record in records]
    if root is None:
        raise InputError(f"{dataset} is not here: set CALIBRANT_DATASETS to the folder of the datasets")
    return SETS[dataset](root)[0]


class Libraries:
    """The knowledge bases of an eval, each made at its first question and kept below ``folder``."""

    def __init__(self, setup: Setup, task: str) -> None:
        self._setup = setup
        self._task = task
        self._folder = setup.machine.data_dir / "evals"
        self._made = OncePerSet(lambda library: asyncio.to_thread(self._make, library))

    async def machine(self, library: str) -> Machine:
        """The machine whose only knowledge base is that of a set, or the one called ``library`` of several."""
        place = await self._made.of(library)
        return self._setup.machine.model_copy(update={"data_dir": place, "sources": ("knowledge",)})

    def _root(self) -> Path | None:
        return root_of(self._setup.machine.datasets)

    def _make(self, library: str) -> Path:
        if library.startswith(f"{MANUALS}/"):
            return manual_base(self._folder, library.partition("/")[2], self._root(), self._setup.encoder)
        name = re.sub(r"[^a-z0-9]+", "_", Path(library).stem.lower()).strip("_") or "own"
        held = own(library) if library.endswith(OWN) else None
        if held is not None and held.documents:
            return read_once(self._folder, name, held.digest, self._setup.encoder, lambda place: held.files)
        documents = documents_of(library, self._task, self._root())
        return knowledge(self._folder, name, documents, self._setup.encoder)


def knowledge(folder: Path, name: str, documents: Sequence[Document], encoder: TextEncoder | None) -> Path:
    """The data directory with ``documents`` as its only knowledge base, as ``read_once`` makes it."""
    digest = digest_of(one.name.encode() for one in documents)
    return read_once(folder, name, digest, encoder, lambda place: _written(place, documents))


def manual_base(folder: Path, name: str, root: Path | None, encoder: TextEncoder | None) -> Path:
    """The data directory with a manual's files as its only knowledge base, as ``read_once`` makes it."""
    manual = manuals()[name]
    paths = manual.paths(root or BESIDE)
    return read_once(folder, name, manual.commit[:12], encoder, lambda place: paths)


def read_once(
    folder: Path, name: str, content: str, encoder: TextEncoder | None, files: Callable[[Path], Sequence[Path]]
) -> Path:
    """The data directory whose only knowledge base holds ``files`` (given the directory), made once for each
    ``content``, encoder and way to read files.

    Blocking: it reads, and embeds where there is an encoder. Raises ``ConfigurationError`` where nothing could be read.
    """
    identity = re.sub(r"\W+", "-", encoder.identity) if encoder is not None else "words"
    place = folder / f"{name}-{content}-{identity}-{RECIPE}"
    if not (place / READY).exists():
        shutil.rmtree(place, ignore_errors=True)
        _ingest(place, name, files(place), encoder)
        (place / READY).touch()
    return place


def _ingest(place: Path, name: str, files: Sequence[Path], encoder: TextEncoder | None) -> None:
    base = KnowledgeBase.open(knowledge_dir(place, name), name, create=True, encoder=encoder)
    try:
        if not base.ingest(files).chunks:
            raise ConfigurationError(f"{name}: none of its documents could be read")
        if encoder is not None:
            base.index_vectors()
    finally:
        base.close()


def _written(place: Path, documents: Sequence[Document]) -> list[Path]:
    """The folder below ``place`` with ``documents`` as files."""
    folder = place / "documents"
    folder.mkdir(parents=True)
    for one in documents:
        (folder / f"{one.name}.md").write_text(f"# {one.title}\n\n{one.text}\n", encoding="utf-8")
    return [folder]


def document_of(url: str) -> str:
    """The document that a passage of such a knowledge base stands in, by its name."""
    return Path(url).stem


def holds(text: str, answers: Iterable[str]) -> bool:
    """Whether one of ``answers`` stands in ``text``, whatever the case, the spacing and the punctuation."""
    held = _plain(text)
    return any(words in held for words in _said(answers))


def _said(answers: Iterable[str]) -> list[str]:
    """The words of those that have any, to be looked for in what ``_plain`` makes of a text."""
    return [words for answer in answers if (words := _plain(answer)).strip()]


def _plain(text: str) -> str:
    """The words alone, each between spaces."""
    words = " ".join(re.findall(r"\w+", text.lower()))
    return f" {words} "
