"""README and tutorial show the real output of real commands: each is run and compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.transcripts import Shop, check_page

README = Path(__file__).parents[2] / "README.md"
TUTORIAL = README.parent / "docs/tutorial.md"
VOTERS = ("implementer", "reviewer", "challenger")
BRIEF = """\
title: Use a partial index for open orders
context: Most queries ask for open orders; the index holds them all.
text: Replace the index on orders.customer_id by one over open orders only.
evidence:
  - {id: old, kind: primary, artifact: migrations/0041.sql}
"""
VOTE = """\
vote: agree
rationale: The diff drops nothing that open orders need.
concerns: [reports over closed orders get slower]
assessment: {testability: strong, workflow_integration: strong, incremental_verifiability: weak}
evidence: [diff, old]
"""
AFFIRMATION = """\
stance: affirm
reason: The concern about reports is real and accepted; nothing else is new.
commitment: no_reversal_without_redecision
"""
# After which command the world does something that the README tells in prose.
ASIDES = {
    "init": (
        "git commit -qm accord",
        "git switch -qc partial-index",
        "mkdir -p migrations",
        "cp migrations/0041.sql migrations/0042.sql",
        "git add .",
        "git commit -qm index",
    ),
}


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path)
    shop.run("git init -qb main .")
    shop.run("git config user.name Dana && git config user.email dana@example.org")
    shop.write("shop/migrations/0041.sql", "CREATE INDEX orders_customer ON orders(customer_id);\n")
    shop.run("git add . && git commit -qm start")
    shop.write("brief.yaml", BRIEF)
    return shop


def test_console_blocks_are_real(shop: Shop) -> None:
    def aside(command: str) -> None:
        for line in ASIDES.get(command.split()[1], ()):
            shop.run(line)
        for voter in VOTERS:
            if "../packets" in command and "packet " in command:
                shop.write(f"packets/{voter}/vote.yaml", VOTE)
            if "../affirmations" in command and "packet " in command:
                shop.write(f"affirmations/{voter}/affirmation.yaml", AFFIRMATION)

    assert check_page(README, shop, aside) == 7


@pytest.mark.slow
def test_the_tutorial_is_real(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    assert check_page(TUTORIAL, shop) == 32
