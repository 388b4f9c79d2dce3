"""Whether a variable is given that sets nothing, as a misspelt one does."""

from collections.abc import Iterator, Mapping

from service.config import strangers
from service.runtime.doctor.findings import Finding, good, warning


def checked(environment: Mapping[str, str]) -> Iterator[Finding]:
    """One finding for each variable that is named like a setting and is none; one if there is no such variable."""
    found = strangers(environment)
    for variable, meant in found.items():
        advice = f"did you mean {meant}?" if meant else "`wintercount settings` lists all that are"
        yield warning("settings", f"{variable} is given and sets nothing", advice)
    if not found:
        yield good("settings", "each that is given is known")
