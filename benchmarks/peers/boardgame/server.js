// boardgame.io's server with the game, in memory or with FlatFile: node server.js [directory]; says its port.

const { FlatFile, Server } = require("boardgame.io/server");
const { GAMES } = require("./game");

const directory = process.argv[2];
const server = Server({ games: GAMES, origins: [], db: directory ? new FlatFile({ dir: directory }) : undefined });
server.run({ port: 0 }).then(({ appServer }) => console.log(appServer.address().port));
