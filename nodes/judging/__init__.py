"""From what a phase observed to what follows: signals, the decision, the request for a search, another round."""
