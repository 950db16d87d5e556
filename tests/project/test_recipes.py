"""The recipes in the documentation: their files parse, and what they run is there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import html5lib
import pytest

pytest.importorskip("yaml")

import yaml

from docs_sitemap.cli.submit import submit
from docs_sitemap.files import robots
from docs_sitemap.pages import hosting
from tests.support import services, sitemaps
from tests.support.gitrepo import Repo

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_each_file_parses(number: int) -> None:
    kind, text = BLOCKS[number]
    if kind == "yaml":
        assert isinstance(yaml.safe_load(text), (dict, list))
    elif kind == "toml":
        assert {"build", "assets"} & tomllib.loads(text).keys()
    elif kind == "json":
        assert {"buildCommand", "outputDirectory"} <= json.loads(text).keys()
    elif kind == "text":
        assert robots.named(text.encode())
    elif kind == "python":
        compile(text, "conf.py", "exec")
    else:
        assert kind in ("console", "sh")


def test_each_variable_in_the_table_is_one_that_is_read() -> None:
    table = "".join(line for line in TEXT.splitlines(keepends=True) if line.startswith("|"))
    source = Path(hosting.__file__).read_text(encoding="utf-8")
    variables = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)*)[`=]", table + TEXT))
    assert {"READTHEDOCS_CANONICAL_URL", "CI_PAGES_URL", "CF_PAGES_URL", "URL", "CONTEXT"} <= variables
    elsewhere = {
        "INDEXNOW_KEY",
        "PYTHON_VERSION",
        "GIT_DEPTH",
        "VERCEL_DEEP_CLONE",
        "OWNER",
        "BASE_URL",
        "WORKERS_CI_BRANCH",
    }
    assert all(f'"{name}"' in source for name in variables - elsewhere)


def test_each_option_in_the_recipes_and_the_readme_is_one_of_submit() -> None:
    known = {name for parameter in submit.params for name in parameter.opts}
    text = TEXT + (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"docs-sitemap submit ([^;&>\n]*)", text)
    assert len(lines) >= 5
    assert {option for line in lines for option in re.findall(r"--[a-z-]+", line)} <= known


def block(words: str, kind: str = "") -> Any:
    """Return the first file of the documentation that has the words, parsed if it is YAML, TOML or JSON."""
    found = next((each, text) for each, text in BLOCKS if words in text and each.startswith(kind))
    parsers: dict[str, Callable[[str], Any]] = {
        "yaml": yaml.safe_load,
        "toml": tomllib.loads,
        "json": json.loads,
    }
    return parsers.get(found[0], str.strip)(found[1])


def with_sphinx(lines: list[str], *others: str) -> list[str]:
    """Put the lines for Sphinx in place of those for MkDocs, in order."""
    left = list(others)
    of_mkdocs = ("docs-sitemap[mkdocs", "mkdocs build")
    found = [left.pop(0) if any(words in line for words in of_mkdocs) else line for line in lines]
    assert not left
    return found


WORKFLOW = block("actions/deploy-pages")["jobs"]["docs"]["steps"]
GITHUB = [step["run"] for step in WORKFLOW if "run" in step]
FOR_GITHUB = [step["run"] for step in block('- run: pip install "docs-sitemap[sphinx,cli]"')]
GITLAB = block(".gitlab-ci.yml")
FOR_GITLAB = block('    - pip install "docs-sitemap[sphinx,cli]"')
READ_THE_DOCS = block(".readthedocs.yaml")["build"]["jobs"]
NETLIFY_LINES = block("netlify.toml")["build"]["command"].strip().splitlines()
VERCEL_FILES = {name: block(f"docs-sitemap[{name},check]", "json") for name in ("mkdocs", "sphinx")}


@dataclass(frozen=True)
class Recipe:
    """The shell lines of a recipe, with the variables that the service sets; ``out`` is the built site."""

    lines: dict[str, list[str]]
    environ: dict[str, str]
    base_url: str
    out: str = "site"
    clone: tuple[str, ...] = ("--depth=1",)


BASE_URL = "https://owner.github.io/project"
RECIPES = {
    "GitHub Pages": Recipe(
        {"mkdocs": GITHUB, "sphinx": with_sphinx(GITHUB, *FOR_GITHUB)},
        services.GITHUB | {"BASE_URL": BASE_URL},
        f"{BASE_URL}/",
        clone=("--filter=blob:none",),
    ),
    "GitLab Pages": Recipe(
        {"mkdocs": GITLAB["pages"]["script"], "sphinx": with_sphinx(GITLAB["pages"]["script"], *FOR_GITLAB)},
        services.GITLAB,
        "https://group.gitlab.io/project/",
        out="public",
        clone=(),
    ),
    "Read the Docs": Recipe(
        {
            "mkdocs": [
                *READ_THE_DOCS["post_checkout"],
                'mkdocs build --clean --site-dir "$READTHEDOCS_OUTPUT/html" --config-file mkdocs.yml',
                *READ_THE_DOCS["post_build"],
            ],
            "sphinx": [
                *READ_THE_DOCS["post_checkout"],
                'python -m sphinx -T -W -b dirhtml -d _build/doctrees docs "$READTHEDOCS_OUTPUT/html"',
                *READ_THE_DOCS["post_build"],
            ],
        },
        services.HOSTED | {"READTHEDOCS_OUTPUT": "_readthedocs"},
        "https://example.readthedocs.io/en/latest/",
        out="_readthedocs/html",
    ),
    "Netlify": Recipe(
        {
            "mkdocs": NETLIFY_LINES,
            "sphinx": [
                *NETLIFY_LINES[:-1],
                block('pip install "docs-sitemap[sphinx,check]" && sphinx-build', "console"),
            ],
        },
        services.NETLIFY,
        "https://example.netlify.app/",
    ),
    "Cloudflare Pages": Recipe(
        {
            name: [block(f'|| true; pip install "docs-sitemap[{name},check]"', "console")]
            for name in ("mkdocs", "sphinx")
        },
        services.CLOUDFLARE | {"CF_PAGES_URL": "https://docs.acme.org"},
        "https://docs.acme.org/",
    ),
    "Vercel": Recipe(
        {name: [file["installCommand"], file["buildCommand"]] for name, file in VERCEL_FILES.items()},
        services.VERCEL | {"VERCEL_PROJECT_PRODUCTION_URL": "docs.acme.org"},
        "https://docs.acme.org/",
        clone=(),  # with VERCEL_DEEP_CLONE
    ),
}

PROGRAMS = {
    "pip": "exit 0",
    "docs-sitemap": '[ "$1" = submit ] && echo "$@" && exit 0; exec {python} -m docs_sitemap "$@"',
    "mkdocs": 'exec {python} -m mkdocs "$@"',
    "sphinx-build": 'exec {python} -m sphinx "$@"',
    "python": 'exec {python} "$@"',
    "python3": 'if [ "$2" = venv ]; then mkdir -p "$3" && ln -s {bin} "$3/bin"; else exec {python} "$@"; fi',
    "properdocs": 'exec {python} -m properdocs "$@"',
    "mike": 'exec {python} -c "from mike.driver import main; main()" "$@"',
}


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of programs: the real ones of this environment, without those that would install or ask."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in PROGRAMS.items():
        program = folder / name
        program.write_text(f"#!/bin/sh\n{text.format(python=sys.executable, bin=folder)}\n")
        program.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A documentation for both generators, whose pages were changed on different days; read only."""
    repo = Repo(tmp_path_factory.mktemp("published") / "origin")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.write("mkdocs.yml", "site_name: Test\nsite_url: !ENV [SITE_URL, '']\nplugins: [docs-sitemap]\n")
    repo.write(
        "docs/conf.py",
        "import os\nextensions = ['docs_sitemap']\nhtml_baseurl = os.environ.get('SITE_URL', '')\n"
        "source_suffix = {'.rst': 'restructuredtext'}\n",
    )
    for name in ("index", "guide"):
        repo.write(f"docs/{name}.md", f"# {name}\n")
    repo.write("docs/guide.rst", "Guide\n=====\n")
    repo.save("docs/index.rst", "Index\n=====\n\n.. toctree::\n\n   guide\n")
    repo.write("docs/index.md", "# Index\n\nMore.\n")
    repo.save("docs/index.rst", "Index\n=====\n\nMore.\n\n.. toctree::\n\n   guide\n")
    return repo


