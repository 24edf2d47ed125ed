"""Distilling: each entry stands in its passage, in the right drawer, once."""

import pytest

from calibrant.judges.free.answering.distil import Distiller, is_mistake, is_pattern, is_practice, language_of_code
from calibrant.judges.given import ToDistil
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.retrieval import Distillate

TEXT = """# Temporary files

A temporary file holds data that a program needs for a short time.
You should create temporary files with NamedTemporaryFile.
Avoid mktemp for temporary files: it is deprecated and open to a race condition.
The context manager pattern closes temporary files at the end of the block.

Create a temporary file:

```python
with NamedTemporaryFile() as file:
    file.write(b"x")
```

>>> tempfile.gettempdir()
'/tmp'
"""


def distil(query: str, *texts: str) -> Distillate:
    evidence = tuple(
        Evidence(id=f"p{i}", text=text, title="Files", source="knowledge", url=f"file:///{i}")
        for i, text in enumerate(texts)
    )
    return Distiller().free(ToDistil(query=query, evidence=evidence)).value


def test_each_kind_finds_its_drawer() -> None:
    found = distil("How to create temporary files?", TEXT)
    assert any("NamedTemporaryFile" in insight.text for insight in found.best_practices)
    assert [insight.text[:12] for insight in found.common_mistakes] == ["Avoid mktemp"]
    assert any("context manager pattern" in insight.text for insight in found.patterns)
    assert found.key_insights
    assert {example.language for example in found.code_examples} == {"python"}
    assert any(example.code.startswith("with NamedTemporaryFile") for example in found.code_examples)
    assert found.code_examples[0].evidence_id == "p0"


def kept(text: str, relevance: float, heading: str = "") -> Evidence:
    return Evidence(
        id="k", text=text, title="Notes", source="web", url="https://example.org", relevance=relevance,
        locator=Locator(heading=heading),
    )  # fmt: skip


ADVICE = """Not handling cache misses leads to a stampede. Do not forget to invalidate entries on updates.

```go
c := cache.New(time.Minute)
c.Set(key, value)
```
"""


@pytest.mark.parametrize(("relevance", "told"), [(0.04, 0), (0.36, 1)])
def test_advice_and_code_come_from_pages_on_the_subject_alone(relevance: float, told: int) -> None:
    """They answer no question: how well the page fits decides, not how well the sentence does."""
    query = "Request handler optimization"
    found = Distiller().free(ToDistil(query=query, evidence=(kept(ADVICE, relevance),))).value
    assert (len(found.common_mistakes), len(found.code_examples)) == (told, told)


@pytest.mark.parametrize(
    ("heading", "practices", "mistakes"),
    [("Caching", 0, 1), ("Caching > Mistakes", 0, 2), ("Erros comuns", 0, 2), ("Caching > Best practices", 1, 1),
     ("Mistakes > Caching", 0, 1)],
)  # fmt: skip
def test_what_stands_under_such_a_heading_is_one_in_whatever_words(heading: str, practices: int, mistakes: int) -> None:
    given = ToDistil(query="Request handler optimization", evidence=(kept(ADVICE, 0.36, heading),))
    found = Distiller().free(given).value
    assert (len(found.best_practices), len(found.common_mistakes)) == (practices, mistakes)


def test_repeats_are_told_once_and_lists_are_short() -> None:
    found = distil("How to create temporary files?", *(TEXT for _ in range(8)))
    assert len(found.common_mistakes) == 1
    assert all(len(entries) <= 5 for entries in (found.key_insights, found.best_practices, found.code_examples))


def test_nothing_from_nothing() -> None:
    assert distil("How to create temporary files?") == Distillate()


@pytest.mark.parametrize("text", ["Do not use eval.", "Evite usar eval.", "This is deprecated.", "Nunca use isso."])
def test_warnings(text: str) -> None:
    assert is_mistake(text)
    assert not is_practice(text)


@pytest.mark.parametrize("text", ["You should close it.", "Recomenda-se fechar o arquivo.", "Prefer tuples."])
def test_practices(text: str) -> None:
    assert is_practice(text)


def test_patterns_and_languages() -> None:
    assert is_pattern("Use the observer pattern here.")
    assert not is_pattern("The file is closed.")
    assert language_of_code("SELECT a FROM b") == "sql"
    assert language_of_code("x", "js") == "javascript"
    assert language_of_code(">>> 1") == "python"
