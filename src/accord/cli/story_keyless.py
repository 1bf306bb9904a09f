"""A story for `accord demo --sigstore`: a vote by an account, beside votes by keys.

It needs an instance of Sigstore that takes tokens which nobody signed, as one for tests does.
"""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path

from accord.cli.stage import Stage
from accord.errors import UsageError
from accord.model.affirmation import COMMITMENT
from accord.model.ids import digest_bytes

_VOTERS = ("implementer", "reviewer", "challenger")
_ISSUER = "https://accounts.example.org"
_ACCOUNT = "reviewer@example.org"
_NAME = "shorter-log-retention"
_BRIEF = {
    "context": "Logs are kept for ninety days, and nobody has looked at one older than ten.",
    "text": "Keep logs for thirty days.",
    "evidence": [{"id": "looks", "kind": "primary", "artifact": "looks.txt"}],
}
_VOTE = {
    "vote": "agree",
    "rationale": "The table says that the oldest log that anybody opened was nine days old.",
    "concerns": ["an incident may be found late"],
    "assessment": dict.fromkeys(
        ("testability", "workflow_integration", "incremental_verifiability"), "adequate"
    ),
    "evidence": ["looks"],
}
_STANDS = {
    "stance": "affirm",
    "reason": "The others name nothing that I had not seen.",
    "commitment": COMMITMENT,
}


def play(stage: Stage, config: Path) -> None:
    """Play it with the instance that a client trust config describes."""
    _prepare(stage, config)
    stage.say("Two voters sign with keys. The reviewer has none, and signs with an account.")
    for voter in _VOTERS:
        folder = "votes" if voter != "reviewer" else "vote"
        stage.write(f"{folder}/{voter}.json", json.dumps(_VOTE))
    stage.run(f"accord vote {_NAME} --from ../votes --commit")
    stage.write("token", _make_token(_ACCOUNT))
    keyless = "--as reviewer --sigstore=../trust_config.json --identity-token @../token"
    stage.say("Another account is refused before anything is written.")
    stage.write("wrong", _make_token("mallory@example.org"))
    vote = f"accord vote {_NAME} --from ../vote/reviewer.json --commit"
    stage.run(f"{vote} {keyless.replace('../token', '../wrong')}", expected=2)
    stage.run(f"{vote} {keyless}")
    stage.say("All affirm. Whoever verifies that needs no network: the bundle brings its proof.")
    for voter in _VOTERS:
        folder = "stands" if voter != "reviewer" else "stand"
        stage.write(f"{folder}/{voter}.json", json.dumps(_STANDS))
    stage.run(f"accord affirm {_NAME} --from ../stands --commit")
    stage.run(f"accord affirm {_NAME} --from ../stand/reviewer.json --commit {keyless}")
    stage.run("accord verify --range main..HEAD --branch main")


def _prepare(stage: Stage, config: Path) -> None:
    stage.say("A repository with three voters; the reviewer has an account and no key.")
    try:
        text = config.read_text(encoding="utf-8")
        root = json.dumps(json.loads(text)["trustedRoot"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{config} is no client trust config: {error!r}",
            "name the one of a Sigstore instance that is running here",
        ) from error
    stage.begin(_VOTERS, "dana")
    stage.write("trust_config.json", text)
    stage.write("sandbox/decisions/trusted_root.json", root)
    policy = stage.root / "decisions" / "policy.yaml"
    policy.write_text(_use_account(policy.read_text(), digest_bytes(root.encode())))
    stage.write("sandbox/looks.txt", "oldest log opened, days: 9\n")
    stage.run("git add .")
    stage.run("git commit --quiet --message 'Start deciding with accord'")
    stage.run(f"git switch --quiet --create {_NAME}")
    stage.write("brief.json", json.dumps(_BRIEF))
    stage.run(
        f"accord propose {_NAME} --class architecture --from ../brief.json --open --commit"
        " --as orchestrator"
    )


def _use_account(policy: str, root: str) -> str:
    """The policy with an account in the place of the reviewer's key, and the root pinned."""
    before, name, after = policy.partition("\n  reviewer:\n")
    key, end, rest = after.partition("      - ssh: ")
    _, line, following = rest.partition("\n")
    account = (
        f"      - sigstore:\n          identity: {_ACCOUNT}\n          issuer: {_ISSUER}{line}"
    )
    pinned = f"trusted_root:\n  path: decisions/trusted_root.json\n  digest: {root}\n"
    return f"{before}{name}{key}{account if end else ''}{following}{pinned}"


def _make_token(address: str) -> str:
    """A token that no issuer signed."""
    now = int(time.time())
    claims = {
        "aud": "sigstore",
        "iss": _ISSUER,
        "sub": address,
        "email": address,
        "email_verified": True,
        "iat": now - 10,
        "nbf": now - 10,
        "exp": now + 600,
    }
    return f"{_encode({'alg': 'none'})}.{_encode(claims)}.{_encode({})}"


def _encode(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
