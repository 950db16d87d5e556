"""A small project that pip installs for real, without any package from an index."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from tests.support.gitrepo import Repo
from tests.support.warm import generate

BACKEND = '''
import base64, hashlib, pathlib, zipfile

ROOT = ROOT_FOLDER

def build_wheel(folder, config_settings=None, metadata_directory=None):
    """A wheel of the modules below ROOT, as flit and others make it."""
    name, info = "tiny-1.0-py3-none-any.whl", "tiny-1.0.dist-info"
    root = pathlib.Path(ROOT)
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.glob("tiny/**/*.py")}
    files |= GENERATED
    files[info + "/METADATA"] = b"Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n"
    files[info + "/WHEEL"] = b"Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}")
    files[info + "/RECORD"] = "\\n".join([*lines, info + "/RECORD,,", ""]).encode()
    with zipfile.ZipFile(pathlib.Path(folder, name), "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return name
'''


class Project:
    """A package ``tiny`` in a repository, in a folder of it such as ``src``."""

    def __init__(self, repo: Repo, root: str = "src", folder: str = "", generated: str = "{}") -> None:
        self.repo = repo
        self.root = root
        self.folder = folder
        text = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        repo.write(f"{folder}pyproject.toml", f"{text}[project]\nname = 'tiny'\nversion = '1.0'\n")
        backend = BACKEND.replace("ROOT_FOLDER", repr(root or ".")).replace("GENERATED", generated)
        repo.write(f"{folder}backend.py", backend)

    def write(self, name: str, text: str) -> Path:
        """Write a module and commit it, so that no two have one date."""
        path = self.repo.write(os.path.join(self.folder, self.root, name), text)
        self.repo.commit()
        return path

    def install(self, target: Path, what: str = ".") -> Path:
        """Install the project, or a wheel, by pip; return the folder for ``sys.path``."""
        pip(
            "install",
            "--no-deps",
            "--upgrade",
            "--target",
            str(target),
            what,
            cwd=self.repo.root / self.folder,
        )
        return target

    def wheel(self, folder: str) -> str:
        """Build a wheel into a folder and return its path."""
        pip("wheel", "--no-deps", "--wheel-dir", folder, ".", cwd=self.repo.root / self.folder)
        return os.path.join(folder, "tiny-1.0-py3-none-any.whl")


_QUIETLY: Final = ("--no-index", "--no-build-isolation", "--quiet", "--disable-pip-version-check")


def pip(*args: str, cwd: Path) -> None:
    generate(sys.executable, "-m", "pip", *args, *_QUIETLY, cwd=cwd)
