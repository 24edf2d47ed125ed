"""The kinds of documents that a knowledge base holds, by themselves: the command line's help loads nothing more."""

KINDS = ("text", "markdown", "html", "pdf", "docx", "csv", "code")
