"""The nodes of the graph, one per module: ``async def node(state, runtime) -> Update``."""
