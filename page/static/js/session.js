// Who plays here. The token is kept in localStorage, so that a closed tab does not cost a seat: nothing but scripts of
// this service can run at this origin (see the Content-Security-Policy), and the token goes into one header, never into
// an address.

import { api, useToken } from "./api.js";
import { t } from "./i18n.js";

const KEPT = "wintercount.account";
const OFFICE = "arbitrate";

export let account = null;

/** Whether an account was kept here that cannot be read any more, and nobody has signed in since. */
export let isLost = false;

/** Takes up the account of last time, if the service still knows it. */
export async function resume() {
  account = accountIn(localStorage.getItem(KEPT));
  isLost = account === null && localStorage.getItem(KEPT) !== null;
  useToken(account?.secret);
  if (!account) return;
  try {
    const { scopes, name, guest } = await api.get("/v1/players/me");
    account = { ...account, scopes, name, guest };
  } catch (problem) {
    if (problem.status === 401) forget();
  }
}

/** Whether I was named as the arbiter of this table. */
export const isArbiter = (table) => account !== null && table.arbiter === account.player;

/** Whether I am its arbiter and my token may be used for that. */
export const arbitrates = (table) => isArbiter(table) && (account.scopes ?? []).includes(OFFICE);

/** Exchanges my token for one that an arbiter needs. */
export async function takeOffice() {
  const former = account.token;
  const {
    id: token,
    secret,
    scopes,
  } = await api.post("/v1/players/me/tokens", {
    scopes: ["play", "watch", "account", OFFICE],
  });
  keep({ ...account, token, secret, scopes });
  await api.delete(`/v1/players/me/tokens/${former}`);
}

/** What the store of this browser says of an account; null for none, and for what says of none. */
function accountIn(text) {
  const found = objectIn(text);
  return ["player", "name", "secret"].every((part) => typeof found?.[part] === "string") ? found : null;
}

function keep(known) {
  account = known;
  isLost = false;
  localStorage.setItem(KEPT, JSON.stringify(account));
  useToken(account.secret);
}

/** Calls `listener` when another window of this browser has signed somebody else in, or out. */
export function watchPlayer(listener) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== KEPT && key !== null) return; // without a name, all that was kept is gone
    const former = account?.player;
    account = accountIn(newValue);
    useToken(account?.secret);
    if (account?.player !== former) listener();
  });
}

/** The account, made now if there is none: without a name, that of a guest. */
export async function ensureAccount(name = "") {
  if (account) return;
  const guest = !name;
  adopt(await api.post("/v1/players", { name: name || guestName(), guest }), guest);
}

/** What tells guests at one table apart; it need not be unique. */
const guestName = () => t("account.guest_name", { number: 1000 + Math.floor(9000 * Math.random()) });

/** Takes up the account of an answer that brings a token for it. */
export function adopt({ id, name, token: { id: token, secret, scopes } }, guest = false) {
  keep({ player: id, name, token, secret, scopes, guest });
}

/** Keeps the name that the account has now. */
export const rename = (name) => keep({ ...account, name, guest: false });

/** Ends the token here at once, and at the service as soon as that can be told; throws if it cannot. */
export async function signOut() {
  const ended = api.delete(`/v1/players/me/tokens/${account.token}`);
  forget();
  await ended;
}

/** Forgets the account here, and the moves that it could not send. */
export function forget() {
  localStorage.removeItem(KEPT);
  sessionStorage.clear();
  account = null;
  isLost = false;
  useToken(undefined);
}

/** The object that a text kept in this browser is; null for anything else, as people and other programs may change it. */
export function objectIn(text) {
  try {
    const found = JSON.parse(text);
    return typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}
