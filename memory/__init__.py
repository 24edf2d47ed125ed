"""Experiences and patterns over LangGraph's BaseStore."""
