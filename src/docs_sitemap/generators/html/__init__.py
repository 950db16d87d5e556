"""Converts a built tree of HTML files, from any generator, to ``Page`` records."""

from docs_sitemap.generators.html.addresses import Addresses
from docs_sitemap.generators.html.known.generator import read_front_matter
from docs_sitemap.generators.html.sources import Sources, check_folder, no_folder
from docs_sitemap.generators.html.tree import Tree

__all__ = ["Addresses", "Sources", "Tree", "check_folder", "no_folder", "read_front_matter"]
