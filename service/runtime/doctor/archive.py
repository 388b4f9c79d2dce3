"""The archive: whether this process knows where it is, and what the store names of it is there."""

from collections.abc import Callable, Iterator, Mapping

from events.archiving import segments
from events.log import LogDamaged, LogNewer
from projections.catalogue import Segment, named
from service.runtime.doctor.findings import Finding, Patient, fault, good
from service.stores import archive_of

NEWEST = 20  # segments that are looked at
ADVICE = (
    "WINTERCOUNT_ARCHIVE has to name the same archive for all processes; if it does, put its files back from a copy"
)


def _archive(patient: Patient) -> Iterator[Finding]:
    """The newest segments are there and can be read; an archive that is not used yet is no fault."""
    known, objects = named(patient.client, 1), archive_of(patient.settings)
    missing = [segment for segment in known[-NEWEST:] if objects and not _is_there(patient, segment)]
    if objects is None and known:
        yield fault(
            "archive", f"closed tables lie in {len(known)} segments, and WINTERCOUNT_ARCHIVE is not set", ADVICE
        )
    elif objects is None:
        yield good("archive", "closed tables stay in the store: WINTERCOUNT_ARCHIVE is not set")
    elif missing:
        yield fault("archive", f"{objects.where} lacks segment {missing[0].name}", ADVICE)
    else:
        yield good("archive", f"{objects.where} has {len(known)} segments, the newest of them whole")


def _is_there(patient: Patient, segment: Segment) -> bool:
    try:
        return bool(segments.listing(patient.log.archive, segment.name))
    except LogNewer:
        return True
    except LogDamaged:
        return False


CHECKS: Mapping[str, Callable[[Patient], Iterator[Finding]]] = {"archive": _archive}
