"""The house rules that no reader should have to watch over."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import docs_sitemap

SRC = Path(__file__).resolve().parents[2] / "src" / "docs_sitemap"
HOSTS = {"mkdocs", "sphinx", "docutils", "properdocs", "zensical"}

# Each layer may import itself and those before it.
LAYERS = [
    {
        "__init__",
        "errors",
        "notices",
        "timestamps",
        "limits",
    },
    {"text"},
    {"build_guard", "urls"},
    {"readers"},
    {"changes", "options"},
    {"pages", "git"},
    {"dates", "history"},
    {"files"},
    {"explain", "sitemaps"},
    {"published"},
    {"versions"},
    {"generators"},
    {"check"},
    {"submit"},
    {"report"},
    {"cli"},
    {"__main__"},
]
DOORS = {
    "check.live": "needs httpx, which the offline checker does without",
    "check.reporters": "one function a format",
    "check.served": "what a robots.txt says, for the command index",
    "dates.evidence": "for generators whose pages are written in Markdown",
    "dates.evidence.macros": "the same",
    "dates.evidence.named": "the same",
    "dates.evidence.reads": "the same",
    "dates.installed": "where installed files come from",
    "dates.objects": "for what shows objects of Python",
    "dates.site_dates": "the dates of pages",
    "explain.explanation": "for the command",
    "explain.notes": "for the command",
    "files.page_elements": "for sites that show dates",
    "files.robots": "used by its own name: robots.complete",
    "files.urlset": "for tools that write or read files of ours",
    "generators.html": "for the command build, and for reports",
    "generators.mkdocs": "the entry point of the plugin",
    "generators.sphinx": "the entry point of the extension",
    "generators.zensical": "for the command build",
    "generators.zensical.notes": "for the command build",
    "git.repository": "what HEAD has, without dates; not public",
    "git.search": "what the rules of a repository ignore; not public",
    "options.configuration": "for the command build, and for Zensical",
    "options.declarations": "each option, and all of them",
    "options.languages": "used by its own name: languages.normalise",
    "options.page_settings": "settings of pages, and rules",
    "options.validation": "used by its own name: validation.base_url",
    "pages.base_url": "where a site is",
    "pages.entries": "what a sitemap says of a page",
    "pages.hosting": "where a build runs",
    "pages.page": "what a generator tells of a page",
    "pages.previews": "for built sites and trees",
    "pages.selection": "which pages are listed",
    "pages.utility_pages": "for built sites; the plugins know their pages",
    "pages.version_names": "for all that tells versions",
    "published.address": "used by its own name: address.split",
    "published.finder": "needs lxml, which only tools install",
    "readers.connections": "needs httpx, which only tools install",
    "readers.data": "YAML, TOML and JSON",
    "readers.files": "any file",
    "readers.html": "a reader of its own",
    "readers.page_parts": "a reader of its own",
    "submit.indexnow": "for the command",
    "submit.reading": "for the command",
    "submit.searchconsole": "needs google-auth, which only this service asks for",
    "submit.web": "for the command",
    "versions.builds": "for a build that marks its own pages",
    "versions.index": "for the command",
    "versions.marking": "for the command and the checker",
    "versions.marks": "what became of pages",
    "versions.policy": "for the command and the checker",
    "versions.tree": "for the commands and the checker",
}
"""What other rooms may import beside the names that a room offers in its ``__all__``, and why."""

MODULES = sorted(SRC.rglob("*.py"))


def name_of(module: Path) -> str:
    """``git.walk`` for ``git/walk.py``, ``git`` for its ``__init__``."""
    parts = module.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1]) if len(parts) > 1 and parts[-1] == "__init__" else ".".join(parts)


def imports_of(module: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer_of(name: str) -> int | None:
    """Return a module's layer, or ``None`` for what is no module of ours."""
    top = name.partition(".")[0]
    return next((number for number, layer in enumerate(LAYERS) if top in layer), None)


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_imports_run_one_way(module: Path) -> None:
    own = layer_of(name_of(module))
    assert own is not None, "a new module needs its place in LAYERS"
    for name in imports_of(module):
        if name.startswith("docs_sitemap.") and not name.startswith("docs_sitemap.__"):
            layer = layer_of(name.removeprefix("docs_sitemap."))
            if layer is not None and name_of(module) != "__init__":  # that one loads what is asked for
                assert layer <= own, f"{name_of(module)} imports {name}"


