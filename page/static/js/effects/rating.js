// What a rated game did to my rating: the service counts it soon after the end.

import { api } from "../api.js";
import { account } from "../session.js";
import { isAtEnd } from "../state/table.js";

const AGAIN_MS = 2000;
const TIMES = 8;
const RECENT = 50; // games: of an older one nothing is shown

export function ratingEffects(store, act) {
  let asked = false;

  async function read(times) {
    const { id, live } = store.state;
    const path = `/v1/players/${account.player}/ratings/${live.game}/${live.seats.length}?limit=${RECENT}`;
    const { points } = await api.get(path).catch(() => ({ points: [] }));
    const rating = points.find(({ table }) => table === id);
    if (rating) store.dispatch({ type: "rated", rating });
    else if (times > 1 && !act.left) setTimeout(read, AGAIN_MS, times - 1);
  }

  store.subscribe(() => {
    const { live } = store.state;
    if (asked || !account || !live?.seat || !live.rated || !isAtEnd(store.state)) return;
    asked = true;
    read(TIMES);
  });
  return {};
}
