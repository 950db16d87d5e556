"""What a site consists of: its pages, its address, what its host says, and which pages are listed.

Knows no dates and writes no files.
"""
