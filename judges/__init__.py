"""Every judgement: an LLM-free tier that is always there, an LLM tier for doubt, and the cascade that chooses."""
