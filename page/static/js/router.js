// Addresses: `#/` is the lobby, `#/?game=manitou` some of its tables, `#/tables/t_…` a table as it stands,
// `#/tables/t_…/57?seat=2` a moment of it, `#/tables/t_…?sit=2` an open seat that somebody is invited to;
// `#/record/t_…` its record. `#/rules/manitou` the rules of a game and
// `#/rules/manitou/MA-5.3` one of them; `#/rulings/manitou` its register of rulings, `#/rulings/manitou/MA-R9` one of it.
// `#/review/t_…?kind=deep&at=57` is what the decisions of a table were worth, at one of them.
// `#/played?player=p_…` are the games that somebody played.
// `#/settings`, `#/player/p_…`, `#/invitation/i_…` and `#/sign-in` (or `#/sign-in/CODE`) are about people.

const PEOPLE = ["settings", "player", "invitation", "sign-in"];
const READ = { rules: "rules", rulings: "register", record: "record" };

// What an address names goes into the paths that the service is asked by. In one of these a browser takes `\` for `/`,
// `#` for its end, and `..` for a step up: a link to a table would ask for something else.
const NAMED = /^[\w.-]*[\w-]$/;

/** A part of an address; nothing for one that names nothing. */
function partOf(text = "") {
  try {
    const part = decodeURIComponent(text);
    return NAMED.test(part) ? part : null;
  } catch {
    return null; // a `%` with nothing behind it
  }
}

export function place() {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const [, kind, ...rest] = path.split("/");
  const [table, version] = rest.map(partOf);
  if (READ[kind] && table) return { name: READ[kind], game: table, table, part: version ?? null };
  if (PEOPLE.includes(kind)) return { name: "person", page: kind, part: table };
  if (kind === "review" && table) return { name: "review", table, query };
  if (kind === "played") return { name: "played", query };
  if (kind !== "tables" || !table) return { name: "lobby", query };
  const numberOf = (name) => Number(new URLSearchParams(query).get(name)) || null;
  const at = /^\d+$/.test(version ?? "") ? Number(version) : null;
  return { name: "table", table, at, seat: numberOf("seat"), sit: numberOf("sit") };
}

export function addressOf(table, at = null, seat = null) {
  return choosing(`#/tables/${encodeURIComponent(table)}${at === null ? "" : `/${at}`}`, { seat });
}

/** An address with what is chosen there; what is empty is left out. */
function choosing(address, choice) {
  const query = new URLSearchParams(Object.entries(choice).filter(([, value]) => value));
  return query.size ? `${address}?${query}` : address;
}

/** The lobby with filters. */
export const lobbyAddress = (filters) => choosing("#/", filters);

/** Games played, with filters. */
export const playedAddress = (filters) => choosing("#/played", filters);

/** An open seat, for whom the address is given to. */
export const seatAddress = (table, seat) => `${addressOf(table)}?sit=${seat}`;

export const profileAddress = (player) => `#/player/${encodeURIComponent(player)}`;

export const invitationAddress = (invitation) => `#/invitation/${invitation}`;

export const rulesAddress = (game) => `#/rules/${encodeURIComponent(game)}`;

export const ruleAddress = (game, id) => `${rulesAddress(game)}/${encodeURIComponent(id)}`;

export const rulingsAddress = (game, id = null) =>
  `#/rulings/${encodeURIComponent(game)}${id ? `/${encodeURIComponent(id)}` : ""}`;

/** The analysis of a table, with what of it is looked at: its kind, a decision, whose mistakes, whose eyes. */
export const reviewAddress = (table, choice = {}) => choosing(`#/review/${encodeURIComponent(table)}`, choice);

export const recordAddress = (table) => `#/record/${encodeURIComponent(table)}`;

export const go = (address) => (location.hash = address);

/** Changes the address without a new entry in the history: a slider passes many moments. */
export function replace(address) {
  history.replaceState(null, "", address);
}
