"""The templates that users get, read from the package. The only importer of jinja2."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypedDict

from accord.bundle import read_bundled
from accord.errors import UsageError
from accord.render.escape import escape, escape_lines

if TYPE_CHECKING:
    from jinja2 import Environment

FENCE = "`"
_PAGE = re.compile(r"adr-[a-z]+\.md\.j2\Z")  # what a repository's template may extend


class Layout(TypedDict):
    """Lines that hold only a tag leave no empty line behind."""

    trim_blocks: bool
    lstrip_blocks: bool
    keep_trailing_newline: bool


_LAYOUT: Layout = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}


@dataclass(frozen=True, slots=True)
class Override:
    """A template of the repository, in place of one of the package: its path and its text."""

    path: str
    text: str


def read_template(name: str) -> str:
    """The text of a template. Raises CannotJudge when accord came without it."""
    return read_bundled("templates", name)


def render_template(name: str, **values: object) -> str:
    """Fill in a template. Text of others goes through the filters `fence` and `code`."""
    return _environment().get_template(name).render(**values)


def render_override(override: Override, values: Mapping[str, object]) -> str:
    """Fill in a template of the repository, in a sandbox; it may extend those of the package.

    Raises UsageError with file and line when it is broken, whatever is wrong with it.
    """
    from jinja2 import FunctionLoader, StrictUndefined, TemplateError, TemplateNotFound
    from jinja2.sandbox import SandboxedEnvironment

    def load(name: str) -> tuple[str, str, None] | str | None:
        if name == override.path:
            return override.text, override.path, None
        return read_template(name) if _PAGE.match(name) else None

    environment = SandboxedEnvironment(
        loader=FunctionLoader(load), undefined=StrictUndefined, **_LAYOUT
    )
    try:
        return environment.get_template(override.path).render(**values)
    except TemplateNotFound as error:
        raise _broken(override, error, f"there is no template {error.name}") from error
    except TemplateError as error:
        raise _broken(override, error, error.message or type(error).__name__) from error
    except Exception as error:  # a template may divide by zero, recurse, call what is no function
        raise _broken(override, error, f"{type(error).__name__}: {error}") from error


def _broken(override: Override, error: Exception, reason: str) -> UsageError:
    number = getattr(error, "lineno", None) or _find_line(override, error)
    place = f"{override.path}, line {number}" if number else override.path
    return UsageError(
        f"{place}: the template cannot be filled in: {reason}",
        f"mend it and commit it; without {override.path} accord uses its own template",
    )


def _find_line(override: Override, error: Exception) -> int | None:
    """The last line of the template that ran; jinja2 puts it into the traceback."""
    number = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == override.path:
            number = step.tb_lineno
        step = step.tb_next
    return number


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


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FunctionLoader(read_template),
        autoescape=select_autoescape(["html", "html.j2"]),
        undefined=StrictUndefined,
        **_LAYOUT,
    )
    environment.filters |= {"fence": fence, "code": code}
    return environment
