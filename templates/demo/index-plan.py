"""Show how closed orders of a customer are found after a migration. Exit 1: by reading them all."""

import pathlib
import sqlite3
import sys

database, migration = sys.argv[1:]
orders = sqlite3.connect(":memory:")
sqlite3.connect(f"file:{database}?mode=ro", uri=True).backup(orders)
orders.executescript(pathlib.Path(migration).read_text())
query = "SELECT total FROM orders WHERE customer_id = 7 AND status = 'closed'"
plan = [row[3] for row in orders.execute(f"EXPLAIN QUERY PLAN {query}")]
print(query, *plan, sep="\n")
sys.exit(any(step.startswith("SCAN") for step in plan))
