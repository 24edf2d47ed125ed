"""The sentences that answer, quoted: what may be one, how much of it is told, which claims it makes."""
