"""The remote sources against services that speak their documented formats, on loopback."""
