"""The documentation says what the code says: fields, finding codes, sections, links, examples."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import click
import msgspec
import pytest

import accord
from accord.analytics import count_statistics
from accord.cli.main import VERBS
from accord.model import ballot, evidence, ids, ledger, policy, proposal, vote
from accord.model.base import Record
from accord.model.case import Case
from accord.model.finding import CODES
from accord.model.statistics import TOO_FEW_BELOW, Scope, Statistics
from accord.render.ledger import render_ledger
from accord.render.stats_table import render_csv
from accord.simulate import simulate
from accord.store.kinds import KINDS
from accord.store.parse import parse_file
from tests.analytics.story import JUDGEMENTS
from tests.support.chain import find_breaks, read_lines

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md")])

# ---------------------------------------------------------------------- reading Markdown


def read_page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def find_headings(text: str) -> list[tuple[int, str]]:
    return [
        (len(marks), title)
        for marks, title in re.findall(r"^(#{1,6}) (.+)$", without_code(text), re.MULTILINE)
    ]


def split_sections(text: str, level: int) -> dict[str, str]:
    """`{heading: what stands below it}` for the headings of one level."""
    parts = re.split(rf"^#{{{level}}} (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def find_rows(text: str) -> list[list[str]]:
    """The cells of all table rows, without heads and rules."""
    rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    rules = [at for at, row in enumerate(rows) if set("".join(row)) <= set("-:")]
    return [row for at, row in enumerate(rows) if at not in rules and at + 1 not in rules]


# ---------------------------------------------------------------------- fields of records


class Row(NamedTuple):
    """One field as the page must show it."""

    field: str
    type: str
    default: str


def find_aliases() -> dict[str, object]:
    """The named scalar types of the model, by the word that the page uses for them."""
    return {
        re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower(): value
        for module in (ids, policy, proposal, evidence)
        for name, value in vars(module).items()
        if not name.startswith("_") and get_origin(value) is Annotated
    }


ALIASES = find_aliases()


def describe(type_: Any) -> str:
    """A type in the words of the page."""
    for name, alias in ALIASES.items():
        if type_ == alias and name != "vias":
            return name
    origin, args = get_origin(type_), get_args(type_)
    if origin is Annotated:
        limits = [text for meta in type_.__metadata__ if (text := describe_limits(meta))]
        return " ".join([describe(args[0]), *limits])
    if origin is Literal:
        return " ".join(f"`{value}`" for value in args)
    if origin in (Union, types.UnionType):
        return describe(next(arg for arg in args if arg is not type(None)))
    if origin is tuple:
        return f"list of {describe(args[0])}"
    if origin is dict:
        return f"map of {describe(args[0])} to {describe(args[1])}"
    if isinstance(type_, type) and issubclass(type_, Record):
        return f"[{type_.__name__}](#{type_.__name__.lower()})"
    return {bool: "boolean", int: "integer", str: "string"}[type_]


def describe_limits(meta: msgspec.Meta) -> str:
    if meta.le is not None:
        return f"{meta.ge} to {meta.le}"
    if meta.max_length is not None:
        return f"(at most {meta.max_length})"
    return ""


def describe_default(field: msgspec.structs.FieldInfo) -> str:
    """What a left-out field means. There is no null, so what may be None may be left out."""
    if field.required:
        return "none" if type(None) in get_args(field.type) else "required"
    if field.default_factory is not msgspec.NODEFAULT:
        return "none"
    default = field.default.value if isinstance(field.default, Enum) else field.default
    if default is None or default == () or isinstance(default, Record):
        return "none"
    if isinstance(default, tuple):
        return " ".join(f"`{item}`" for item in default)
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def find_fields(record: type[Record]) -> list[Row]:
    hints = get_type_hints(record, include_extras=True)
    return [
        Row(
            f"`{field.encode_name}`",
            describe(hints[field.name]),
            describe_default(field),
        )
        for field in msgspec.structs.fields(record)
    ]


def find_parts(type_: Any) -> Iterator[type[Record]]:
    """The record types inside a type, outermost first."""
    if isinstance(type_, type) and issubclass(type_, Record):
        yield type_
        for hint in get_type_hints(type_, include_extras=True).values():
            yield from find_parts(hint)
    else:
        for argument in get_args(type_):
            yield from find_parts(argument)


RECORDS = {
    record.__name__: record
    for top in [*(kind.record_type for kind in KINDS.values()), *get_args(ledger.LedgerEvent)]
    for record in find_parts(top)
}

# ---------------------------------------------------------------------- file-formats.md


def test_the_page_has_a_section_for_every_kind_of_file_and_no_other() -> None:
    kinds = [title for level, title in find_headings(read_page("file-formats.md")) if level == 2]

    assert sorted(kinds) == sorted(["Types", *KINDS, "ledger", "Shared parts"])


def test_the_page_has_a_table_for_every_record_and_no_other() -> None:
    named = [title for level, title in find_headings(read_page("file-formats.md")) if level == 3]

    assert sorted(named) == sorted(RECORDS)


@pytest.mark.parametrize("name", RECORDS)
def test_the_page_shows_every_field_of(name: str) -> None:
    section = split_sections(read_page("file-formats.md"), 3)[name].split("\n## ")[0]
    rows = find_rows(without_code(section))

    assert [Row(*row[:3]) for row in rows] == find_fields(RECORDS[name])
    assert [row[0] for row in rows if not row[3]] == []


def test_the_page_explains_every_scalar_type_that_it_uses() -> None:
    page = read_page("file-formats.md")
    explained = {row[0] for row in find_rows(split_sections(page, 2)["Types"])}
    words = {
        re.sub(r" ?[\d(].*", "", word)
        for record in RECORDS.values()
        for row in find_fields(record)
        for word in re.split(r" of | to ", row.type)
        if not word.startswith(("`", "["))
    }
    used = words - {"list", "map", ""}

    assert explained == used


def find_examples() -> dict[str, tuple[str, str]]:
    """`{name: (kind, text)}` of the complete examples of all pages."""
    return {
        f"{page.name}-{number}-{match['kind']}": (match["kind"], match["text"])
        for page in PAGES
        for number, match in enumerate(
            re.finditer(
                r"^```yaml\n(?P<text>format: accord/(?P<kind>\w+)/1\n.*?)^```$",
                page.read_text(encoding="utf-8"),
                re.DOTALL | re.MULTILINE,
            )
        )
        if "…" not in match["text"]
    }


EXAMPLES = find_examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_a_file_that_accord_reads(name: str) -> None:
    kind, text = EXAMPLES[name]

    record, findings = parse_file(text.encode(), f"{name}.yaml", kind)

    assert findings == ()
    assert record is not None


def test_every_kind_has_an_example() -> None:
    assert {kind for kind, _ in EXAMPLES.values()} >= set(KINDS)


def test_the_case_comes_out_as_its_example_says() -> None:
    kind, text = next(example for example in EXAMPLES.values() if example[0] == "case")
    case, _ = parse_file(text.encode(), "case.yaml", kind)
    assert isinstance(case, Case)

    found = simulate(case).evaluation

    assert (found.outcome, found.verdict, found.status) == (
        case.expect.outcome,
        case.expect.verdict,
        case.expect.status,
    )


def test_the_ledger_of_the_page_is_one() -> None:
    section = split_sections(read_page("file-formats.md"), 2)["ledger"]
    found = re.search(r"^```json\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert found
    shown = found[1].encode()
    events: list[ledger.LedgerEvent] = [
        msgspec.convert(line, ledger.VoteRound)
        if line["event"] == "vote_round"
        else msgspec.convert(line, ledger.FileEvent)
        for line in read_lines(shown)
    ]

    assert find_breaks(shown) == []
    assert render_ledger(events) == shown
    assert {ledger.VoteRound, ledger.FileEvent} == {type(event) for event in events}


# ---------------------------------------------------------------------- findings.md


def test_the_page_explains_every_finding_code_in_the_order_of_the_catalogue() -> None:
    codes = [title for level, title in find_headings(read_page("findings.md")) if level == 3]

    assert codes == [f"`{code}`" for code in CODES]


@pytest.mark.parametrize("code", CODES)
def test_a_finding_is_explained(code: str) -> None:
    section = split_sections(read_page("findings.md"), 3)[f"`{code}`"].split("\n## ")[0]
    paragraphs = [text for text in section.strip().split("\n\n") if text]

    assert paragraphs[0] == f"*{CODES[code].severity}:* {CODES[code].title}"
    assert [text.split()[0] for text in paragraphs[1:]] == ["**Why.**", "**Example.**", "**Mend.**"]
    assert [text for text in paragraphs[1:] if len(text) < 30] == []


def test_findings_are_grouped_as_in_the_catalogue() -> None:
    groups = split_sections(read_page("findings.md"), 2)
    grouped = [re.findall(r"^### `(.+)`$", text, re.MULTILINE) for text in groups.values()]

    assert grouped == [
        [code for code, _ in group]
        for _, group in groupby(CODES.items(), key=lambda item: item[1].about)
    ]


# ---------------------------------------------------------------------- protocol.md


def test_the_protocol_lists_every_code_with_its_severity() -> None:
    section = split_sections(read_page("protocol.md"), 2)["12. Finding codes"]

    listed = {
        (about, code, "warning" if mark else "error")
        for about, codes in find_rows(section)
        for code, mark in re.findall(r"`([a-z-]+)`( \(w\))?", codes)
    }

    assert listed == {(code.about, name, code.severity) for name, code in CODES.items()}


def test_the_protocol_lists_every_category_with_its_meaning() -> None:
    section = split_sections(read_page("protocol.md"), 3)["3.5 Votes"]

    listed = {row[0].strip("`"): row[1] for row in find_rows(section)}

    assert listed == vote.CATEGORIES | {"X_…": "the project's own, from the policy"}


def test_the_protocol_names_every_way_of_using_evidence() -> None:
    section = split_sections(read_page("protocol.md"), 3)["3.5 Votes"]

    assert [via for via in policy.VIAS if f"`{via}`" not in section] == []


def test_the_protocol_number_is_that_of_the_code() -> None:
    assert f"Protocol number: **{ballot.PROTOCOL}**" in read_page("protocol.md")


def test_the_protocol_lists_every_verb_in_its_group() -> None:
    section = split_sections(read_page("protocol.md"), 2)["10. Commands"]
    listed = {
        (row[0], verb) for row in find_rows(section) for verb in re.findall(r"`(\w+)`", row[1])
    }

    assert {(verb.group, verb.name) for verb in VERBS} <= listed


def find_options(command: click.Command) -> set[str]:
    """The options of a verb, those of its sub-commands too."""
    own = {name for parameter in command.params for name in parameter.opts}
    if isinstance(command, click.Group):
        return own.union(*(find_options(each) for each in command.commands.values()))
    return own


def find_commands(page: Path) -> list[tuple[str, str]]:
    """The verb, and all that follows it, of every `accord …` that a page shows as code."""
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"`accord ([^`\n]+)`|^\$ (?:\S*/)?accord ([^#|\n]+)", text, re.MULTILINE)
    return [(words[0], " ".join(words[1:])) for found in shown if (words := "".join(found).split())]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_option_that_a_page_shows_exists(page: Path) -> None:
    verbs = {verb.name: import_module(f"accord.cli.{verb.module}").command for verb in VERBS}
    missing = [
        (verb, option)
        for verb, rest in find_commands(page)
        if verb in verbs
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest.split(" -- ")[0])
        if option not in find_options(verbs[verb])
    ]

    assert missing == []


CITING = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *PAGES])


def find_citations(text: str) -> set[str]:
    """The numbers in "section 3.1" and "sections 3.3, 4 and 5"."""
    return {
        number
        for found in re.findall(r"[Ss]ections? (\d[\d., and]*)", text)
        for number in re.findall(r"\d+(?:\.\d+)?", found)
    }


def test_every_section_that_is_cited_exists() -> None:
    there = set(
        re.findall(r"^(?:#+ |\*\*)(\d+(?:\.\d+)?)\b", read_page("protocol.md"), re.MULTILINE)
    )
    missing = {
        (file.relative_to(ROOT).as_posix(), number)
        for file in CITING
        for number in find_citations(file.read_text(encoding="utf-8")) - there
    }

    assert len(there) > 20
    assert missing == set()


# ---------------------------------------------------------------------- statistics.md


def test_the_page_on_json_names_every_key_of_the_statistics() -> None:
    sections = split_sections(read_page("json-output.md"), 2)
    cells = find_rows(sections["`accord stats --format json`"])
    keys = [key for row in cells for key in re.findall(r"`(\w+)`", row[0])]

    assert sorted(keys) == sorted(field.encode_name for field in msgspec.structs.fields(Statistics))


def test_the_page_on_statistics_names_every_subject_of_the_table() -> None:
    section = split_sections(read_page("statistics.md"), 2)["CSV"]
    named = {key for row in find_rows(section) for key in re.findall(r"`(\w+)`", row[0])}
    table = render_csv(count_statistics(JUDGEMENTS, Scope())).splitlines()[1:]

    assert named == {line.split(",")[0] for line in table}


def test_the_page_on_statistics_says_how_few_are_too_few() -> None:
    assert f"rests on fewer than {TOO_FEW_BELOW} is marked" in read_page("statistics.md")


# ---------------------------------------------------------------------- all pages


def find_anchors(page: Path) -> set[str]:
    return {slug(title) for _, title in find_headings(page.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists() or (anchor and anchor not in find_anchors(file)):
            broken.append(target)

    assert broken == []


PLACE = re.compile(
    r"`((?:src|tests|docs|templates|hooks|rules|flow|cli|store|signing|model|verify)/[\w./-]*)`"
)


@pytest.mark.parametrize("name", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_place_in_the_code_that_a_page_names_is_there(name: str) -> None:
    named = PLACE.findall(without_code((ROOT / name).read_text(encoding="utf-8")))

    assert [
        place
        for place in named
        if not (ROOT / place).exists() and not (ROOT / "src" / "accord" / place).exists()
    ] == []


def test_the_changelog_names_this_version_first() -> None:
    versions = re.findall(
        r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )

    assert versions[0] == accord.__version__