def offered_by(name: str) -> set[str]:
    """Return the names that a room or door offers: its ``__all__``, or all of a door that has none."""
    path = SRC.joinpath(*name.split("."))
    tree = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    values = [node for node in tree.body if isinstance(node, (ast.AnnAssign, ast.Assign))]
    names = [ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target) for node in values]
    names += [str(getattr(node, "name", "")) for node in tree.body]
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_room_is_entered_by_its_doors(module: Path) -> None:
    own = name_of(module).partition(".")[0]
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("docs_sitemap."):
            continue
        name = (node.module or "").removeprefix("docs_sitemap.")
        if name.partition(".")[0] == own or not (SRC / name.partition(".")[0]).is_dir():
            continue
        assert "." not in name or name in DOORS, f"{name_of(module)} imports {name}"
        offered = offered_by(name)
        for alias in node.names:
            assert alias.name in {"*", *offered} or f"{name}.{alias.name}" in DOORS, (
                f"{name} offers no {alias.name}"
            )


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_only_a_generator_imports_its_host(module: Path) -> None:
    hosts = {name.split(".")[0] for name in imports_of(module)} & HOSTS
    allowed = {
        "generators.sphinx": {"sphinx", "docutils"},
        "generators.sphinx.options": {"sphinx"},
        "generators.sphinx.page_dates": {"sphinx"},
        "generators.sphinx.shown": {"sphinx", "docutils"},
        "generators.sphinx.site": {"sphinx"},
        "generators.sphinx.sources": {"sphinx", "docutils"},
        "generators.sphinx.translations": {"sphinx"},
        "generators.mkdocs": {"mkdocs"},
        "generators.mkdocs.build": {"mkdocs"},
        "generators.mkdocs.includes": {"mkdocs"},
        "generators.mkdocs.site": {"mkdocs"},
        "__init__": {"sphinx"},  # for type checkers only; the next test runs it
    }
    assert hosts <= allowed.get(name_of(module), set())


def test_generators_do_not_import_each_other() -> None:
    for module in (SRC / "generators").rglob("*.py"):
        own = name_of(module).split(".")[:2]
        names = [
            name.split(".")[1:3] for name in imports_of(module) if name.startswith("docs_sitemap.generators.")
        ]
        assert all(name == own for name in names), module


def run_python(code: str) -> str:
    """Run code in a fresh Python and return what it prints."""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()


COMMANDS = ("build", "check", "explain", "index", "lastmod", "report", "submit", "versions")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_loads_nothing_that_does_its_work(command: str) -> None:
    work = ("git", "files", "check", "submit", "versions", "report", "explain")
    loaded = f"[name for name in {work} if 'docs_sitemap.' + name in sys.modules]"
    assert run_python(f"import sys, docs_sitemap.cli.{command}; print({loaded})") == "[]"


def test_importing_the_package_imports_nothing_else_of_it() -> None:
    loaded = "[name for name in sys.modules if name.startswith('docs_sitemap')]"
    assert run_python(f"import sys, docs_sitemap; dir(docs_sitemap); print({loaded})") == "['docs_sitemap']"


def test_no_public_name_imports_a_host() -> None:
    code = (
        "import sys, docs_sitemap.cli\n"
        "from docs_sitemap import *\n"
        f"print(sorted({HOSTS!r} & {{name.split('.')[0] for name in sys.modules}}))"
    )
    assert run_python(code) == "[]"


def test_each_public_name_is_known_to_readers_and_to_type_checkers() -> None:
    tree = ast.parse((SRC / "__init__.py").read_text(encoding="utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name)]
    declared = {
        alias.name: node.module.removeprefix("docs_sitemap.")
        for node in block.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("docs_sitemap.")
        for alias in node.names
        if node.module
    }
    assert declared == docs_sitemap._HOMES
    assert sorted(docs_sitemap.__all__) == sorted({*declared, "__version__", "setup"})
    assert {*docs_sitemap.__all__} <= {*dir(docs_sitemap)}


def test_a_public_name_has_no_module_of_the_same_name() -> None:
    # which would take the name's place in the package as soon as it is imported
    assert not {*docs_sitemap.__all__} & {name_of(module) for module in MODULES}


def test_a_name_that_is_none_is_told_as_python_does() -> None:
    with pytest.raises(AttributeError, match="module 'docs_sitemap' has no attribute 'Pages'"):
        getattr(docs_sitemap, "Pages")  # noqa: B009  type checkers know that there is none


WRITING = {
    "write_bytes",
    "write_text",
    "unlink",
    "replace",
    "rename",
    "mkdir",
    "touch",
    "rmtree",
    "remove",
    "makedirs",
}


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_one_place_writes_files(module: Path) -> None:
    if name_of(module) == "files.output":
        return
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "open":
            mode = ast.literal_eval(node.args[1]) if len(node.args) > 1 else "r"
            assert set(mode) <= set("rb"), f"{module}:{node.lineno}"
        if isinstance(node.func, ast.Attribute) and node.func.attr in WRITING:
            # str.replace, datetime.replace and dataclasses.replace have no path
            assert node.func.attr == "replace", f"{module}:{node.lineno}"
            assert not (isinstance(node.func.value, ast.Name) and node.func.value.id == "os"), (
                f"{module}:{node.lineno}"
            )


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_git_is_started_in_one_place(module: Path) -> None:
    if name_of(module) != "git.repository":
        assert "subprocess" not in imports_of(module)


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_line_whose_coverage_is_not_asked_for_says_why(module: Path) -> None:
    for number, line in enumerate(module.read_text(encoding="utf-8").splitlines(), 1):
        if re.search("pragma", line, re.IGNORECASE):
            assert re.search(r"# pragma: no (cover|branch): \w.* \w", line), f"{module}:{number}"


def test_no_line_is_left_out_of_the_coverage_from_afar() -> None:
    settings = tomllib.loads((SRC.parents[1] / "pyproject.toml").read_text("utf-8"))["tool"]["coverage"]
    assert settings["run"].keys().isdisjoint({"omit", "include", "plugins"})
    assert settings["report"].keys() <= {"show_missing", "skip_covered"}
