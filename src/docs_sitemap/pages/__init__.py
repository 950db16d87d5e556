"""The pages of a site, its base URL, its hosting service, and which pages the sitemap lists.

Knows nothing about dates and writes no files.
"""
