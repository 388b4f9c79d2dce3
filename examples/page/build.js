// Bundles the page with the client into page.js, which any web server may serve beside index.html: node build.js
import { fileURLToPath } from "node:url";

import { build } from "../../clients/typescript/node_modules/esbuild/lib/main.js";

const here = fileURLToPath(new URL(".", import.meta.url));
await build({
  absWorkingDir: here,
  entryPoints: ["page.ts"],
  outfile: process.argv[2] ?? "page.js",
  alias: { "wintercount-client": "../../clients/typescript/src/index.ts" },
  bundle: true,
  format: "esm",
  target: "es2022",
});
