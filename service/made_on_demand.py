"""What a process makes when somebody first asks for it, and keeps."""

import threading
from collections.abc import Callable
from typing import Any


class MadeOnDemand:
    """Things by name, each made by one thread; others that ask meanwhile wait for it instead of making it too."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}
        self._making = threading.RLock()  # what is made may be made of another

    def get(self, name: str, make: Callable[[], Any]) -> Any:
        """What has this name, made if nobody has asked for it before."""
        if name not in self._made:
            with self._making:
                if name not in self._made:
                    self._made[name] = make()
        return self._made[name]
