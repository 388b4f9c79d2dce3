// Addresses: `#/` is the lobby, `#/tables/t_…` a table as it stands, `#/tables/t_…/57?seat=2` a moment of it,
// `#/compare/t_…/t_…/12` two branches, twelve events behind where they part.

export function place() {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const [, kind, table, version, number] = path.split("/");
  if (kind === "compare" && version)
    return { name: "comparison", tables: [table, version], number: /^\d+$/.test(number ?? "") ? Number(number) : null };
  if (kind !== "tables" || !table) return { name: "lobby" };
  const seat = Number(new URLSearchParams(query).get("seat")) || null;
  return { name: "table", table, at: /^\d+$/.test(version ?? "") ? Number(version) : null, seat };
}

export function addressOf(table, at = null, seat = null) {
  return `#/tables/${encodeURIComponent(table)}${at === null ? "" : `/${at}`}${seat ? `?seat=${seat}` : ""}`;
}

export const comparisonOf = (table, other, number = null) =>
  `#/compare/${encodeURIComponent(table)}/${encodeURIComponent(other)}${number === null ? "" : `/${number}`}`;

export const go = (address) => (location.hash = address);

/** Changes the address without a new entry in the history: a slider passes many moments. */
export function replace(address) {
  history.replaceState(null, "", address);
}
