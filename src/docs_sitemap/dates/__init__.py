"""Determines the date of a page from the dates of the files that make it.

Knows no generator: evidence of what a page includes is about Markdown and Python alone.
"""
