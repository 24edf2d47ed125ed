"""What the claims are worth together: support, conflicts, the score of a result, the composed answer."""
