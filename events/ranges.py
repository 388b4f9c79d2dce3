"""Ranges of ratings, for which the open seats of a table may be."""

import msgspec


class RatingRange(msgspec.Struct, frozen=True):
    """Between which ratings, in whole points, somebody may be who takes an open seat; None: no bound.

    A `provisional` rating counts as it stands, and so does that of whoever has none yet; or it keeps out, if false.
    """

    least: int | None = None
    most: int | None = None
    provisional: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether it bounds anything, and leaves somebody in."""
        bounds = self.least is not None or self.most is not None or not self.provisional
        return bounds and (self.least is None or self.most is None or self.least <= self.most)
