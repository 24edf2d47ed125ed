"""The LLM-free tier: pure functions over text, and over token vectors where an encoder is there."""
