// Which parts of a move a drawn thing stands for, by game: a card of one's hand in Plenty Coups may be given, discarded
// or laid. What is drawn is offered with these parts, and what is not drawn is chosen by words.
// A part with a kind of move before it is meant in that kind alone: cards are taken from the display, not of the hand.

const HUNTING = { hand: ["card"], reserve: ["cards"], laid: ["card"], ground: ["ground", "to_ground"] };

export const PARTS = {
  manitou: HUNTING,
  "big-manitou": { ...HUNTING, stakes: ["tiles"], tile: ["tile"] },
  tomahawk: { hand: ["card"], pile: ["pile"], special: ["keep"], swap: ["choose_specials.keep"] },
  "plenty-coups": {
    hand: ["card", "raid.cards", "defend.cards", "discard_after_hunt.cards", "discard_excess.cards", "discard", "give"],
    camp: ["target", "to", "tribe", "from"],
    display: ["take_cards.cards"],
    proposal: ["from"],
    tribe: ["tribe"],
  },
};
