"""The house rules that no reader should have to watch over."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
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
        "interrupts",
    },
    {"brief", "budget", "changes", "json_list"},
    {"boundary", "processes"},
    {"answer_heads", "servers", "urls", "version_names"},
    {"connections"},
    {"untrusted"},
    {"known", "options"},
    {"pages", "history"},
    {"dates"},
    {"files"},
    {"explain", "marks"},
    {"generators"},
    {"index"},
    {"versions"},
    {"check"},
    {"submit"},
    {"report"},
    {"cli"},
    {"__main__"},
]
DOORS = {
    "check.live": "needs httpx, which the offline checker does without",
    "check.baseline": "a format of files, which check and its command share",
    "check.reporters": "one function a format",
    "dates.evidence": "for generators whose pages are written in Markdown",
    "explain.explanation": "for the command",
    "explain.notes": "for the command",
    "files.formats": "for tools that write or read files of ours",
    "files.robots": "used by its own name: robots.complete",
    "generators.html": "for the command build, and for reports",
    "generators.mkdocs": "the entry point of the plugin",
    "generators.sphinx": "the entry point of the extension",
    "generators.zensical": "for the command build",
    "history.explanation": "reads more of a commit than dates need; not public",
    "history.head": "what HEAD has, without dates; not public",
    "options.languages": "used by its own name: languages.normalise",
    "options.validation": "used by its own name: validation.base_url",
    "untrusted.html": "a reader of its own",
    "untrusted.sitemaps": "needs lxml, which the plugins do without",
}
"""What other rooms may import beside the names that a room offers in its ``__all__``, and why."""

MODULES = sorted(SRC.rglob("*.py"))


def name_of(module: Path) -> str:
    """``history.walk`` for ``history/walk.py``, ``history`` for its ``__init__``."""
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
    return {str(getattr(node, "name", "")) for node in tree.body} | {
        ast.unparse(node.target) for node in tree.body if isinstance(node, ast.AnnAssign)
    }


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
            assert alias.name in offered or f"{name}.{alias.name}" in DOORS, f"{name} offers no {alias.name}"


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_only_a_generator_imports_its_host(module: Path) -> None:
    hosts = {name.split(".")[0] for name in imports_of(module)} & HOSTS
    allowed = {
        "generators.sphinx": {"sphinx", "docutils"},
        "generators.sphinx.build": {"sphinx"},
        "generators.sphinx.configured": {"sphinx"},
        "generators.sphinx.doctrees": {"sphinx", "docutils"},
        "generators.sphinx.extra_pages": {"sphinx"},
        "generators.sphinx.generated": {"sphinx"},
        "generators.sphinx.moving": {"sphinx"},
        "generators.sphinx.options": {"sphinx"},
        "generators.sphinx.page_dates": {"sphinx"},
        "generators.sphinx.site": {"sphinx"},
        "generators.sphinx.sources": {"sphinx", "docutils"},
        "generators.sphinx.translations": {"sphinx"},
        "generators.mkdocs": {"mkdocs"},
        "generators.mkdocs.build": {"mkdocs"},
        "generators.mkdocs.includes": {"mkdocs"},
        "generators.mkdocs.media": {"mkdocs"},
        "generators.mkdocs.mike": {"mkdocs"},
        "generators.mkdocs.notes": {"mkdocs"},
        "generators.mkdocs.options": {"mkdocs"},
        "generators.mkdocs.own": {"mkdocs"},
        "generators.mkdocs.page_dates": {"mkdocs"},
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


ASKING = {
    "access",
    "exists",
    "getmtime",
    "getsize",
    "glob",
    "is_dir",
    "is_file",
    "is_symlink",
    "isdir",
    "isfile",
    "islink",
    "iterdir",
    "lexists",
    "listdir",
    "lstat",
    "readlink",
    "realpath",
    "resolve",
    "rglob",
    "samefile",
    "scandir",
    "stat",
    "walk",
}
ANSWERING = re.compile(r"real$|links$|resolver$|^entry$|^stat$")
"""``RealPaths``, ``Resolver``, an entry of a folder that is listed, and the module of modes."""

ASKED_AS_WRITTEN = {
    "check.tree.Tree.__init__": "once in a run",
    "check.tree.Tree._target": "Resolver has followed the links",
    "check.tree.Tree._walk": "a folder below the site's real one, reached without links",
    "check.tree.Tree.modified": "Resolver has followed the links",
    "cli.build._emit": "once in a run",
    "cli.common.write_file": "once in a run, a file that the user names",
    "cli.explain._places": "once for each page that the user names",
    "cli.index._places": "once for each --host",
    "cli.lastmod._below": "the working folder, which has no links",
    "cli.page_notes._tests": "once for each page that the user names",
    "cli.page_notes._work_tree": "a repository's root, which has no links",
    "cli.page_source._files": "some names of each page that the user names",
    "cli.page_source.find_source": "once for each page that the user names",
    "cli.report._refuse_inside": "once in a run",
    "cli.submit._check_since": "once in a run",
    "cli.submit._check_writable": "once in a run",
    "cli.submit._find": "once in a run",
    "cli.submit.submit": "once in a run",
    "cli.submit_urls._read_old": "once in a run",
    "dates.installed.Installed.__init__": "folders of sys.path",
    "dates.installed._metadata_folders": "folders of sys.path, without links",
    "dates.site_dates.pages_below": "the generator has listed the folder",
    "explain.notes.Notes.write": "the user's cache folder",
    "explain.notes._files": "the user's cache folder",
    "explain.notes._oldest": "the user's cache folder",
    "files.output.Changes._make_folder": "a folder without links; it is new, or the last",
    "files.output.Changes._reported": "the output's real folder, once for a failure",
    "files.output.Changes.drop": "once for each file of an earlier build, which is removed then",
    "files.output.OutputFolder.names": "once for each folder that is written to",
    "files.output._check_is_there": "the output's real folder",
    "files.output._real": "kept for each folder that is written to",
    "files.output._stat": "once for each file that is written and flushed, which takes as long",
    "files.output._temporaries": "once for each folder that is written to",
    "generators.html.sources.Sources.__init__": "once in a run",
    "generators.html.sources.files_below": "a folder below a real one, reached without links",
    "generators.mkdocs.build._has_reader": "up to MAX_BUNDLES in each folder of the theme",
    "generators.mkdocs.own.is_custom": "the few templates of a theme",
    "generators.mkdocs.site.Site._source": "MkDocs has read the page there",
    "generators.mkdocs.site._is_temporary": "below the system's folder for temporary files",
    "generators.sphinx.extra_pages._files": "once for each html_extra_path, which Sphinx copies",
    "generators.sphinx.site.Site._template_page": "Sphinx has read the template there",
    "generators.sphinx.translations.Translations._folders": "once for each language",
    "generators.sphinx.translations._listed": "locale_dirs, and folders that RealPaths has found",
    "generators.zensical.extension._dates": "once in a build",
    "generators.zensical.notes.PageNotes._own": "Zensical has rendered the page, with files of its own there",
    "generators.zensical.page_dates.PageDates._page": "Zensical has read the page there",
    "generators.zensical.project.Project.built_site": "once in a run",
    "generators.zensical.project._check_is_within": "once in a run",
    "generators.zensical.project.find_project": "once in a run",
    "history.process.find_git": "folders of PATH",
    "history.remembered.once": "a few files of each repository, for which git is started, which takes longer",
    "history.repository.Repository._head_refs": "a few files of each repository, as above",
    "history.repository.Repository.is_of_root": "MAX_WORKTREES for each repository",
    "history.repository.Repository.refuse_special": "a few files of each repository, as above",
    "history.repository._is_git_dir": "as git, MAX_REPOSITORIES links",
    "history.repository.RepositoryFinder._open": "the last name alone; folders have no links",
    "history.repository.open_repository": "as git, MAX_REPOSITORIES links",
    "history.repository._packs_in": "once for each question, of a few folders",
    "history.repository._stamp": "a few files of each repository, as above",
    "index.tree.Tree.__init__": "once in a run",
    "index.tree.Tree._is_folder": "Resolver has followed the links",
    "index.tree.Tree._is_there": "Resolver has followed the links",
    "index.tree.Tree._list_once": "Resolver has followed the links",
    "marks.pages._mark": "a regular file that was found without following links",
    "marks.pages.page_names": "below the site's real folder, or one that the host has written to",
    "options.configuration.find_configuration": "once in a run",
    "pages.utility_pages._read": "a page that was reached without links",
    "pages.utility_pages._searches": "a page that was reached without links",
    "report.releases._entries": "once for each folder that the user names, and those in it",
    "report.releases.older_files": "once for each place that the user names",
    "report.releases.read_releases": "once for each sitemap that the user names, whole files",
    "submit.keys.key_files": "once in a run",
    "submit.reading._place": "once for each index",
    "submit.reading.find_sitemap": "once in a run",
    "submit.reading.read_file": "once for each index",
}
"""Where the system follows the links of a path that a repository or a site names, with the reason.

