"""Loopback servers that speak the protocols of the services we call."""
