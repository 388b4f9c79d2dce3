"""The file of games played: its tables.

A game's `place` in the order of all games is the time of its `GameEnded` and then its table, as a text in the order of
its letters. `segment` is the number of the archive's segment that lists it, 0 while only the store does. A segment
that could not be read is not `whole`. Which game it was stands beside each holder (`slug`, `seats`), so that a profile
looks at no other row. `filled` has a row once everything was taken in that was told by then.
"""

from projections.sqlite_files import Form

NAMES = (
    "filled",
    "segments",
    "read",
    "games",
    "shown",
    "holders",
    "concerned",
    "scales",
    "points",
    "ratings",
    "counted",
)
TABLES = """
create table filled (once integer primary key);
create table segments (number integer primary key, name text not null, whole integer not null);
create table read (partition integer primary key, position integer not null, member text not null);
create table games (
  place text primary key, name text not null unique, partition integer not null, segment integer not null,
  public integer not null, game text not null, players integer not null, options text not null,
  events integer not null, moves integer not null, disputed integer not null, rated integer not null,
  weakest integer, strongest integer
);
create index public_games on games (place) where public;
create index games_of_a_kind on games (game, place) where public;
create index disputed_games on games (place) where public and disputed;
create index rated_games on games (game, players, place) where rated;
create index games_of_a_partition on games (partition, segment);
create table shown (place text primary key, row blob not null) without rowid;
create table holders (
  public integer not null, holder text not null, place text not null, won integer not null,
  slug text not null, seats integer not null,
  primary key (public, holder, place)
) without rowid;
create index holders_of_a_game on holders (place, holder, won);
create table concerned (player text not null, place text not null, primary key (player, place)) without rowid;
create index concerned_by_a_game on concerned (place);
create table scales (
  game text not null, players integer not null, upto text not null, primary key (game, players)
) without rowid;
create table points (
  game text not null, players integer not null, place text not null, holder text not null, games integer not null,
  before integer not null, rating integer not null, deviation integer not null,
  primary key (game, players, place, holder)
) without rowid;
create index points_of_a_holder on points (holder, game, players, place);
create table ratings (
  game text not null, players integer not null, holder text not null, place text not null, games integer not null,
  rating integer not null, deviation integer not null, settled integer not null,
  primary key (game, players, holder)
) without rowid;
create table counted (
  game text not null, players integer not null, rated integer not null, level text not null, seat integer not null,
  kind text not null, feature text not null, value text not null, seats integer not null, won integer not null,
  primary key (game, players, rated, level, seat, kind, feature, value)
) without rowid;
create index leaders on ratings (game, players, settled, rating, holder);
"""

FORM = Form(1, NAMES, TABLES)
