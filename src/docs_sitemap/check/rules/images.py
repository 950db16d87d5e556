"""I: the images of pages."""

from __future__ import annotations

from collections.abc import Iterator

from docs_sitemap.check.findings import RULES, Found
from docs_sitemap.check.site import Site
from docs_sitemap.limits import MAX_IMAGES


@RULES.add(
    "I1",
    "warning",
    "Images that engines do not index",
    """A URL lists at most 1,000 images, each with image:loc only: since 2022, caption, title, license and
    geo_location are no longer read (Google, image sitemaps). An image below the site's base URL must be in
    the build.""",
)
def images(site: Site) -> Iterator[Found]:
    """Find too many images, obsolete tags, and missing images."""
    for document in site.sitemaps.all:
        if document.dropped:
            tags = ", ".join(f"image:{name}" for name in sorted(document.dropped))
            yield Found(f"{tags}: no longer read by engines", file=document.name)
    known: dict[str, bool] = {}
    for listed in site.listed:
        urls = listed.entry.images
        if len(urls) > MAX_IMAGES:
            yield listed.in_sitemap(f"has {len(urls):,} images, more than {MAX_IMAGES:,}")
        for image in dict.fromkeys(urls):
            if image not in known:
                known[image] = _exists(site, image)
                if not known[image]:
                    yield listed.in_sitemap(f"its image {image} is not in the build")


def _exists(site: Site, image: str) -> bool:
    """Tell whether an image is in the build; assume so if it is outside the site."""
    ours = any(base and image.startswith(base) for base in (site.base, site.listed_base))
    return not ours or site.file_of(image) is not None