@pytest.fixture
def origin(published: Repo, tmp_path: Path) -> Repo:
    """The same, for a test that changes it."""
    copy = Repo.__new__(Repo)
    vars(copy).update(vars(published), root=tmp_path / "origin")
    shutil.copytree(published.root, copy.root)
    return copy


def run_lines(
    lines: list[str], clone: Path, environ: dict[str, str], programs: Path
) -> subprocess.CompletedProcess[str]:
    """Run the steps of a job, each in a shell of its own, as GitHub does with what $GITHUB_ENV passes on."""
    passed = programs.parent / "github-env"
    passed.touch()
    said = ""
    for line in lines:
        env = {
            **os.environ,
            **environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(programs.parent),
            "GITHUB_ENV": str(passed),
        }
        env |= dict(each.split("=", 1) for each in passed.read_text().splitlines())
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", line],
            cwd=clone,
            env=env,
            capture_output=True,
            check=False,
            text=True,
        )
        said += done.stdout + done.stderr
        assert done.returncode == 0, said
    return subprocess.CompletedProcess(lines, 0, said)


@pytest.mark.parametrize("generator", ["mkdocs", "sphinx"])
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_builds_and_checks_in_the_clone_of_its_service(
    published: Repo, programs: Path, tmp_path: Path, name: str, generator: str
) -> None:
    """Each page has its date, although most services fetch one commit."""
    recipe = RECIPES[name]
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "--quiet", *recipe.clone, published.root.as_uri(), clone], check=True, timeout=60
    )
    other = {"mkdocs": "rst", "sphinx": "md"}[generator]
    for file in clone.glob(f"docs/*.{other}"):
        file.unlink()
    if name == "Vercel":
        subprocess.run(["git", "remote", "remove", "origin"], cwd=clone, check=True)
    said = run_lines(recipe.lines[generator], clone, recipe.environ, programs).stdout
    ending = "rst" if generator == "sphinx" else "md"
    dates = {
        path: datetime.fromtimestamp(published.log_date(f"docs/{page}.{ending}"), UTC).isoformat()
        for path, page in (("", "index"), ("guide/", "guide"))
    }
    assert len(set(dates.values())) == 2
    found = sitemaps.read(clone / recipe.out / "sitemap.xml")
    assert found == {recipe.base_url + path: date for path, date in dates.items()}, said


