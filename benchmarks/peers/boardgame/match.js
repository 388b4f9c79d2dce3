// A match of four seats over the network, by the protocol that boardgame.io's own client speaks: a socket a seat.
// Nothing of the client's redux runs here, so that what plays costs little beside the server.

const { io } = require("socket.io-client");
const { playable } = require("./game");

const SEATS = ["0", "1", "2", "3"];
const BIDS = 14;
const SILENCE_MS = 30_000; // after this long without an answer something is wrong

/** Posts to the lobby; gives the answer. */
async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** One seat: its socket, its credentials and the state as it sees it. */
class Seat {
  constructor(match, id, credentials) {
    Object.assign(this, { match, id, credentials, state: null, waiting: [] });
  }

  /** Connects, and waits for the state. */
  async connect() {
    this.socket = io(`${this.match.url}/${this.match.game}`, { transports: ["websocket"], forceNew: true });
    this.socket.on("sync", (_, { state }) => this.see(state));
    this.socket.on("update", (_, state) => this.see(state));
    this.socket.emit("sync", this.match.id, this.id, this.credentials, SEATS.length);
    await this.until((state) => state);
  }

  see(state) {
    this.state = state;
    this.waiting = this.waiting.filter(({ wanted, told }) => !(wanted(state) && (told(state), true)));
  }

  /** The first state, from now on, that is as wanted. */
  until(wanted) {
    if (wanted(this.state)) return this.state;
    return new Promise((resolve, reject) => {
      const silence = setTimeout(() => reject(new Error("no answer")), SILENCE_MS);
      const told = (state) => (clearTimeout(silence), resolve(state));
      this.waiting.push({ wanted, told });
    });
  }

  /** Sends a move made in the state that is known here; gives the number of that state. */
  send(type, argument) {
    const payload = { type, args: [argument], playerID: this.id, credentials: this.credentials };
    const made = this.state._stateID;
    this.socket.emit("update", { type: "MAKE_MOVE", payload }, made, this.match.id, this.id);
    return made;
  }

  get hasBid() {
    return this.state.ctx.phase !== "bidding" || this.state.G.players[this.id].bid !== null;
  }

  close() {
    this.socket.disconnect();
  }
}

/** A match with its four seats. */
class Match {
  constructor(url, game) {
    Object.assign(this, { url, game, sent: 0, accepted: 0 });
  }

  /** Opens the match in the lobby, takes every seat and connects. */
  static async open(url, game) {
    const match = new Match(url, game);
    match.id = (await post(`${url}/games/${game}/create`, { numPlayers: SEATS.length })).matchID;
    const joined = SEATS.map((playerID) => ({ playerID, playerName: `seat ${playerID}` }));
    match.seats = [];
    for (const asked of joined) {
      const { playerCredentials } = await post(`${url}/games/${game}/${match.id}/join`, asked);
      match.seats.push(new Seat(match, asked.playerID, playerCredentials));
    }
    await Promise.all(match.seats.map((seat) => seat.connect()));
    return match;
  }

  get over() {
    return this.seats[0].state.ctx.gameover;
  }

  /** Plays a random legal move; gives the milliseconds until its seat saw that it was taken. */
  async move(pick) {
    const seat = this.seatToAct();
    const { G, ctx } = seat.state;
    const begun = performance.now();
    const made =
      ctx.phase === "bidding"
        ? seat.send("bid", Math.floor(pick() * BIDS))
        : seat.send("play", chosen(playable(G.players[seat.id].hand, G.trick), pick));
    const { _stateID } = await seat.until((state) => state._stateID > made);
    const took = performance.now() - begun;
    await Promise.all(this.seats.map((other) => other.until((state) => state._stateID >= _stateID)));
    return took;
  }

  seatToAct() {
    const { ctx } = this.seats[0].state;
    if (ctx.phase !== "bidding") return this.seats[Number(ctx.currentPlayer)];
    return this.seats.find((seat) => !seat.hasBid);
  }

  /** All seats bid at once; whose bid was refused, because others were faster, bids again. */
  async bid(pick) {
    await Promise.all(this.seats.map((seat) => this.bidUntilTaken(seat, Math.floor(pick() * BIDS))));
  }

  async bidUntilTaken(seat, tricks) {
    while (!seat.hasBid) {
      const made = seat.send("bid", tricks);
      this.sent += 1;
      // A refusal is not told: that others' bids came first is seen from a state in which one's own is missing.
      await seat.until((state) => seat.hasBid || (this.game === "strict" && state._stateID > made));
    }
    this.accepted += 1;
  }

  close() {
    this.seats.forEach((seat) => seat.close());
  }
}

/** One of several, at random. */
const chosen = (several, pick) => several[Math.floor(pick() * several.length)];

module.exports = { Match };
