project = "Widgets"
copyright = "The Widgets authors"

extensions = ["docs_sitemap"]
exclude_patterns = ["_build", "_shared", "_extra"]

html_theme = "alabaster"
html_baseurl = "https://example.org/widgets/"
html_extra_path = ["_extra"]  # robots.txt: the Sitemap line is added to it in the output

docs_sitemap_exclude = ["drafts/"]
