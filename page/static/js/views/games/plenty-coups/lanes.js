// Where camps stand round the plain, and what runs between them: raids as arrows, alliances as bands, offers as broken
// lines. All places are parts of the plain, so that nothing has to be measured. The camps tell the same in words.

import { svg } from "../../../dom.js";

// By the number of camps, one's own first and on clockwise: x and y in percent of a camp, and of a raid that stands on it.
const OWN = [50, 98, 50, 71];
const ACROSS = [
  [4, 2, 22, 32],
  [50, 2, 50, 32],
  [96, 2, 78, 32],
];
const [LEFT, RIGHT] = [
  [2, 79, 36, 70],
  [98, 79, 64, 70],
];
const PLACES = {
  3: [OWN, [14, 2, 27, 32], [86, 2, 73, 32]],
  4: [OWN, ...ACROSS],
  5: [OWN, LEFT, [20, 2, 30, 32], [80, 2, 70, 32], RIGHT],
  6: [OWN, LEFT, ...ACROSS, RIGHT],
};
// Of the way from a camp to a raid on it: where raids start, behind the camp, and where what binds camps ends.
const GATE = 0.5;
const EDGE = 0.75;
// In percent: how near to a head a lane may come, and how far from it the lane then bends.
const HEAD_REACH = 10;
const BESIDE_HEAD = 14;

/** By tribe where its camp stands, a raid on it, and where lanes start and end: each x and y. */
export function placesOf(camps, seat) {
  const own = camps.findIndex((camp) => camp.seat === seat);
  return new Map(
    PLACES[camps.length].map(([x, y, raidX, raidY], index) => {
      const before = (part) => [x + part * (raidX - x), y + part * (raidY - y)];
      const { tribe } = camps[(Math.max(0, own) + index) % camps.length];
      return [tribe, { camp: [x, y], raid: [raidX, raidY], gate: before(GATE), edge: before(EDGE) }];
    }),
  );
}

/** The style of what stands at a place. */
export const standing = ([x, y]) => ({ left: `${x}%`, top: `${y}%` });

/** The style of a camp: at an edge it stands wholly inside. */
export const inside = ([x, y]) => ({ ...standing([x, y]), translate: `-${x}% -${y}%` });

/** All lanes of a view. */
export function lanes({ camps, raids, proposals, offer }, places) {
  const tribes = camps.map(({ tribe }) => tribe);
  const allied = camps.filter(({ tribe, ally }) => tribes.indexOf(ally) > tribes.indexOf(tribe));
  const edge = (tribe) => places.get(tribe).edge;
  const open = (kind, { tribe, to }) => {
    const [cx, cy] = edge(to).map((part) => `${part}%`);
    return lane(kind, tribe, [edge(tribe), edge(to)], svg("circle", { class: "ring", cx, cy, r: 6 }));
  };
  const aims = raids.map(({ tribe, target }) => ({ tribe, ...places.get(target) }));
  const heads = aims.map(({ raid }) => raid);
  return svg(
    "svg",
    { class: "lanes", "aria-hidden": "true" },
    ...raids.map(({ tribe }) => head(tribe)),
    ...allied.map(({ tribe, ally }) => {
      const braid = svg("g", { class: `suit-${ally}` }, line("braid", edge(tribe), edge(ally)));
      return lane("alliance", tribe, [edge(tribe), edge(ally)], braid);
    }),
    ...proposals.map((made) => open("proposal", made)),
    offer && open("gift", offer),
    ...aims.map(({ tribe, raid }) => lane("raid", tribe, round(places.get(tribe).gate, raid, heads))),
    ...aims.map(({ tribe, raid, camp }) => line("point", raid, camp, { "marker-start": `url(#head-${tribe})` })),
  );
}

/** The way from one place to another, past the heads of raids that would lie on it. */
function round([x, y], to, heads) {
  const [far, down] = [to[0] - x, to[1] - y];
  const length = Math.hypot(far, down);
  const corners = heads.flatMap(([headX, headY]) => {
    const along = ((headX - x) * far + (headY - y) * down) / length;
    const aside = ((headY - y) * far - (headX - x) * down) / length;
    if (along <= 0 || along >= length - 1 || Math.abs(aside) > HEAD_REACH) return [];
    const by = ((aside < 0 ? 1 : -1) * BESIDE_HEAD) / length;
    return [{ along, at: [headX - by * down, headY + by * far] }];
  });
  return [[x, y], ...corners.sort((one, other) => one.along - other.along).map(({ at }) => at), to];
}

function lane(kind, tribe, points, more) {
  const parts = (name) => points.slice(1).map((to, index) => line(name, points[index], to));
  return svg("g", { class: `lane lane-${kind} suit-${tribe}` }, ...parts("edge"), ...parts("way"), more);
}

const line = (name, [x1, y1], [x2, y2], more) =>
  svg("line", { class: name, x1: `${x1}%`, y1: `${y1}%`, x2: `${x2}%`, y2: `${y2}%`, ...more });

const HEAD = {
  viewBox: "0 0 64 64",
  markerWidth: 64,
  markerHeight: 64,
  refX: 24,
  refY: 32,
  orient: "auto",
  markerUnits: "userSpaceOnUse",
};

/** The head of a tribe's arrows: it looks at the camp, and the strength stands in it. */
const head = (tribe) =>
  svg(
    "marker",
    { id: `head-${tribe}`, class: `suit-${tribe}`, ...HEAD },
    svg("path", { class: "head", d: "M3 4 58 32 3 60 12 32z" }),
  );
