"""Reading what others wrote: files, YAML, TOML and JSON, HTML, sitemaps. In bounded time and memory.

Knows what a format says, and not what follows from it.
"""
