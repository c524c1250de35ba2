"""The claims of a registry held against the snapshots of their sources, each page read once."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence

from caveat.command import Run
from caveat.evidence.fetching import MOST_BYTES
from caveat.evidence.formats import kind_of
from caveat.evidence.judging import Judge
from caveat.evidence.pages import read_page
from caveat.evidence.verdicts import CHANGED, NO_SNAPSHOT, UNREADABLE, Verdict
from caveat.loading.problems import suggest
from caveat.loading.snapshots import Snapshot, read_snapshots
from caveat.outcome import UserError
from caveat.registry.registry import Claim, Registry
from caveat.running.checking import described
from caveat.running.files import shown_path


class Verified:
    """What became of some claims: their verdicts, in the order of the registry, and the snapshots by source."""

    __slots__ = ("snapshots", "verdicts")

    def __init__(self, verdicts: list[Verdict], snapshots: dict[str, Snapshot]) -> None:
        self.verdicts = verdicts
        self.snapshots = snapshots


def verify(run: Run, ids: Sequence[str]) -> Verified:
    """The verdicts on the claims with these ids, or on all. What keeps a snapshot from being read is said.

    Raises UserError for ids that no claim has.
    """
    registry = run.desk().registry
    claims = _asked(registry, ids)
    snapshots = read_snapshots(run.desks.files(run.settings.of_path(".")).claims)
    by_source: dict[str, list[Claim]] = {}
    for claim in claims:
        by_source.setdefault(claim.source, []).append(claim)
    found: dict[str, Verdict] = {}
    sizes = {source: _size(snapshots[source]) for source in by_source if source in snapshots}
    with run.speak.progress(sum(sizes.values()), "Verifying") as done:
        for source, rest in by_source.items():
            found |= {verdict.claim.id: verdict for verdict in _verdicts(run, snapshots.get(source), registry, rest)}
            done(sizes.get(source, 0))
    return Verified([found[claim.id] for claim in claims], snapshots)


def _asked(registry: Registry, ids: Sequence[str]) -> list[Claim]:
    """The claims with some ids, or all, in the order of the registry."""
    claims = {claim.id: claim for claim in registry.all_claims()}
    unknown = [id_ for id_ in dict.fromkeys(ids) if id_ not in claims]
    if unknown:
        raise UserError("\n".join(f"there is no claim {id_!r}; {suggest(id_, claims)}" for id_ in unknown))
    return [claim for claim in claims.values() if not ids or claim.id in ids]


def _verdicts(run: Run, snapshot: Snapshot | None, registry: Registry, claims: Sequence[Claim]) -> list[Verdict]:
    """The verdicts on the claims of a source; a fault of Caveat's with its page costs no other source."""
    try:
        return list(map(_judge(run, snapshot, registry), claims))
    except Exception as error:  # noqa: BLE001 - reported, and the other pages are still read
        path = shown_path(snapshot.path) if snapshot else ""
        run.speak.error(f"{path}: not verified, by a fault in Caveat: {described(error)}")
        return [Verdict(claim, UNREADABLE, path) for claim in claims]


def _judge(run: Run, snapshot: Snapshot | None, registry: Registry) -> Callable[[Claim], Verdict]:
    """How the claims of a source are judged: by its page, or alike if that cannot be read."""
    if snapshot is None:
        return lambda claim: Verdict(claim, NO_SNAPSHOT)
    place, path = f"{shown_path(snapshot.recorded[0])}:{snapshot.recorded[1]}", shown_path(snapshot.path)
    try:
        data = _content(snapshot.path, path)
        if hashlib.sha256(data).hexdigest() != snapshot.sha256:
            run.speak.error(
                f"{place}: {path} is not the file that was recorded on {snapshot.taken}: its SHA-256 differs; "
                "restore it, or store it anew with `caveat claims snapshot`"
            )
            return lambda claim: Verdict(claim, CHANGED, f"{path} differs from what was recorded on {snapshot.taken}")
        page = read_page(data, kind_of(data, path), path, snapshot.encoding)
    except UserError as error:
        run.speak.error(f"{place}: {error}")
        return lambda claim: Verdict(claim, UNREADABLE, path)
    return Judge(page, registry).verdict


def _content(path: str, shown: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        message = f"{shown}: cannot be read: {error.strerror or error}"
        raise UserError(f"{message}; restore it, or store it anew with `caveat claims snapshot`") from error
    if len(data) > MOST_BYTES:
        raise UserError(f"{shown}: more than {MOST_BYTES // (1024 * 1024)} MiB, the most that a snapshot may have")
    return data


def _size(snapshot: Snapshot) -> int:
    try:
        return os.path.getsize(snapshot.path)
    except OSError:
        return 0
