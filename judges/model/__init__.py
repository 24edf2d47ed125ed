"""The LLM tier: one port to any chat model, the structured-output ladder, one prompt and one schema a judgement."""
