"""The values of ``calibrant.state``: rules, ledgers, reducers and readers, as tables and properties."""
