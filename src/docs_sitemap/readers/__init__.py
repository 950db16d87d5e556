"""Reads what others wrote: files, YAML, TOML and JSON, HTML, sitemaps.

Knows what the input says, not what callers do with it.
"""
