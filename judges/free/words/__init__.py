"""Words, apart from any question: language, sentences, stems, numbers, units, opposites."""
