"""A story for `accord demo`: a quorum that stands on one summary, and what the database says."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from accord.cli.stage import Stage
from accord.render.templates import read_template

_VOTERS = ("anna", "ben", "chris", "dora", "emil", "fay", "catfish")
_ORDERS = 2000
_FILES = {
    "index-plan.py": "plan.py",
    "index-lossy.sql": "migrations/0042.sql",
    "index-mended.sql": "migrations/0043.sql",
}
_SYNTHESIS = """\
Five agree. Three of them stand on the summary of a tool, which says that the index is retained.
The check applied the migration to a copy of the database: closed orders of a customer are found
by reading the whole table. fay and catfish asked for exactly this plan.
You are asked whether the migration holds although queries on closed orders lose their index.
"""


def play(stage: Stage) -> None:
    """Play it from the empty folder to the second decision."""
    _prepare(stage)
    _play_refusal(stage)
    _play_mended(stage)


def _prepare(stage: Stage) -> None:
    stage.say(
        "Seven agents vote on schema migrations. Two may be wrong, so five must agree,",
        "and five must have come to it by the evidence itself.",
    )
    stage.begin(_VOTERS, "dana")
    policy = stage.root / "decisions/policy.yaml"
    before, _, after = policy.read_text().partition("  governance:\n")
    policy.write_text(f"{before}{read_template('demo/index-class.yaml')}  governance:\n{after}")
    for name, path in _FILES.items():
        stage.write(f"sandbox/{path}", read_template(f"demo/{name}"))
    _make_database(stage)
    stage.run("git add .")
    stage.run("git commit --quiet --message 'Start deciding with accord'")
    stage.run("git switch --quiet --create smaller-index")


def _make_database(stage: Stage) -> None:
    """A shop with many closed orders and few open ones."""
    rows = ((n % 97, "open" if n % 100 == 0 else "closed", n) for n in range(_ORDERS))
    with closing(sqlite3.connect(stage.root / "shop.db")) as shop:
        shop.execute("CREATE TABLE orders (customer_id INTEGER, status TEXT, total INTEGER)")
        shop.executemany("INSERT INTO orders VALUES (?, ?, ?)", rows)
        shop.execute("CREATE INDEX orders_customer_id ON orders (customer_id)")
        shop.commit()


def _propose(stage: Stage, number: int, name: str, *options: str) -> None:
    stage.write(f"brief-{number}.yaml", read_template(f"demo/index-brief-{number}.yaml"))
    words = ("accord propose", name, *options, f"--from ../brief-{number}.yaml --open --commit")
    stage.run(" ".join(words))
    stage.write_votes(f"votes-{number}", f"demo/index-votes-{number}.yaml")


def _play_refusal(stage: Stage) -> None:
    stage.say("The orchestrator proposes to replace an index. A tool has summed the migration up.")
    _propose(stage, 1, "partial-index", "--class schema-migration")
    stage.say("Five of seven agree, and that is a quorum. Three of them only read the summary.")
    stage.run("accord vote partial-index --from ../votes-1 --commit")
    stage.run("accord show partial-index")
    stage.say("More voters would not help. The proposal declares a check of the real database:")
    stage.run("accord check run partial-index plan --as dana --commit")
    stage.say("The index is not retained. The human decides, on what the orchestrator sums up.")
    stage.write("synthesis.txt", _SYNTHESIS)
    stage.run("accord synthesize partial-index --text ../synthesis.txt --commit")
    stage.run(
        "accord rule partial-index --reject --reason 'closed orders lose their index' --commit"
    )
    stage.say("Afterwards: what would have been without that summary?")
    stage.run("accord replay partial-index --without tool-summary")


def _play_mended(stage: Stage) -> None:
    stage.say("The migration is mended and proposed again. It names the decision that failed.")
    _propose(stage, 2, "two-partial-indexes", "--continues partial-index")
    stage.run("accord vote two-partial-indexes --from ../votes-2 --commit")
    stage.say(
        "The same three read only the summary again. This time the check bears them out,",
        "and that settles it, however they came to agree.",
    )
    stage.run("accord check run two-partial-indexes plan --as dana --commit")
    stage.run("accord verify")
    stage.run("accord status")
