"""What an authority is given when its word is needed."""

from __future__ import annotations

from dataclasses import dataclass

from accord.render.packet import Item, OpenVote
from accord.render.templates import render_template


@dataclass(frozen=True, slots=True)
class AuthorityPacket:
    """What an authority sees: what is asked, all votes, and what to do, step by step.

    `brief` says what each objection asks for, "" where nothing is to be answered.
    """

    decision: str
    round: int
    member: str
    asked: str
    title: str
    text: str
    votes: tuple[OpenVote, ...]
    silent: str
    directive: str
    brief: str
    enacted: str
    evidence: tuple[Item, ...]
    steps: tuple[str, ...]


def render_authority_packet(packet: AuthorityPacket) -> str:
    """The packet as Markdown. An authority fills nothing in: commands ask."""
    return render_template("packet-authority.md.j2", p=packet)
