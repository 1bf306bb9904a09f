"""The tests on every Python that accord supports: `.venv/bin/nox`, or one with `-s tests-3.12`."""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = False

PYTHONS = ["3.11", "3.12", "3.13"]
DEV = nox.project.dependency_groups(nox.project.load_toml("pyproject.toml"), "dev")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run pytest; what follows `--` is handed on to it."""
    session.install("--editable", ".", *DEV)
    session.run("pytest", "-n", "auto", *session.posargs)
