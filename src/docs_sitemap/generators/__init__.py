"""One adapter a generator: each turns its host's pages into ``Page`` records."""
