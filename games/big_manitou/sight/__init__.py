"""Who sees what (BM-7): views are built up from what a seat may know, never cut down from the whole."""

from games.big_manitou.sight.knowledge import Knowledge, OpenSeat, knowledge
from games.big_manitou.sight.views import HIDDEN, GroundView, SeatView, View, census, open_view, readers, view

__all__ = [
    "HIDDEN",
    "GroundView",
    "Knowledge",
    "OpenSeat",
    "SeatView",
    "View",
    "census",
    "knowledge",
    "open_view",
    "readers",
    "view",
]
