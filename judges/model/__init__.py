"""The LLM tier: one port to any chat model, the structured-output ladder, one prompt and one schema a judgement."""

from calibrant.judges.model.opening import open_model
from calibrant.judges.model.port import ModelPort, open_port

__all__ = ["ModelPort", "open_model", "open_port"]
