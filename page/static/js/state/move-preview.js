// A move of my own as it will lie on the table. It is shown so at once, until the answer tells how it does lie.

const sideOf = ({ grounds }, number, { seat }) => grounds[number - 1].sides.find((side) => side.seat === seat);
const onto = (view, ground, own, card) => sideOf(view, ground, own).cards.push({ card, face_up: true });
const without = (list, ids) => list?.filter((each) => !ids.includes(each.card ?? each));
const discarded = (view, _own, { cards }) => view.discards.push(...cards);

// What becomes of the cards, by the type of the move; those that are not listed leave the hand.
const LANDS = {
  play_card: (view, own, { card, ground }) => onto(view, ground, own, card),
  play_extra_card: (view, own, { card, ground }) => onto(view, ground, own, card),
  move_hunter(view, own, { card, to_ground: ground }) {
    for (const { sides } of view.grounds) for (const side of sides) side.cards = without(side.cards, [card]);
    onto(view, ground, own, card);
  },
  choose_party: (view, own, { cards }) => Object.assign(own, { party: cards, party_count: cards.length }),
  play_cards(view, { seat, hand }, { cards }) {
    for (const { pile, card } of cards)
      view.piles[pile - 1].laid.push({ seat, card: hand.find((each) => each.card === card) });
  },
  take_cards(view, own, { cards }) {
    view.display = without(view.display, cards);
    own.hand = [...own.hand, ...cards];
    own.hand_count = own.hand.length;
  },
  raid(view, own, { target, cards }) {
    own.raid_markers -= 1;
    view.raids.push({ tribe: own.tribe, target, cards, attack: "", marker: "raid", round: view.round });
  },
  propose_alliance: (view, { tribe }, { to, card }) => view.proposals.push({ tribe, to, card }),
  discard_after_hunt: discarded,
  discard_excess: discarded,
};

/** The table with a move on it; null if nothing of it can be shown before the answer. */
export function laid(table, move) {
  const document = structuredClone(table);
  const { view } = document;
  const own =
    view?.seats?.find(({ seat }) => seat === table.seat) ??
    view?.camps?.find(({ tribe }) => tribe === view.acting_tribe);
  const cards = [move.card, move.cards, move.give, move.discard].flat().filter(Boolean);
  if (!own || !cards.length) return null;
  LANDS[move.type]?.(view, own, move);
  const ids = cards.map((each) => each.card ?? each);
  for (const heap of move.type === "take_cards" ? [] : ["hand", "reserve"]) {
    if (!own[heap]) continue;
    own[heap] = without(own[heap], ids);
    own[`${heap}_count`] = own[heap].length;
  }
  return document;
}
