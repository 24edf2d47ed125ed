"""The gate: small sets written for this project, and the figures that must not get worse on them."""
