// Reads grounds and territories that were judged and force penalties, a line each, with the view right before. Writes how many there
// were, and of which the page would have told something else: totals, ties, places, how much each seat takes, or force.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { battle, contest, force } from "../../page/static/js/state/standing-totals.js";

function ruledAs({ totals, tied_out: tied, majority, runner_up: second, awards }) {
  const takes = {};
  for (const { seat, count = 1 } of awards) takes[seat] = (takes[seat] ?? 0) + count;
  const sums = Object.fromEntries(totals.map(({ seat, total }) => [seat, total]));
  return { totals: sums, tied, first: majority, second, takes };
}

function told(view, ground) {
  const { totals, takes, ...places } = contest(view, ground);
  return { totals: Object.fromEntries(totals), ...places, takes: Object.fromEntries(takes) };
}

const battled = (view, { pile }) => {
  const { territory, slots } = view.piles[pile - 1];
  return battle(view.options, territory.picto, slots);
};

const forces = (totals) => totals.map(({ seat, total }) => [seat, total]);

const toldForces = (view) => view.seats.map(({ seat }) => [seat, force(view, seat)]);

const found = { grounds: 0, wrong: [] };
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { view, ruled } = JSON.parse(line);
  found.grounds += 1;
  try {
    if (ruled.ground) assert.deepEqual(told(view, view.grounds[ruled.ground - 1]), ruledAs(ruled));
    else if (ruled.pile) {
      const totals = ruled.totals.map(({ total }) => total);
      assert.deepEqual(battled(view, ruled), { totals, winner: ruled.winner });
    } else assert.deepEqual(toldForces(view), forces(ruled.totals));
  } catch (error) {
    found.wrong.push(error.message);
  }
}
process.stdout.write(JSON.stringify(found));
