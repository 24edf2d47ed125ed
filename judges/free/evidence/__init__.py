"""Whether passages answer a question: features of sentences and passages, relevance, sufficiency, quality."""
