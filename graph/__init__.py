"""The wiring: builder, routing, settings, persistence and the entry points."""
