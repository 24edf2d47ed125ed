"""Where evidence comes from: one source per module behind one protocol, and the knowledge base."""
