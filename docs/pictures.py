"""Draw the pictures of the architecture. ``python -m docs.pictures`` writes them into docs/images.

The layers are those of tests/project/test_architecture.py. The modules that process a page must exist.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from tests.project.test_architecture import LAYERS, SRC

IMAGES: Final = Path(__file__).parent / "images"
_CHAR: Final = 7.2  # width of a character of the monospace font, in px at 12 px
_ROW: Final = 34

_STYLE: Final = """
  text { font: 12px ui-monospace, monospace; fill: #24292f; }
  text.say { font: 13px system-ui, sans-serif; }
  rect { fill: #eef4fb; stroke: #4c78a8; rx: 4px; }
  rect.many { fill: #d5e5f6; }
  path { stroke: #57606a; fill: none; marker-end: url(#tip); }
  #tip path { fill: #57606a; stroke: none; marker-end: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } rect { fill: #1c2b3a; stroke: #6ea8dc; } rect.many { fill: #274159; }
    path { stroke: #9aa7b4; } #tip path { fill: #9aa7b4; }
  }
"""


class Box(NamedTuple):
    """A rectangle with a name in it. ``x`` and ``y`` are its upper left corner, in px."""

    name: str
    x: float
    y: float
    width: float
    is_many: bool = False

    def draw(self) -> str:
        """Return its SVG."""
        kind = ' class="many"' if self.is_many else ""
        middle = self.x + self.width / 2
        return (
            f'<rect{kind} x="{self.x:g}" y="{self.y:g}" width="{self.width:g}" height="24"/>'
            f'<text x="{middle:g}" y="{self.y + 16:g}" text-anchor="middle">{escape(self.name)}</text>'
        )


def layers() -> str:
    """Return the SVG of the layers, each of which imports only itself and those below."""
    rows = [sorted(layer - {"__init__", "__main__"}) for layer in reversed(LAYERS)]
    rows = [layer for layer in rows if layer]
    shapes = []
    for number, layer in enumerate(rows):
        x, y = 10.0, 10 + number * _ROW
        names = _names(layer)
        for name in names:
            width = len(name) * _CHAR + 20
            shapes.append(Box(name, x, y, width, "/" in name).draw())
            x += width + 10
        if len(names) == 1:
            shapes.append(f'<text class="say" x="{x:g}" y="{y + 16}">{escape(summary(layer[0]))}</text>')
    title = "The modules in layers. Each imports only its own layer and those below it."
    return _svg(960, 10 + len(rows) * _ROW, shapes, title)


def _names(layer: Sequence[str]) -> list[str]:
    """Return the names of a layer's modules: packages end in a slash, each adapter has its own name."""
    names = []
    for name in layer:
        adapters = sorted((SRC / name).glob("[!_]*")) if name == "generators" else []
        names += [_label(f"{name}/{adapter.stem}") for adapter in adapters] or [_label(name)]
    return names


def _label(name: str) -> str:
    return f"{name}/" if (SRC / name).is_dir() else name


def summary(name: str) -> str:
    """Return the first sentence of a module's docstring."""
    file = SRC / name / "__init__.py"
    text = (file if file.is_file() else SRC / f"{name}.py").read_text(encoding="utf-8")
    first = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0]
    return " ".join(first.replace("``", "").split())


STEPS: Final[Sequence[tuple[str, str]]] = (
    ("generators.mkdocs", "the host's event: the build is done, these pages are published"),
    ("pages.page", "Page: URL path, source, included files, settings, published file"),
    ("files.emission", "emit: the one call that every adapter makes, with all pages"),
    ("pages.selection", "is the page listed, and at which URL? its published head decides"),
    ("dates.site_dates", "settings, rules, options: which pages need a date from git?"),
    ("history", "one walk per repository: the commit that git log -1 names, for all files"),
    ("pages.entries", "Url: loc, lastmod, alternates, images"),
    ("files.documents", "which files, in how many parts, in which order"),
    ("files.urlset", "bytes, as the protocol defines them"),
    ("files.messages", "the messages; the host logs them, and a strict build can stop here"),
    ("files.output", "each file replaced atomically, inside the output folder"),
)
"""How a page is processed: each module, and what happens there."""


def page() -> str:
    """Return the SVG of the modules that process a page, from its generator to the file."""
    shapes = []
    for number, (name, text) in enumerate(STEPS):
        y = 10 + number * 44
        shapes.append(Box(name, 10, y, 150).draw())
        shapes.append(f'<text class="say" x="176" y="{y + 16}">{escape(text)}</text>')
        if number:
            shapes.append(f'<path d="M85 {y - 20} V{y - 3}"/>')
    return _svg(
        760, len(STEPS) * 44, shapes, "How a page is processed, from the generator's event to the file."
    )


def _svg(width: int, height: int, shapes: Iterable[str], title: str) -> str:
    tip = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>'
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}</style>",
            tip,
            *shapes,
            "</svg>\n",
        ]
    )


PICTURES: Final = {"layers.svg": layers, "page.svg": page}


if __name__ == "__main__":
    for file, draw in PICTURES.items():
        (IMAGES / file).write_text(draw(), encoding="utf-8")
