"""Builds on hosting services, with the variables that these document, and what they leave.

The documentation's table is made from the same builds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

READ_THE_DOCS = {
    "READTHEDOCS": "True",
    "READTHEDOCS_PROJECT": "example",
    "READTHEDOCS_LANGUAGE": "en",
    "READTHEDOCS_VERSION": "latest",
    "READTHEDOCS_VERSION_NAME": "latest",
    "READTHEDOCS_VERSION_TYPE": "branch",
    "READTHEDOCS_CANONICAL_URL": "https://docs.example.com/en/latest/",
}
READ_THE_DOCS_PREVIEW = READ_THE_DOCS | {
    "READTHEDOCS_VERSION": "17",
    "READTHEDOCS_VERSION_NAME": "17",
    "READTHEDOCS_VERSION_TYPE": "external",
    "READTHEDOCS_CANONICAL_URL": "https://example--17.org.readthedocs.build/en/17/",
}
NETLIFY = {
    "NETLIFY": "true",
    "BUILD_ID": "5d4aeac2ccabf517d2f219b8",
    "CONTEXT": "production",
    "BRANCH": "main",
    "HEAD": "main",
    "PULL_REQUEST": "false",
    "URL": "https://example.netlify.app",
    "DEPLOY_URL": "https://5d4aeac2ccabf517d2f219b7--example.netlify.app",
    "DEPLOY_PRIME_URL": "https://main--example.netlify.app",
}
NETLIFY_PREVIEW = NETLIFY | {
    "CONTEXT": "deploy-preview",
    "BRANCH": "pull/17/head",
    "HEAD": "fix",
    "PULL_REQUEST": "true",
    "REVIEW_ID": "17",
    "DEPLOY_PRIME_URL": "https://deploy-preview-17--example.netlify.app",
}
VERCEL = {
    "VERCEL": "1",
    "CI": "1",
    "VERCEL_ENV": "production",
    "VERCEL_TARGET_ENV": "production",
    "VERCEL_URL": "example-1a2b3c4d-team.vercel.app",
    "VERCEL_BRANCH_URL": "example-git-main-team.vercel.app",
    "VERCEL_PROJECT_PRODUCTION_URL": "docs.example.com",
    "VERCEL_GIT_COMMIT_REF": "main",
}
VERCEL_PREVIEW = VERCEL | {
    "VERCEL_ENV": "preview",
    "VERCEL_TARGET_ENV": "preview",
    "VERCEL_URL": "example-5e6f7a8b-team.vercel.app",
    "VERCEL_GIT_COMMIT_REF": "fix",
    "VERCEL_GIT_PULL_REQUEST_ID": "17",
}
GITLAB = {
    "CI": "true",
    "GITLAB_CI": "true",
    "CI_PIPELINE_SOURCE": "push",
    "CI_COMMIT_BRANCH": "main",
    "CI_DEFAULT_BRANCH": "main",
    "CI_PAGES_DOMAIN": "gitlab.io",
    "CI_PAGES_HOSTNAME": "group.gitlab.io",
    "CI_PAGES_URL": "https://group.gitlab.io/project",
}
GITLAB_VERSION = GITLAB | {"CI_COMMIT_BRANCH": "1.x", "CI_PAGES_URL": "https://group.gitlab.io/project/1.x"}
GITLAB_PREVIEW = GITLAB | {
    "CI_PIPELINE_SOURCE": "merge_request_event",
    "CI_MERGE_REQUEST_IID": "17",
    "CI_PAGES_URL": "https://group.gitlab.io/project/mr-17",
}
del GITLAB_PREVIEW["CI_COMMIT_BRANCH"]  # "not available in merge request pipelines"
CLOUDFLARE = {
    "CI": "true",
    "CF_PAGES": "1",
    "CF_PAGES_COMMIT_SHA": "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
    "CF_PAGES_BRANCH": "main",
    "CF_PAGES_URL": "https://373f31e2.example.pages.dev",
}
CLOUDFLARE_PUBLIC = CLOUDFLARE | {"CF_PAGES_URL": "https://docs.example.com"}
CLOUDFLARE_PREVIEW = CLOUDFLARE | {"CF_PAGES_BRANCH": "fix", "DOCS_SITEMAP_PREVIEW": "1"}
GITHUB = {
    "CI": "true",
    "GITHUB_ACTIONS": "true",
    "GITHUB_PAGES": "true",
    "GITHUB_REPOSITORY": "owner/project",
    "GITHUB_EVENT_NAME": "push",
    "GITHUB_REF_NAME": "main",
}
GITHUB_PULL_REQUEST = GITHUB | {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_HEAD_REF": "fix"}

WORKERS = {
    "CI": "true",
    "WORKERS_CI": "1",
    "WORKERS_CI_BUILD_UUID": "26d3ca5a-b3a5-4a2f-a1a1-2f1a3a7d1c11",
    "WORKERS_CI_COMMIT_SHA": "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
    "WORKERS_CI_BRANCH": "main",
}
HOSTED = READ_THE_DOCS | {"READTHEDOCS_CANONICAL_URL": "https://example.readthedocs.io/en/latest/"}
SUBPROJECT = {"READTHEDOCS_CANONICAL_URL": "https://docs.example.com/projects/example/en/latest/"}
TRANSLATION = READ_THE_DOCS | {
    "READTHEDOCS_PROJECT": "example-de",
    "READTHEDOCS_LANGUAGE": "de",
    "READTHEDOCS_CANONICAL_URL": "https://example.readthedocs.io/de/latest/",
}

AUTHORS: Final = b"User-agent: *\nDisallow: /private/\n"
"""A robots.txt of the author."""


@dataclass(frozen=True)
class Build:
    """A build on a service: the URL of its sitemap, if it gets one, and what becomes of robots.txt.

    ``robots`` tells whether docs-sitemap writes a robots.txt if the author has none; ``completed`` whether
    the author's gets the line. ``told`` is part of a message.
    """

    environ: dict[str, str] = field(repr=False)
    sitemap: str = ""
    robots: bool = True
    told: str = ""
    site: str = ""
    """The address in the configuration, if any."""

    @property
    def completed(self) -> bool:
        return bool(self.sitemap)


_ROOT: Final = "robots.txt: add the line"
_PREVIEW: Final = "This is a preview build"
_UNKNOWN: Final = "the URL of the site is not known"

_ELSEWHERE: Final = "but this build is published at"
MEANINGS: Final = {
    "": "",
    _ROOT: "the line to add to the robots.txt at the root of the domain",
    _PREVIEW: "that this is a preview",
    _UNKNOWN: "that the address is not known, and the cure",
    _ELSEWHERE: "that the sitemap lists URLs of another build",
}

SERVICES: Final = {
    "Read the Docs": Build(HOSTED, "https://example.readthedocs.io/en/latest/sitemap.xml", robots=False),
    "Read the Docs, own domain": Build(
        READ_THE_DOCS, "https://docs.example.com/en/latest/sitemap.xml", robots=False
    ),
    "Read the Docs, another version": Build(
        HOSTED
        | {
            "READTHEDOCS_VERSION": "1.0",
            "READTHEDOCS_CANONICAL_URL": "https://example.readthedocs.io/en/1.0/",
        },
        "https://example.readthedocs.io/en/1.0/sitemap.xml",
        robots=False,
    ),
    "Read the Docs, subproject": Build(
        READ_THE_DOCS | SUBPROJECT,
        "https://docs.example.com/projects/example/en/latest/sitemap.xml",
        robots=False,
        told=_ROOT,
    ),
    "Read the Docs, translation": Build(
        TRANSLATION, "https://example.readthedocs.io/de/latest/sitemap.xml", robots=False, told=_ROOT
    ),
    "Read the Docs, address of `stable` in `latest`": Build(
        HOSTED,
        "https://example.readthedocs.io/en/stable/sitemap.xml",
        robots=False,
        told=_ELSEWHERE,
        site="https://example.readthedocs.io/en/stable/",
    ),
    "Read the Docs, own domain, address of `stable` in `latest`": Build(
        READ_THE_DOCS,
        "https://example.readthedocs.io/en/stable/sitemap.xml",
        robots=False,
        told=_ELSEWHERE,
        site="https://example.readthedocs.io/en/stable/",
    ),
    "Read the Docs, pull request": Build(READ_THE_DOCS_PREVIEW, told=_PREVIEW),
    "GitHub Pages, `base_url` passed on": Build(
        GITHUB,
        "https://owner.github.io/project/sitemap.xml",
        told=_ROOT,
        site="https://owner.github.io/project/",
    ),
    "GitHub Pages, address empty": Build(GITHUB, told=_UNKNOWN),
    "GitHub Pages, preview": Build(GITHUB_PULL_REQUEST | {"DOCS_SITEMAP_PREVIEW": "1"}, told=_PREVIEW),
    "GitLab Pages": Build(GITLAB, "https://group.gitlab.io/project/sitemap.xml", told=_ROOT),
    "GitLab Pages, version": Build(
        GITLAB_VERSION, "https://group.gitlab.io/project/1.x/sitemap.xml", told=_ROOT
    ),
    "GitLab Pages, merge request": Build(GITLAB_PREVIEW, told=_PREVIEW),
    "Netlify": Build(NETLIFY, "https://example.netlify.app/sitemap.xml"),
    "Netlify, pull request": Build(NETLIFY_PREVIEW, told=_PREVIEW),
    "Netlify, branch": Build(NETLIFY | {"CONTEXT": "branch-deploy"}, told=_PREVIEW),
    "Cloudflare Pages, `CF_PAGES_URL` set": Build(CLOUDFLARE_PUBLIC, "https://docs.example.com/sitemap.xml"),
    "Cloudflare Pages, address of one deployment": Build(CLOUDFLARE, told=_UNKNOWN),
    "Cloudflare Pages, preview": Build(CLOUDFLARE_PREVIEW, told=_PREVIEW),
    "Cloudflare Workers, address empty": Build(WORKERS, told=_UNKNOWN),
    "Cloudflare Workers": Build(
        WORKERS, "https://docs.example.com/sitemap.xml", site="https://docs.example.com/"
    ),
    "Cloudflare Workers, preview": Build(WORKERS | {"DOCS_SITEMAP_PREVIEW": "1"}, told=_PREVIEW),
    "Vercel": Build(VERCEL, "https://docs.example.com/sitemap.xml"),
    "Vercel, pull request": Build(VERCEL_PREVIEW, told=_PREVIEW),
    "none, address empty": Build({}, told=_UNKNOWN),
}

VARIABLES: Final = sorted({name for build in SERVICES.values() for name in build.environ})


def enter_environment(environ: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Set these variables, and no other service's."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)


def check(build: Build, outdir: Path, said: str, *, authors: bool) -> None:
    """Compare what a build has left and said with what it should; ``authors`` robots.txt was there."""
    sitemap, robots = outdir / "sitemap.xml", outdir / "robots.txt"
    assert sitemap.exists() == bool(build.sitemap)
    if build.sitemap:
        assert f"<loc>{build.sitemap.removesuffix('sitemap.xml')}" in sitemap.read_text(encoding="utf-8")
    if authors:
        added = f"Sitemap: {build.sitemap}\n".encode() if build.completed else b""
        text = robots.read_bytes()
        assert text.startswith(AUTHORS)
        assert text.endswith(added or AUTHORS)
    else:
        assert robots.exists() == (build.robots and bool(build.sitemap))
    assert build.told in said
    if not build.told:
        assert not any(words in said for words in filter(None, MEANINGS))
