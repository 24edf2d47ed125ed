"""Thin adapters over the graph: command line, MCP server, HTTP app."""
