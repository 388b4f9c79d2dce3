// Addresses: `#/` is the lobby, `#/tables/t_…` a table as it stands, `#/tables/t_…/57?seat=2` a moment of it.

export function place() {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const [, kind, table, version] = path.split("/");
  if (kind !== "tables" || !table) return { name: "lobby" };
  const seat = Number(new URLSearchParams(query).get("seat")) || null;
  return { name: "table", table, at: /^\d+$/.test(version ?? "") ? Number(version) : null, seat };
}

export function addressOf(table, at = null, seat = null) {
  return `#/tables/${encodeURIComponent(table)}${at === null ? "" : `/${at}`}${seat ? `?seat=${seat}` : ""}`;
}

export const go = (address) => (location.hash = address);

/** Changes the address without a new entry in the history: a slider passes many moments. */
export function replace(address) {
  history.replaceState(null, "", address);
}
