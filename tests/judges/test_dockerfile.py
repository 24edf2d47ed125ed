"""Dockerfiles: an instruction is read with its comment; what is no Dockerfile is left alone."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.words.dockerfile import image_steps
from calibrant.judges.free.words.text import sentences

IMAGE = """\
# syntax=docker/dockerfile:1
# Image of the renderer.
FROM python:3.12-slim AS build

# Without fonts the barcodes come out blank. They are small.
RUN apt-get update && \\
    apt-get install -y fonts-dejavu-core
EXPOSE 8080
USER 10001
"""


def test_an_instruction_is_read_with_its_comment() -> None:
    found = image_steps(IMAGE)
    assert [one.text for one in found] == [
        "FROM: python:3.12-slim AS build (syntax=docker/dockerfile:1 Image of the renderer)",
        "RUN: apt-get update && apt-get install -y fonts-dejavu-core "
        "(Without fonts the barcodes come out blank; They are small)",
        "EXPOSE: 8080",
        "USER: 10001",
    ]
    assert IMAGE[found[1].start : found[1].end].startswith("# Without fonts")
    assert IMAGE[found[1].start : found[1].end].endswith("fonts-dejavu-core")
    assert [one.text for one in sentences(IMAGE)] == [one.text for one in found]
    assert {one.kind for one in sentences(IMAGE)} == {"item"}


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\nRUN the tests first.\n",
        "# Rules\nRUN fast.\nCOPY nothing.\nADD salt.\nThen go home.\n",
        "FROM Leeds to York.\n",
        "",
    ],
)
def test_prose_is_no_dockerfile(text: str) -> None:
    assert image_steps(text) == ()


@given(st.lists(st.sampled_from(["# why", "", "RUN a \\", "  b", "USER 1", "EXPOSE 80", "x", "ENV A=1"]), max_size=12))
def test_what_is_read_stands_in_the_text(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = image_steps(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
