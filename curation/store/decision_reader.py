"""What can be read from a store: the decisions that count, the log, and who did what."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from curation.errors import StoreError
from curation.store import audit_entries, queries
from curation.store.actions import Action
from curation.store.backend import Backend
from curation.store.curator_agreement import Agreement, Disagreement, find_agreement
from curation.store.entries import AuditEntry, ClassDecision, Decision, Entry
from curation.store.judged_dataset import DatasetLike
from curation.store.matching import Matched, Misfit, match_decisions
from curation.store.queries import Progress
from curation.store.replay import POLICIES, Policy


class DecisionReader:
    """The decisions of one dataset as its database holds them; it writes nothing."""

    dataset: DatasetLike  # the dataset that the decisions are about
    backend: Backend  # the database that holds them

    def __init__(self, dataset: DatasetLike, backend: Backend) -> None:
        self.dataset = dataset
        self.backend = backend

    def current(self, policy: Policy = "latest") -> list[Decision]:
        """Return the decisions that count and fit the dataset, in the order they were made."""
        return self._match(policy).fitting

    def misfits(self) -> list[Misfit]:
        """Return the decisions that count but no longer fit the dataset, with the reasons."""
        return self._match("latest").misfits

    def match(self, dataset: DatasetLike, policy: Policy = "latest") -> Matched:
        """Return which decisions fit a dataset, which do not, and what changed in it."""
        with self.backend.read() as connection:
            decisions = self._read_decisions(connection, policy)
            known = queries.read_fingerprints(connection)
        return match_decisions(decisions, dataset, known)

    def left_out(self, policy: Policy) -> list[str]:
        """Return the ids of examples on which the policy counts nobody's decision."""
        with self.backend.read() as connection:
            return queries.read_by_policy(connection, _check_policy(policy))[1]

    def current_decision(self, example_id: object) -> Decision | None:
        """Return the decision that counts for one example, by the policy `latest`."""
        with self.backend.read() as connection:
            return queries.read_current_decision(connection, str(example_id))

    def history(self, example_id: object) -> list[Decision]:
        """Return every entry about one example, in order."""
        with self.backend.read() as connection:
            return queries.read_history(connection, str(example_id))

    def log(self, after: int = 0) -> list[Entry]:
        """Return every entry, in order; or only those after a sequence number."""
        with self.backend.read() as connection:
            return queries.read_log(connection, after)

    def revision(self, example_id: object) -> int:
        """Return the number of the last entry that changed this example; 0 if there is none."""
        return self.revisions([str(example_id)])[str(example_id)]

    def revisions(self, example_ids: Iterable[str]) -> dict[str, int]:
        """Return the revision of each of these examples."""
        with self.backend.read() as connection:
            return queries.read_revisions(connection, example_ids)

    def counts(self) -> dict[str, int]:
        """Return how many decisions count and fit the dataset, by action."""
        counts: dict[str, int] = {action: 0 for action in Action}
        with self.backend.read() as connection:
            if queries.read_current_fingerprints(connection) <= {self.dataset.fingerprint}:
                return counts | queries.read_counts(connection)
        for decision in self.current():
            counts[decision.action] += 1
        return counts

    def progress(self) -> list[Progress]:
        """Return how much each curator has decided."""
        with self.backend.read() as connection:
            return queries.read_progress(connection)

    def class_decisions(self) -> list[ClassDecision]:
        """Return the decisions about classes that count."""
        with self.backend.read() as connection:
            return queries.read_class_decisions(connection)

    def disagreements(self) -> list[Disagreement]:
        """Return the examples on which curators differ, unless a lead has settled them."""
        with self.backend.read() as connection:
            return queries.read_disagreements(connection)

    def agreement(self) -> list[Agreement]:
        """Return Cohen's kappa for each pair of curators, on the examples both decided.

        Two answers agree if their actions and labels do. A lead's resolutions are left out: the
        lead had seen the answers of the others.
        """
        with self.backend.read() as connection:
            return find_agreement(queries.read_by_curator(connection))

    def count_units_after(self, decision: Entry) -> int:
        """Return how many units its curator has decided since and not undone."""
        with self.backend.read() as connection:
            return queries.count_units_after(connection, decision.curator, decision.seq)

    def audits(self) -> list[AuditEntry]:
        """Return the entries about audits, in order."""
        with self.backend.read() as connection:
            return audit_entries.read_audits(connection)

    def _read_decisions(self, connection: Connection, policy: Policy) -> list[Decision]:
        if _check_policy(policy) == "latest":
            return queries.read_current(connection)
        return queries.read_by_policy(connection, policy)[0]

    def _match(self, policy: Policy) -> Matched:
        return self.match(self.dataset, policy)


def _check_policy(policy: Policy) -> Policy:
    if policy not in POLICIES:
        raise StoreError(f"Unknown policy {policy!r}.", f"Use {', '.join(POLICIES)}.")
    return policy
