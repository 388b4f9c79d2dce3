"""The whole service under load, with answers spoilt between clients and web server, and between it and the store."""

import time

from tests.chaos.client import Client
from tests.chaos.kills import CLIENTS, Report, report, service
from tests.chaos.spoiling import Spoiler, spoiling
from tests.chaos.working import working
from tests.servers import data_directory, running
from wintercount.processes import embedded

AT_THE_WEB, AT_THE_STORE = 0.5, 0.03  # shares: a request makes many answers of the store, and each may spoil it
LOOK_S = 0.2


def with_spoilt_replies(replies: int, seed: int) -> Report:
    """Plays until so many answers are spoilt, and checks what is left."""
    with data_directory() as directory, running(embedded.start(directory)):
        store_url = embedded.url_of(directory)
        with spoiling(store_url, AT_THE_STORE, seed) as store:
            settings = {"REDIS_URL": f"redis://127.0.0.1:{store.port}", "QUEUE_URL": store_url}
            with service(**settings) as found, spoiling(found.address, AT_THE_WEB, seed + 1) as web:
                address = f"http://127.0.0.1:{web.port}"
                clients = [Client(address, seed * CLIENTS + number) for number in range(CLIENTS)]
                with working(clients):
                    found.wait(Enough([store, web], replies))
                return report(found, store_url, clients, store.spoilt + web.spoilt)


class Enough:
    """Whether so many answers are spoilt; from then on none is."""

    def __init__(self, spoilers: list[Spoiler], replies: int) -> None:
        self._spoilers, self._replies = spoilers, replies

    def __call__(self) -> bool:
        """Looks, after a pause."""
        time.sleep(LOOK_S)
        now = sum(spoiler.spoilt.total() for spoiler in self._spoilers)
        if now >= self._replies:
            for spoiler in self._spoilers:
                spoiler.be_fair()
        return now >= self._replies
