"""Files as people write them, to be read and to be spoilt."""

from __future__ import annotations

DIGEST = "sha256:" + "0123456789abcdef" * 4

VOTE = f"""\
format: accord/vote/1
decision: 2026-11-30-use-partial-index
round: 1
voter: implementer
ballot: {DIGEST}
vote: disagree
severity: minor
categories: [OVER_ENGINEERING]
rationale: |
  The plan uses the index for both hot queries.
  Measured: 4.1 ms before, 0.3 ms after.
concerns:
  - it locks writes while it is built
  - text: nobody owns the migration
    blocking: true
alternative: 'Build it concurrently; it''s slower, and nobody waits.'
assessment:
  testability: strong
  workflow_integration: {{rating: adequate, note: "one more job: 4 min"}}
evidence:
  - diff
  - id: explain-log
    via: measured
lineage: {{operator: acme, model: m-1}}
cast_at: 2026-11-30T10:11:12.5Z
"""

POLICY = """\
format: accord/policy/1
project: 0123456789abcdef0123456789abcdef
serial: 1
members:
  implementer:
    kind: agent
    roles: [voter]
    keys:
      - ssh: ssh-ed25519 AAAA
  dana:
    kind: human
    roles: [decider]
    keys:
      - sigstore: {identity: dana@example.org, issuer: "https://accounts.example.org"}
        valid_from: 2026-01-01T00:00:00Z
classes:
  architecture:
    description: Tech stack, architecture, system-wide design
    rule: unanimity
    voters: {min: 3, max: 4, eligible: [implementer, challenger]}
    require: {assessment: true}
    independence: {f: 1, overlap_warning: "0.8"}
guarded: [{paths: ["src/db/**"], class: architecture, by: affects}]
"""
