"""The date of a page, from the dates of the files that it is made of.

Knows no generator: evidence of what a page includes is about Markdown and Python alone.
"""