PREVIEWS = {
    "Read the Docs": services.READ_THE_DOCS_PREVIEW | {"READTHEDOCS_OUTPUT": "_readthedocs"},
    "Netlify": services.NETLIFY_PREVIEW,
    "Cloudflare Pages": services.CLOUDFLARE_PREVIEW,
    "Vercel": services.VERCEL_PREVIEW,
}


@pytest.mark.parametrize("name", PREVIEWS)
def test_a_recipe_builds_a_preview_too(published: Repo, programs: Path, tmp_path: Path, name: str) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", published.root.as_uri(), clone], check=True)
    run_lines(RECIPES[name].lines["mkdocs"], clone, PREVIEWS[name], programs)
    assert (clone / RECIPES[name].out / "index.html").is_file()
    assert not (clone / RECIPES[name].out / "sitemap.xml").exists()


def test_each_recipe_for_one_version_checks_the_result() -> None:
    assert RECIPES
    for recipe in RECIPES.values():
        for lines in recipe.lines.values():
            assert any("docs-sitemap check" in line for line in lines)


@pytest.mark.parametrize("name", ["GitHub", "GitLab"])
def test_the_last_step_submits_what_changed_when_it_is_online(
    tmp_path: Path, programs: Path, name: str
) -> None:
    script = GITHUB[-1] if name == "GitHub" else GITLAB["submit"]["script"][1]
    said = run_lines([script], tmp_path, {}, programs).stdout
    assert said.startswith("submit ")
    assert "known.json --wait 300" in said
    if name == "GitHub":
        of_submit = [step for step in WORKFLOW if "docs-sitemap submit" in step.get("run", "")]
        assert ["--remember" in step["run"] for step in of_submit] == [True, False]
        assert all(step["continue-on-error"] for step in of_submit)
    else:
        steps = GITLAB["pages"]["script"]
        assert [step for step in steps if "--remember" in step and step.endswith("|| true")]
        assert GITLAB["submit"]["allow_failure"]


def test_the_steps_of_the_action_have_inputs_that_it_takes() -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    steps = block("OWNER/docs-sitemap")
    assert all(step["with"].keys() <= inputs.keys() for step in steps)
    modes = [step["with"].get("mode", inputs["mode"]["default"]) for step in steps]
    assert modes == ["check", "remember", "submit"]
    assert set(re.findall(r"\b[a-z]+\b", inputs["mode"]["description"])) >= {*modes}


