"""How the shipped numbers were fitted: the reader, the weights of features, the calibrators' curves."""
