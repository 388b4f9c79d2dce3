// Bundles the page into one module and one style sheet: a first view then takes few requests. What no first view needs
// (`js/people/`, `js/reading/`, `js/review/`) are modules of their own: they import what they share from the first one.
//
// `node tools/page/bundle.js [STATIC [OUT]]` reads the folder STATIC and writes the folder OUT. The names of the files
// tell their content, so that a browser may keep them for ever; `sources.sha256` tells what they were made from, so
// that the server does not serve a bundle of other sources.

import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { argv } from "node:process";
import { brotliCompressSync } from "node:zlib";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "../../service/page");
const SHEET = /<link rel="stylesheet" href="\/page\/(css\/[\w-]+\.css)">\n/g;
const MAIN = "js/main.js";
const PARTS = ["people", "reading", "review"]; // folders of js/
const IMPORT = /^import \{([^}]+)\} from "([^"]+)";$/gm;
const WORDS = /^(i18n|help)\/.*\.json$/;
const MODULE = `<link rel="modulepreload" href="/page/${MAIN}">`;
const SCRIPT = `<script type="module" src="/page/${MAIN}"></script>`;

/** The digest of all that is bundled: names and contents of the shell, the modules, the style sheets and the words. */
async function digest(folder) {
  const entries = await readdir(folder, { recursive: true });
  const names = entries
    .map((name) => name.split(sep).join("/"))
    .filter((name) => /^(js|css)\/.*\.(js|css)$/.test(name) || WORDS.test(name));
  const hash = createHash("sha256");
  for (const name of [...names, "index.html"].sort()) {
    hash.update(
      `${name}\n${createHash("sha256")
        .update(await readFile(join(folder, name)))
        .digest("hex")}\n`,
    );
  }
  return hash.digest("hex");
}

/** Compresses the words, which keep their names: every first view asks for some. */
async function compressWords(source, target) {
  const names = (await readdir(source, { recursive: true })).map((name) => name.split(sep).join("/"));
  for (const name of names.filter((name) => WORDS.test(name))) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    await writeFile(join(target, `${name}.br`), brotliCompressSync(await readFile(join(source, name))));
  }
}

/** The address of what was made of an entry, by what esbuild tells of its outputs. */
function address(outputs, entry) {
  const [made] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint && basename(entryPoint) === entry);
  return `/page/bundle/${basename(made)}`;
}

/** The part that a module belongs to, if any. */
const partOf = (source, path) => PARTS.find((part) => path.startsWith(join(source, "js", part) + sep));

/** What modules of parts import from outside of their part: `[name, path]`, the path from the first module. */
async function imported(source) {
  const js = join(source, "js");
  const names = (await readdir(js, { recursive: true })).filter((name) => name.endsWith(".js"));
  const inParts = names.map((name) => join(js, name)).filter((path) => partOf(source, path));
  const found = await Promise.all(
    inParts.map(async (path) =>
      [...(await readFile(path, "utf8")).matchAll(IMPORT)]
        .map(([, names, from]) => [names, join(dirname(path), from)])
        .filter(([, from]) => partOf(source, from) !== partOf(source, path))
        .flatMap(([names, from]) =>
          names.split(",").map((name) => [name.trim(), relative(js, from).split(sep).join("/")]),
        ),
    ),
  );
  return found.flat().filter(([name]) => name);
}

/** The same as exports of the first module, which has room for one of each name. */
async function shared(source) {
  const paths = new Map();
  for (const [name, path] of await imported(source)) {
    if ((paths.get(name) ?? path) !== path) throw new Error(`${name} is imported from ${paths.get(name)} and ${path}`);
    paths.set(name, path);
  }
  return [...paths].map(([name, path]) => `export { ${name} } from "./${path}";`).sort();
}

/** Adds to the first module what the parts take from it. */
const exporting = (exports) => ({
  name: "exporting",
  setup(build) {
    build.onLoad({ filter: /[\\/]js[\\/]main\.js$/ }, async ({ path }) => ({
      contents: [await readFile(path, "utf8"), ...exports].join("\n"),
      loader: "js",
    }));
  },
});

/** Leaves out of one part, or of the first module, what lies in another: what its `index.js` exports is found there. */
const apart = (source, addresses, own) => ({
  name: "apart",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
      const part = partOf(source, join(resolveDir, path));
      if (part === own) return undefined;
      if (part && basename(path) !== "index.js") return { errors: [{ text: `${path} is not the index of ${part}` }] };
      return { path: addresses[part ?? "main"], external: true };
    });
  },
});

/** Makes bundles beside each other, and each of their files compressed: smaller than a server has the time for. */
async function made(target, options) {
  const { metafile } = await build({
    outdir: join(target, "bundle"),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    metafile: true,
    logLevel: "warning",
    ...options,
  });
  for (const name of Object.keys(metafile.outputs)) {
    await writeFile(`${name}.br`, brotliCompressSync(await readFile(name)));
  }
  return metafile;
}

async function bundle(source, target) {
  const shell = await readFile(join(source, "index.html"), "utf8");
  const sheets = [...shell.matchAll(SHEET)].map(([, name]) => name);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const all = join(target, "style.css");
  await writeFile(all, sheets.map((name) => `@import "${relative(target, join(source, name))}";\n`).join(""));
  const stamp = (await digest(source)).slice(0, 8); // modules name each other: their names cannot tell their own content
  const addresses = Object.fromEntries(PARTS.map((part) => [part, `/page/bundle/${part}-${stamp}.js`]));
  const { outputs } = await made(target, {
    entryPoints: [join(source, MAIN), all],
    entryNames: "[name]-[hash]",
    plugins: [exporting(await shared(source)), apart(source, addresses)],
  });
  await rm(all);
  addresses.main = address(outputs, "main.js");
  for (const part of PARTS) {
    await made(target, {
      entryPoints: { [`${part}-${stamp}`]: join(source, "js", part, "index.js") },
      plugins: [apart(source, addresses, part)],
    });
  }
  await compressWords(source, join(target, "words"));
  const bundled = shell
    .replace(SHEET, "")
    .replace(MODULE, `<link rel="stylesheet" href="${address(outputs, "style.css")}">`)
    .replace(SCRIPT, `<script type="module" src="${addresses.main}"></script>`);
  await writeFile(join(target, "index.html"), bundled);
  await writeFile(join(target, "sources.sha256"), `${await digest(source)}\n`);
}

await bundle(resolve(argv[2] ?? join(PAGE, "static")), resolve(argv[3] ?? join(PAGE, "bundled")));