OLD_VERSIONS = [
    lines.strip()
    for lines in re.findall(
        r"^```sh\n(.*?)^```$",
        (ROOT / "docs/old-versions.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
]
"""The lines for mike, which go in place of the index's, and for Sphinx."""


def marks(page: Path) -> list[str]:
    """What a page says to search engines: the URL of its canonical link, or ``noindex``."""
    head = html5lib.parse(page.read_bytes(), namespaceHTMLElements=False).find("head")
    links = [link.get("href") for link in head.iter("link") if link.get("rel") == "canonical"]
    return links + ["noindex" for meta in head.iter("meta") if "noindex" in (meta.get("content") or "")]


@pytest.mark.parametrize("is_marked", [False, True])
def test_mike_publishes_an_index_after_each_deployment(
    origin: Repo, programs: Path, tmp_path: Path, is_marked: bool
) -> None:
    for module in ("mike", "material"):
        pytest.importorskip(module)
    job = block("mike deploy")["jobs"]["docs"]
    steps = [step["run"] for step in job["steps"] if "run" in step]
    if is_marked:
        index = OLD_VERSIONS[0].splitlines()[-1]
        steps = [step.replace(index, OLD_VERSIONS[0]) for step in steps]
        assert OLD_VERSIONS[0] in steps[-1]
    config = origin.root / "mkdocs.yml"
    # mike builds with ProperDocs where that is installed, which has no theme of its own
    config.write_text(
        "site_name: Test\nsite_url: https://docs.example.org/\ntheme: material\nplugins: [docs-sitemap, "
        f"mike: {{canonical_version: {'null' if is_marked else 'latest'}}}]\n"
    )
    for name in ("docs/index.rst", "docs/guide.rst", "docs/conf.py"):
        (origin.root / name).unlink()
    origin.write("docs/gone.md", "# Gone\n")
    origin.git("add", "--all")
    origin.commit()
    for version in ("1.0", "2.0"):
        clone = tmp_path / version
        subprocess.run(["git", "clone", "--quiet", origin.root.as_uri(), clone], check=True)
        if version != "1.0":  # checkout fetches all branches
            subprocess.run(["git", "branch", "--quiet", "gh-pages", "origin/gh-pages"], cwd=clone, check=True)
        run_lines(steps, clone, job["env"] | {"GITHUB_REF_NAME": f"v{version}"}, programs)
        subprocess.run(["git", "worktree", "remove", tmp_path / "pages"], cwd=clone, check=True)
        origin.git("rm", "-q", "--ignore-unmatch", "docs/gone.md")
        origin.commit()
    pages = tmp_path / "published"
    subprocess.run(["git", "clone", "--quiet", "-b", "gh-pages", origin.root.as_uri(), pages], check=True)
    assert robots.named((pages / "robots.txt").read_bytes()) == [
        f"https://docs.example.org/{'2.0' if is_marked else 'latest'}/sitemap.xml"
    ]
    current = "https://docs.example.org/" + ("2.0/guide/" if is_marked else "latest/guide/")
    assert marks(pages / "2.0/guide/index.html") == marks(pages / "1.0/guide/index.html") == [current]
    gone = "noindex" if is_marked else "https://docs.example.org/latest/gone/"
    assert marks(pages / "1.0/gone/index.html") == [gone]


def test_versions_of_sphinx_get_an_index(origin: Repo, programs: Path, tmp_path: Path) -> None:
    for name in ("docs/index.md", "docs/guide.md"):
        (origin.root / name).unlink()
    origin.git("add", "--all")
    origin.commit()
    for version in ("1.0", "2.0"):
        origin.git("tag", f"v{version}")
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", origin.root.as_uri(), clone], check=True)
    run_lines([block("for version in", "sh")], clone, {}, programs)
    assert robots.named((clone / "site/robots.txt").read_bytes()) == [
        "https://docs.example.org/2.0/sitemap.xml"
    ]
    run_lines([OLD_VERSIONS[1]], clone, {}, programs)
    for version in ("1.0", "2.0"):
        page = clone / "site" / version / "guide/index.html"
        assert marks(page) == ["https://docs.example.org/2.0/guide/"]