Anywhere else, such a path is asked about by way of ``RealPaths``: dozens of links through thousands of
folders take the system milliseconds, and a small repository may name such a path many thousand times.
"""


def asking(tree: ast.AST, where: str) -> Iterator[str]:
    """Yield the functions that ask; also those that pass on such a function of ``os``."""
    for node in ast.iter_child_nodes(tree):
        inner = f"{where}.{node.name}" if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else where
        if isinstance(node, ast.Attribute) and node.attr in ASKING:
            asked = ast.unparse(node.value)
            call = tree if isinstance(tree, ast.Call) and tree.func is node else None
            as_it_is = call is not None and any(each.arg == "follow_symlinks" for each in call.keywords)
            is_asked = asked in {"os", "os.path", "Path"} or call is not None
            if is_asked and not as_it_is and not ANSWERING.search(asked):
                yield inner
        yield from asking(node, inner)


def test_links_of_paths_from_outside_are_followed_in_one_place() -> None:
    modules = [module for module in MODULES if not name_of(module).startswith("untrusted")]
    found = {
        where for module in modules for where in asking(ast.parse(module.read_text("utf-8")), name_of(module))
    }
    assert found == ASKED_AS_WRITTEN.keys()


@pytest.mark.parametrize(
    "code",
    [
        "os.path.isfile(name)",
        "path.is_symlink()",
        "Path(name).exists()",
        "[*map(os.path.realpath, names)]",
        "os.stat(name)",
    ],
)
def test_a_question_about_a_path_is_seen(code: str) -> None:
    assert [*asking(ast.parse(f"def f():\n    {code}"), "a")] == ["a.f"]
    assert not [
        *asking(ast.parse("def f():\n    links.is_file(name) or os.stat(name, follow_symlinks=False)"), "a")
    ]


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_git_is_started_in_one_place(module: Path) -> None:
    if name_of(module) != "history.process":
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
