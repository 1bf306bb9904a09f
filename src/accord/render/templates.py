"""The templates that users get, read from the package. The only importer of jinja2."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from accord.errors import CannotJudge
from accord.render.escape import escape, escape_lines

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from jinja2 import Environment

FENCE = "`"


def read_template(name: str) -> str:
    """The text of a template.

    A wheel carries the templates inside the package; an editable install reads those of the
    checkout. Raises CannotJudge when it is in neither.
    """
    for place in _places():
        if (template := place / name).is_file():
            return template.read_text(encoding="utf-8")
    raise CannotJudge(f"the template {name} is missing", "install accord again")


def render_template(name: str, **values: object) -> str:
    """Fill in a template. Text of others goes through the filters `fence` and `code`."""
    return _environment().get_template(name).render(**values)


def fence(text: str, language: str = "text") -> str:
    """Quote text as a block that it cannot break out of: the fence is longer than any inside."""
    body = escape_lines(text.removesuffix("\n"))
    marks = FENCE * max(3, 1 + _longest_run(body))
    return f"{marks}{language}\n{body}\n{marks}"


def code(text: str) -> str:
    """Quote one line as code that it cannot break out of."""
    line = escape(" ".join(text.split()))
    marks = FENCE * (1 + _longest_run(line))
    pad = " " if FENCE in line or not line else ""
    return f"{marks}{pad}{line}{pad}{marks}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(f"{FENCE}+", text)), default=0)


def _places() -> tuple[Traversable | Path, ...]:
    package = files("accord")
    return package / "_templates", Path(str(package)).parents[1] / "templates"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FunctionLoader(read_template),
        autoescape=select_autoescape(["html", "html.j2"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"fence": fence, "code": code}
    return environment
