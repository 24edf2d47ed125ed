"""The LLM tier, over the real client and a loopback endpoint."""
