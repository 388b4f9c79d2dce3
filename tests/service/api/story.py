"""A few tables, played so that every operation has been asked for once: the document's examples."""

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

from events.envelopes import Recorded
from events.times import stamp
from projections.history import TableHistory
from rulings.notation import document_of, write
from service.accounts.callers import NOBODY
from service.analyses import Name
from service.dumps import names_of
from service.stores import log_at
from service.streams.frames import AnalysisSubscription, FeedSubscription, InboxSubscription, TableSubscription
from service.tables.expired_clocks import expire
from tests import corpus
from tests.service.api.authenticator import Authenticator
from tests.service.api.world import Answer, Somebody, World
from worker.analysis import evaluating, finished
from worker.analysis.evaluating import Effort
from worker.analysis.slices import run_slice
from worker.monthly_dumps import Request, bounds, make
from worker.play_turn import play_turns


class Story:
    """Keeps a request and its answer for every operation, by operation id, in `told`."""

    def __init__(self, world: World, now: list[int]) -> None:
        self.world, self.now = world, now
        self.told: dict[str, dict[str, Any]] = {}

    def tell(self) -> None:
        """The whole story."""
        self.accounts()
        self.games()
        self.opening()
        self.moves()
        self.reading()
        self.travelling()
        self.clocks()
        self.leaving()
        self.disputes()
        self.takebacks()
        self.archives()
        self.transcripts()
        self.webhooks()
        self.forks()
        self.analyses()
        self.explanations()
        self.lessons()
        self.erasure()
        self.operations()

    def keep(self, name: str, answer: Answer, request: Any = None) -> Any:
        """Keeps an accepted request and its answer as the example of an operation."""
        assert 200 <= answer.status_code < 300, answer.text
        self.told[name] = {} if request is None else {"request": request}
        if answer.status_code != 204:
            self.also(name, answer.mimetype, answer.json if answer.is_json else answer.text)
        return answer.json if answer.is_json else None

    def also(self, name: str, media: str | None, answer: Any) -> None:
        """Keeps an answer in another form."""
        self.told[name].setdefault("answers", {})[media] = answer

    def accounts(self) -> None:
        body = {"name": "Ann", "bot": False}
        account = self.keep("createPlayer", self.world.nobody.post("/v1/players", body), body)
        self.ann = Somebody(self.world.app, account["id"], account["token"]["secret"])
        self.bob = self.world.somebody("Bob")
        wanted = {"scopes": ["watch"], "label": "a page that shows my tables"}
        made = self.keep("createToken", self.ann.post("/v1/players/me/tokens", wanted), wanted)
        self.keep("listTokens", self.ann.get("/v1/players/me/tokens"))
        path, label = f"/v1/players/me/tokens/{made['id']}", {"label": "the hall's screen"}
        self.keep("renameToken", self.ann.send("PUT", path, json=label), label)
        self.keep("revokeToken", self.ann.delete(path))
        self.identities()
        self.blocks()
        self.moderation()

    def moderation(self) -> None:
        """Ann reports Rex, whom the operator warns."""
        rex = self.world.somebody("Rex")
        body = {"player": rex.player, "reason": "abuse", "text": "He called me names at every table."}
        item = self.keep("report", self.ann.post("/v1/reports", body), body)["id"]
        self.keep("listReports", self.world.operator.get("/v1/reports"))
        told = "No names, please: the next time we close the account."
        deed = {"action": "warn", "reason": "abuse", "player": rex.player, "items": [item], "text": told}
        self.keep("moderate", self.world.operator.post("/v1/moderation", deed), deed)
        self.keep("listActions", self.world.operator.get(f"/v1/moderation?player={rex.player}"))
        self.keep("getMe", rex.get("/v1/players/me"))

    def identities(self) -> None:
        """A guest takes a name, and signs in on other devices in each of the ways that there are."""
        made = self.world.nobody.post("/v1/players", {"name": "Guest", "guest": True}).json
        guest = Somebody(self.world.app, made["id"], made["token"]["secret"])
        me, name = "/v1/players/me", {"name": "Fay"}
        self.keep("takeName", guest.send("PUT", f"{me}/name", json=name), name)
        code = self.keep("createSignInCode", guest.post(f"{me}/sign-in-codes"))["code"]
        body = {"code": code, "label": "telephone"}
        self.keep("signIn", self.world.nobody.post("/v1/sign-ins", body), body)
        self.keep("createRecoveryCodes", guest.post(f"{me}/recovery-codes"))
        self.keep("getRecoveryCodes", guest.get(f"{me}/recovery-codes"))
        options = self.keep("preparePasskey", guest.post(f"{me}/passkeys/options"))["options"]
        body = {"passkey": Authenticator(secret=21).make(options), "label": "laptop"}
        kept = self.keep("addPasskey", guest.post(f"{me}/passkeys", body), body)["id"]
        self.keep("prepareSignIn", self.world.nobody.post("/v1/sign-ins/options"))
        self.keep("listPasskeys", guest.get(f"{me}/passkeys"))
        path, label = f"{me}/passkeys/{kept}", {"label": "key ring"}
        self.keep("renamePasskey", guest.send("PUT", path, json=label), label)
        self.keep("removePasskey", guest.delete(path))

    def blocks(self) -> None:
        path = f"/v1/players/me/blocks/{self.bob.player}"
        self.keep("blockPlayer", self.ann.send("PUT", path))
        self.keep("listBlocks", self.ann.get("/v1/players/me/blocks"))
        self.keep("unblockPlayer", self.ann.delete(path))

    def webhooks(self) -> None:
        account = self.world.nobody.post("/v1/players", {"name": "Robot", "bot": True}).json
        robot = Somebody(self.world.app, account["id"], account["token"]["secret"])
        body = {"url": "https://bots.example/turn"}
        self.keep("setWebhook", robot.send("PUT", "/v1/players/me/webhook", json=body), body)
        self.keep("getWebhook", robot.get("/v1/players/me/webhook"))
        self.keep("deleteWebhook", robot.delete("/v1/players/me/webhook"))

    def games(self) -> None:
        nobody = self.world.nobody
        self.keep("listGames", nobody.get("/v1/games"))
        self.keep("getGame", nobody.get("/v1/games/big-manitou"))
        self.keep("listRules", nobody.get("/v1/games/big-manitou/rules"))
        self.keep("getRule", nobody.get("/v1/games/big-manitou/rules/BM-5.4b"))
        found = self.keep("listEventTypes", nobody.get("/v1/games/big-manitou/events"))
        abridged = found | {"events": [row for row in found["events"] if row["type"] == "CardPlayed"]}
        self.also("listEventTypes", "application/json", abridged)
        found = self.keep("listGameRulings", nobody.get("/v1/games/big-manitou/rulings"))
        abridged = found | {"rulings": [row for row in found["rulings"] if row["id"] == "BM-R6"]}
        self.also("listGameRulings", "application/json", abridged)
        shown = self.keep("getCase", nobody.get("/v1/games/big-manitou/cases/BM-R6"))
        first = shown["outcomes"][0]
        short = first | {"moments": [moment | {"view": {"phase": "play"}} for moment in first["moments"]]}
        self.also("getCase", "application/json", shown | {"outcomes": [short]})
        self.keep("listAiPlayers", nobody.get("/v1/ai-players"))

    def opening(self) -> None:
        body = {
            "game": "big-manitou",
            "seats": [{"kind": "me"}, {"kind": "open"}],
            "clock": {"kind": "decision", "decision_s": 86400},
        }
        self.table = self.keep("openTable", self.ann.post("/v1/tables", body), body)["id"]
        self.path = f"/v1/tables/{self.table}"
        self.world.catch_up()
        self.keep("listTables", self.bob.get("/v1/tables?status=open"))
        self.invitations()
        sitting = {"contribution": "the third crow on the left"}
        self.keep("takeSeat", self.bob.post(f"{self.path}/seats/2", sitting), sitting)

    def invitations(self) -> None:
        path, body = f"{self.path}/invitations", {"name": "Bea", "seat": 2}
        sent = self.keep("invite", self.ann.post(path, body), body)["id"]
        self.keep("getInvitation", self.world.nobody.get(f"/v1/invitations/{sent}"))
        seen = {"state": "seen"}
        self.keep("answerInvitation", self.world.nobody.post(f"/v1/invitations/{sent}/answer", seen), seen)
        self.keep("listInvitations", self.ann.get(path))
        self.keep("withdrawInvitation", self.ann.delete(f"/v1/invitations/{sent}"))

    def profiles(self) -> None:
        shown = {"results": True, "ratings": True, "opponents": True, "activity": True}
        self.keep("setShown", self.ann.send("PUT", "/v1/players/me/profile", json=shown), shown)
        self.keep("getShown", self.ann.get("/v1/players/me/profile"))
        self.keep("getQuotas", self.ann.get("/v1/players/me/quotas"))
        self.keep("getProfile", self.world.nobody.get(f"/v1/players/{self.ann.player}"))

    def moves(self) -> None:
        path = f"{self.path}/moves"
        self.world.play(self.table, self.ann, self.bob, moves=2)
        if self.history(self.table).table.decision_of(1) is None:
            self.world.play(self.table, self.ann, self.bob, moves=1)
        waiting = self.keep("listMoves", self.ann.get(path))["decisions"][0]
        self.world.catch_up()
        self.keep("getInbox", self.ann.get("/v1/inbox"))
        self.also("getInbox", "text/event-stream", asyncio.run(self.news()).decode())
        wrong = {"game": "big-manitou", "seat": 1, "move": {"type": "pass_turn"}}
        self.keep("checkMove", self.ann.post(f"{path}/check", wrong), wrong)
        self.now[0] += 60_000
        body = {"game": "big-manitou", "seat": 1, "decision": waiting["id"], "move": waiting["moves"][0]}
        self.keep("playMove", self.ann.post(path, body), body)

    def reading(self) -> None:
        self.world.play(self.table, self.ann, self.bob, moves=40)
        self.keep("getTable", self.world.nobody.get(f"{self.path}?at=10"))
        feed = "/v1/feed?limit=2&type=SeatTaken"
        self.keep("readFeed", self.bob.get(feed))
        self.also("readFeed", "application/x-ndjson", self.bob.get(feed, Accept="application/x-ndjson").text)
        self.also("readFeed", "text/event-stream", asyncio.run(self.batch()).decode())
        events = f"{self.path}/events?after=3&language=en"
        self.keep("listEvents", self.ann.get(f"{events}&limit=4"))
        lines = self.ann.get(events, Accept="application/x-ndjson").text.splitlines(keepends=True)
        self.also("listEvents", "application/x-ndjson", "".join(lines[:2]))
        found = self.keep("listRulings", self.ann.get(f"{self.path}/rulings"))
        version = found["rulings"][-1]["version"]
        abridged = {"version": found["version"], "rulings": found["rulings"][-1:]}
        self.also("listRulings", "application/json", abridged)
        answer = self.ann.get(f"{self.path}/rulings/{version}", Accept_Language="fr")
        self.keep("getRuling", answer)

    def travelling(self) -> None:
        newest = self.history(self.table).table.version
        self.keep("diffTable", self.ann.get(f"{self.path}/diff?from={newest - 2}&to={newest}"))
        self.keep("blamePlace", self.ann.get(f"{self.path}/blame?path=/view/hunt"))
        self.keep("findMoment", self.ann.get(f"{self.path}/find?path=/view/phase&value=%22play%22"))
        self.keep("auditTable", self.ann.get(f"{self.path}/audit"))

    def history(self, table: str) -> TableHistory:
        """What has happened at a table."""
        return self.world.services.handler.history(table)

    def clocks(self) -> None:
        """Bob's time is over: Ann waits a little, and then hands his seat to an AI."""
        while (decision := self.history(self.table).table.decision_of(2)) is None:
            self.play_on(self.table)
        asked = (
            (86_401, {"seconds": 3600}, "wait", "grantTime"),
            (3_601, {"level": "greedy"}, "handover", "handOverSeat"),
        )
        for seconds, body, what, name in asked:
            self.now[0] += seconds * 1000
            expire(self.world.services.handler, self.table, 2, decision.recorded_id)
            answer = self.ann.post(f"{self.path}/seats/2/{what}", body)
            self.keep(name, answer, body)

    def leaving(self) -> None:
        body = {"game": "big-manitou", "seats": [{"kind": "me"}, {"kind": "open"}]}
        table = self.ann.post("/v1/tables", body).json["id"]
        self.keep("leaveSeat", self.ann.delete(f"/v1/tables/{table}/seats/1"))
        frames = asyncio.run(self.stream(table))
        self.also("listEvents", "text/event-stream", frames.decode())

    async def stream(self, table: str) -> bytes:
        """All frames of a stream that begins with the second event."""
        hub = self.world.services.hub
        subscription = TableSubscription(table, NOBODY, 1, None)
        hub.open.admit(subscription)
        return b"".join([frame async for frame in hub.frames(subscription)])

    async def batch(self) -> bytes:
        """The first frames of the feed."""
        hub, subscription = self.world.services.hub, FeedSubscription(NOBODY, {"types": ("SeatTaken",)})
        hub.open.admit(subscription)
        frames = hub.frames(subscription)
        found = [await anext(frames) for _ in range(2)]
        hub.open.dismiss(subscription)
        await frames.aclose()
        return b"".join(found)

    async def news(self) -> bytes:
        """The first frames of Ann's inbox."""
        services = self.world.services
        subscription = InboxSubscription(services.accounts.caller(str(self.ann.token)))
        services.hub.open.admit(subscription)
        frames = services.hub.frames(subscription)
        found = [await anext(frames) for _ in range(2)]
        services.hub.open.dismiss(subscription)
        await frames.aclose()
        return b"".join(found)

    def disputes(self) -> None:
        """Ann disputes how a trial of strength fell; the arbiter lets it stand at one table, the seats at another."""
        cleo = self.world.again(self.world.somebody("Cleo"), ["play", "watch", "arbitrate"])
        by_arbiter = {"by": "arbiter", "window_s": 3600, "answer_s": 86400, "play": "pauses"}
        path = self.disputed(arbiter=cleo.player, disputes=by_arbiter)
        self.keep("listDisputes", self.bob.get(f"{path}/disputes"))
        dispute = f"{path}/disputes/{self.dispute}"
        said = {"text": "The edition on this table says otherwise."}
        self.keep("commentOnDispute", self.bob.post(f"{dispute}/comments", said), said)
        look = {"seat": 2}
        self.keep("lookThroughSeat", cleo.post(f"{dispute}/looks", look), look)
        verdict = {"outcome": "upheld", "text": "We play by the house rules that the table was opened with."}
        answer = cleo.post(f"{dispute}/resolution", verdict)
        self.keep("resolveDispute", answer, verdict)
        path = self.disputed(disputes=by_arbiter | {"by": "vote"})
        vote = {"seat": 2, "overturn": False}
        answer = self.bob.post(f"{path}/disputes/{self.dispute}/votes", vote)
        self.keep("voteOnDispute", answer, vote)

    def disputed(self, **opening: Any) -> str:
        """A table at which Ann has just disputed a ruling; its path."""
        table = self.world.open(self.ann, self.bob, **opening)
        while (ruling := self.trial(table)) is None:
            self.play_on(table)
        rule = ruling.envelope.payload["rules"][0]
        body = {"seat": 1, "version": ruling.version, "rule": rule, "claim": "Both heroes should be turned down."}
        asked = {"version": ruling.version}
        self.keep("previewDispute", self.ann.post(f"/v1/tables/{table}/disputes/preview", asked), asked)
        body["remedy"] = {"correction": 1}
        answer = self.keep("openDispute", self.ann.post(f"/v1/tables/{table}/disputes", body), body)
        self.dispute = answer["id"]
        return f"/v1/tables/{table}"

    def trial(self, table: str) -> Recorded | None:
        """The trial of strength that the last move led to."""
        events = self.history(table).events
        last = events[events[-1].envelope.batch[0] - 1 :]
        return next((event for event in last if event.envelope.type == "TrialOfStrengthResolved"), None)

    def play_on(self, table: str) -> None:
        """One move more; a game that is over has none."""
        now = self.history(table).table
        assert not now.over
        self.world.play(table, self.ann, self.bob, moves=1, seed=now.version)

    def takebacks(self) -> None:
        """Bob has to agree: he has seen what Ann played."""
        table = self.world.open(self.ann, self.bob, game="manitou")
        while self.history(table).events[-1].envelope.by.get("seat") != 1 or self.history(table).table.version < 20:
            self.play_on(table)
        path, body = f"/v1/tables/{table}/offers", {"kind": "takeback", "seat": 1}
        asked = self.keep("makeOffer", self.ann.post(path, body), body)
        agreed = {"seat": 2, "agrees": True}
        answer = self.bob.post(f"{path}/{asked['offer']['id']}/answer", agreed)
        self.keep("answerOffer", answer, agreed)
        self.keep("resignSeat", self.bob.post(f"/v1/tables/{table}/seats/2/resign"))

    def archives(self) -> None:
        """A finished game, taken in again where it came from."""
        self.over = self.world.open(self.ann, self.bob, game="tomahawk")
        self.world.play(self.over, self.ann, self.bob, moves=1000)
        archive = self.world.nobody.get(f"/v1/tables/{self.over}/archive")
        lines = archive.text.splitlines(keepends=True)
        self.keep("exportArchive", archive)
        for media in (archive.mimetype, "application/octet-stream"):
            self.also("exportArchive", media, "".join(lines[:3]))
        self.keep("exportNotation", self.world.nobody.get(f"/v1/tables/{self.over}/notation"))
        sent = {"data": archive.data, "content_type": archive.mimetype}
        self.keep("importArchive", self.world.operator.send("POST", "/v1/archives", **sent), "".join(lines[:3]))
        options = {"options": {"dusk_dance_card": "taker_sees"}}
        path = f"/v1/tables/{self.over}/readjudications"
        self.keep("readjudicateTable", self.ann.post(path, options), options)

    def transcripts(self) -> None:
        whole = write(document_of(corpus.history_of("manitou-2-greedy"), None, over=True))
        body = {"text": whole.partition("\n3. ")[0] + "\n", "visibility": "public"}
        table = self.keep("loadTranscript", self.ann.post("/v1/transcripts", body), body)["id"]
        self.keep("listTranscripts", self.ann.get("/v1/transcripts"))
        self.keep("getTranscript", self.ann.get(f"/v1/transcripts/{table}"))
        self.keep("deleteTranscript", self.ann.delete(f"/v1/transcripts/{table}"))

    def forks(self) -> None:
        """Ann plays the finished game once more from its middle, under another house rule and with the same luck."""
        path, middle = f"/v1/tables/{self.over}", self.history(self.over).table.version // 2
        body = {"version": middle, "options": {"dusk_dance_card": "taker_sees"}, "chance": "continued"}
        branch = self.keep("forkTable", self.ann.post(f"{path}/forks", body), body)["id"]
        self.world.catch_up()
        self.keep("listForks", self.bob.get(f"{path}/forks"))
        found = self.keep("getBeliefs", self.bob.get(f"{path}/beliefs?seat=1&at={middle}&worlds=40"))
        places = [place | {"cards": place["cards"][:2]} for place in found["places"][-2:]]
        self.also("getBeliefs", "application/json", found | {"places": places})
        self.keep("compareBranches", self.bob.get(f"{path}/comparison?with={branch}"))

    def analyses(self) -> None:
        """Bob wants to know what Ann's and his own decisions were worth, and after a while the details as well."""
        path, asked = f"/v1/tables/{self.over}/analysis", {"kind": "quick"}
        self.keep("askAnalysis", self.bob.post(path, asked), asked)
        name, analyses = Name(self.over, "quick"), self.world.services.analyses.analyses
        run_slice(analyses, name, self.history(self.over), lambda: False)
        with patch.dict(finished.EFFORTS, quick=Effort(1, 2)), patch.object(evaluating, "MOMENTS", 2):
            while run_slice(analyses, name, self.history(self.over), lambda: True):
                pass
        found = self.keep("getAnalysis", self.bob.get(path))
        shown = found["analysis"] | {"evaluations": found["analysis"]["evaluations"][:1]}
        self.also("getAnalysis", "application/json", found | {"analysis": shown})
        self.also("getAnalysis", "text/event-stream", asyncio.run(self.progress(name)).decode())
        self.bob.post(path, {"kind": "deep"})
        self.keep("cancelAnalysis", self.bob.delete(f"{path}?kind=deep"))

    async def progress(self, name: Name) -> bytes:
        """The frames of an analysis that is done."""
        subscription = AnalysisSubscription(NOBODY, name, self.history(name.table).table.head.hash.hex())
        return b"".join([frame async for frame in self.world.services.hub.frames(subscription)])

    def explanations(self) -> None:
        """A game against a greedy player: how it chose its first card."""
        seats = [{"kind": "me"}, {"kind": "ai", "level": "greedy"}]
        table = self.ann.post("/v1/tables", {"game": "manitou", "seats": seats}).json["id"]
        for seed in range(1000):
            play_turns(self.world.services.handler, table)
            if self.history(table).table.over:
                break
            self.world.play(table, self.ann, moves=1, seed=seed)
        version = [event.version for event in self.history(table).events if "ai_seed" in event.sealed][1]
        answer = self.world.nobody.get(f"/v1/tables/{table}/moves/{version}/explanation")
        self.keep("explainMove", answer)

    def erasure(self) -> None:
        self.world.catch_up()
        self.profiles()
        self.keep("exportMe", self.ann.get("/v1/players/me/export?limit=1"))
        self.keep("eraseMe", self.world.somebody("Eve").delete("/v1/players/me"))

    def lessons(self) -> None:
        found = self.keep("getLesson", self.world.nobody.get("/v1/games/tomahawk/lesson"))
        self.also("getLesson", "application/json", found | {"steps": found["steps"][:2]})
        table = self.keep("openLesson", self.ann.post("/v1/games/tomahawk/lesson"))["id"]
        play_turns(self.world.services.handler, table)
        self.keep("getProgress", self.ann.get(f"/v1/tables/{table}/lesson"))

    def operations(self) -> None:
        self.world.catch_up()
        self.keep("listStandings", self.world.nobody.get("/v1/standings"))
        games = self.keep("listGamesPlayed", self.world.nobody.get("/v1/games-played?limit=1"))["games"]
        game, seats = games[0]["game"], len(games[0]["seats"])
        asked = f"/v1/ratings?game={game}&seats={seats}&provisional=true&limit=2"
        leader = self.keep("listRatings", self.world.nobody.get(asked))["ratings"][0]["player"]
        ratings = f"/v1/players/{leader}/ratings"
        self.keep("getStatistics", self.world.nobody.get("/v1/statistics?game=tomahawk&level=people"))
        self.keep("getRatings", self.world.nobody.get(ratings))
        self.keep("getRatingHistory", self.world.nobody.get(f"{ratings}/{game}/{seats}?limit=2"))
        self.dumps()
        self.keep("createStreamToken", self.bob.post("/v1/stream-tokens"))
        self.keep("getHealth", self.world.nobody.get("/healthz"))
        self.keep("getReadiness", self.world.nobody.get("/readyz"))
        self.shorten("getMetrics", "/metrics", keep="# HELP wintercount_")

    def dumps(self) -> None:
        """The month of these games, looked at when it is over."""
        store, month = log_at(self.world.url, self.world.settings), stamp(self.now[0])[:7]
        asked = Request(month, bounds(month)[1], lambda _: None)
        make(store, self.world.services.dumps, Path(self.world.settings.data) / "dumps", asked)
        self.keep("listDumps", self.world.nobody.get("/v1/dumps"))
        sent = self.world.nobody.send("GET", f"/v1/dumps/{names_of(month).tables}", buffered=True)
        self.told["getDump"] = {"answers": {sent.mimetype: "a tar file, packed by Zstandard"}}
        self.keep("listKeys", self.world.nobody.get("/.well-known/jwks.json"))

    def shorten(self, name: str, path: str, *, keep: str) -> None:
        """Keeps only lines that are the same every time and in every document."""
        answer = self.world.operator.get(path)
        self.keep(name, answer)
        kept = [line for line in answer.text.splitlines(keepends=True) if line.startswith(keep)]
        self.also(name, answer.mimetype, "".join(kept))
