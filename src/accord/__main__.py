"""`python -m accord`."""

import sys

from accord.cli.main import run

if __name__ == "__main__":
    sys.exit(run())
