// Where camps stand and what runs between them, without its drawing: who stands across the plain, and the curves of
// raids, alliances, proposals and gifts.

const NEAR = { 3: 1, 4: 2, 5: 2, 6: 3 }; // camps in one's own row, by their number
const PORT = 0.09; // where lanes leave a camp, as a part of its width from its edge; the middle is where raids stand
const PORTS_APART = 0.08;
const BEND = { least: 34, most: 130 };

/** The indices of the camps as they stand round the plain, clockwise from one's own: `{far, near}`, left to right. */
export function standing(camps, seat) {
  const own = Math.max(
    0,
    camps.findIndex((camp) => camp.seat === seat),
  );
  const ring = camps.map((_, index) => (own + index) % camps.length);
  const near = NEAR[camps.length] ?? Math.floor(camps.length / 2);
  const before = Math.floor((near - 1) / 2); // of one's own row, those at the left of one's camp
  const across = camps.length - near;
  const left = ring.slice(1, 1 + before);
  return {
    far: ring.slice(1 + before, 1 + before + across),
    near: [...left.reverse(), ring[0], ...ring.slice(1 + before + across).reverse()],
  };
}

/** All that runs from camp to camp: `{kind, from, to, raid}`; an alliance is told once, by the camp that stands first. */
export function links({ camps, raids, proposals, offer }) {
  const tribes = camps.map(({ tribe }) => tribe);
  const allied = camps.filter(({ tribe, ally }) => tribes.indexOf(ally) > tribes.indexOf(tribe));
  return [
    ...allied.map(({ tribe, ally }) => ({ kind: "alliance", from: tribe, to: ally })),
    ...proposals.map(({ tribe, to }) => ({ kind: "proposal", from: tribe, to })),
    ...(offer ? [{ kind: "gift", from: offer.tribe, to: offer.to }] : []),
    ...raids.map(({ tribe, target }, raid) => ({ kind: "raid", from: tribe, to: target, raid })),
  ];
}

/**
 * The curves of links. `places` gives each camp's box by its tribe, with `far` for the row across the plain; `heads` the
 * boxes of the raids. Each is `{...link, d, head}`: a path, and where its arrow points to, with the way it looks.
 */
export function lanes(found, places, heads) {
  const used = new Map();
  const drawn = found.filter(({ from, to }) => places.has(from) && places.has(to));
  return drawn.map((link) => {
    const [source, target] = [places.get(link.from), places.get(link.to)];
    const start = port(used, link.from, source, target);
    const raid = link.kind === "raid" && heads[link.raid];
    const end = raid ? before(raid, target.far) : port(used, link.to, target, source);
    return { ...link, d: curve(start, end), head: end };
  });
}

const middle = ({ left, width }) => left + width / 2;

/** The next free place at a camp's edge towards the plain, on the side where the other camp stands. */
function port(used, tribe, place, other) {
  const right = middle(other) > middle(place);
  const key = `${tribe} ${right}`;
  const before = used.get(key) ?? 0;
  used.set(key, before + 1);
  const part = PORT + PORTS_APART * before;
  const x = place.left + place.width * (right ? 1 - part : part);
  return { x, y: place.far ? place.top + place.height : place.top, far: place.far };
}

/** The edge of a raid that looks to the plain. */
const before = (box, far) => ({ x: middle(box), y: far ? box.top + box.height : box.top, far });

/** From one camp's edge to another's, out onto the plain and in again; within a row past what stands before the camps. */
function curve(start, end) {
  const apart = Math.hypot(end.x - start.x, end.y - start.y);
  const beyond = start.far === end.far ? Math.abs(end.y - start.y) : 0;
  const bend = within(apart * (start.far === end.far ? 0.16 : 0.42));
  const out = ({ x, y, far }, by) => `${Math.round(x)} ${Math.round(y + (far ? by : -by))}`;
  return `M${out(start, 0)}C${out(start, bend + beyond)} ${out(end, bend)} ${out(end, 0)}`;
}

const within = (bend) => Math.min(BEND.most, Math.max(BEND.least, bend));
