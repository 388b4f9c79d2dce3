"""Who sees what (MA-7): views, the readers of secret fields, and the census of the box."""

from games.manitou.sight.knowledge import CampSize, Knowledge, knowledge
from games.manitou.sight.views import HIDDEN, GroundView, HerdPile, SeatView, View, census, open_view, readers, view

__all__ = [
    "HIDDEN",
    "CampSize",
    "GroundView",
    "HerdPile",
    "Knowledge",
    "SeatView",
    "View",
    "census",
    "knowledge",
    "open_view",
    "readers",
    "view",
]
