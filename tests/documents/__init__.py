"""Documents as people keep them, and questions in other words than theirs."""
