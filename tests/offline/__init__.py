"""The switch that keeps tests off the network, for the test process and for the interpreters that it starts."""
