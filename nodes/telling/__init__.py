"""What a reader is told: the few phrases of the product, the lines and sources of an answer, what a person is asked."""
