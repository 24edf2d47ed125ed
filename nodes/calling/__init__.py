"""Tool calls: their approval, the call itself, and a plan put right by what a person said of it."""
