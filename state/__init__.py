"""What flows through the graph: frozen values, typed state, the decision rule, budgets and errors. Pure: no I/O, no
clock, no randomness."""
