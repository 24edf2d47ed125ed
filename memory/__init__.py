"""Experiences and patterns over LangGraph's BaseStore."""

from calibrant.memory.records import INDEXED
from calibrant.memory.remembering import Memory

__all__ = ["INDEXED", "Memory"]
