// The luck of a game, as the review draws it. Nothing here asks anybody or draws.

const PARTS = ["ruled", "choice", "chance"]; // of an event, in the order in which they change what is expected
const NAMED = 5; // events at which chance changed most

/**
 * How the lead was to be expected that a seat would have: for each event its parts, each with the values from which and
 * to which it changed it. A choice is the seat's own or another's.
 */
export function courseOf({ seats, strokes }, seat) {
  let value = seats[seat - 1].expected.mean;
  return strokes.map((stroke) => {
    const parts = PARTS.map((name) => {
      const from = value;
      value += stroke[name][seat - 1];
      return { name: name === "choice" ? whose(stroke, seat) : name, from, to: value };
    });
    return { version: stroke.version, seat: stroke.seat, parts: parts.filter(({ from, to }) => from !== to), value };
  });
}

const whose = (stroke, seat) => (stroke.seat === seat ? "own" : "others");

/** The events at which chance changed most what a seat could expect, the greatest change first. */
export function mostOf({ strokes }, seat) {
  const changes = strokes.map(({ version, chance }) => ({ version, change: chance[seat - 1] }));
  const moved = changes.filter(({ change }) => change !== 0);
  return moved.sort((one, other) => Math.abs(other.change) - Math.abs(one.change)).slice(0, NAMED);
}

/** From the least to the greatest value of a course, with room for what is 0. */
export function spanOf(course) {
  const values = course.flatMap(({ parts, value }) => [value, ...parts.map(({ from }) => from)]);
  return [Math.min(0, ...values), Math.max(0, ...values)];
}
