"""One adapter per generator: each converts its host's pages to ``Page`` records."""
