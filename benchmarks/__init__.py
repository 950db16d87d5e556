"""Benchmarks: what dates and sitemaps cost, and whether those of real sites are right.

Scripts, not tests. ``python -m benchmarks --help`` says what there is. They measure with ``wait4``, so
they run on Linux and macOS.
"""
