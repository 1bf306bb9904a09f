"""Attacks on guarded code: what lands without the decision that it needs."""

from __future__ import annotations

from tests.attacks.attack import STEP_BY_STEP, Attack
from tests.attacks.starts import DEPLOYED
from tests.e2e.team import Team

# Guards judge what lands: not what is staged, nor a commit that a history has by itself.
LANDING = STEP_BY_STEP


def change(path: str, trailer: str = "", mode: str = "100644", text: str = DEPLOYED) -> Attack:
    """A commit that puts bytes at a path, named as git takes it and the working tree may not."""

    def act(team: Team) -> None:
        file = team.write("blob", text)
        blob = team.repo.git("hash-object", "-w", str(file))
        team.repo.git("update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}")
        message = "a change\n\n" + trailer.format(id=team.id_of("x"))
        team.repo.git("commit", "-q", "-m", message)
        team.repo.git("update-index", "--skip-worktree", path)

    code = "enacts-differs" if path == "deploy.yml" else "guarded-path"
    return Attack("guarded code, decided", act, code, LANDING)


GUARDS: dict[str, Attack] = {
    "another case beside a guarded folder": change("SRC/db/a.sql"),
    "a guarded path with backslashes": change("src\\db\\a.sql"),
    "a guarded name with a dot at its end": change("src/db./a.sql"),
    "enacted bytes that are made executable": change("deploy.yml", mode="100755"),
    "a link to the enacted bytes": change("deploy.yml", mode="120000"),
    "a quoted trailer": change("src/db/a.sql", "> Accord-Decision: {id}"),
    "a trailer among words": change(
        "src/db/a.sql", "They said\nAccord-Decision: {id}\nand so it is"
    ),
}
