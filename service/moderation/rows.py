"""Actions as operators are told them."""

from typing import Any

from service.moderation.desk import Desk
from service.moderation.sanctions import Folded


def action_row(desk: Desk, known: Folded, number: int) -> dict[str, Any]:
    """An action by its number, and whether it stands, by what is known of all actions."""
    action = known.actions[number - 1].action
    told = {name: getattr(action, name) for name in ("type", "at", "reason", "player", "items", "reverses")}
    return told | {"action": number, "text": desk.acting.text(action), "stands": number not in known.reversed}
