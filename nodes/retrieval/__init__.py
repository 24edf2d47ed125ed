"""The nodes of the ``retrieve`` subgraph: plan_search -> search (one a source and query) -> rank -> again, or
distil."""
