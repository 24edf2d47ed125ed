"""Experiences and patterns over LangGraph's BaseStore."""

from calibrant.memory.remembering import Memory

__all__ = ["Memory"]
