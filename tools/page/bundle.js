// Bundles the page into one module and one style sheet: a first view then takes few requests. What concerns people
// (`js/people/`) is a module of its own, as no first view needs it: it imports what it shares from the first one.
//
// `node tools/page/bundle.js [STATIC [OUT]]` reads the folder STATIC and writes the folder OUT. The names of the files
// tell their content, so that a browser may keep them for ever; `sources.sha256` tells what they were made from, so
// that the server does not serve a bundle of other sources.

import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { argv } from "node:process";
import { brotliCompressSync } from "node:zlib";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "../../service/page");
const SHEET = /<link rel="stylesheet" href="\/page\/(css\/[\w-]+\.css)">\n/g;
const MAIN = "js/main.js";
const PEOPLE = "js/people/index.js";
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

/** What modules inside `people/` import from outside, as exports of the entry beside that folder. */
async function shared(source) {
  const folder = join(source, dirname(PEOPLE));
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
  const found = texts.flatMap((text) => [...text.matchAll(/import \{([^}]+)\} from "\.\.\/([\w/-]+\.js)"/g)]);
  const names = found.flatMap(([, names, path]) => names.split(",").map((name) => [name.trim(), path]));
  return [...new Map(names)].map(([name, path]) => `export { ${name} } from "./${path}";`).sort();
}

/** Leaves out what concerns people, which lies at this address; the entry exports what that needs. */
const withPeople = (at, exports) => ({
  name: "with-people",
  setup(build) {
    build.onResolve({ filter: /\/people\/index\.js$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: at, external: true } : undefined,
    );
    build.onLoad({ filter: /\/js\/main\.js$/ }, async ({ path }) => ({
      contents: [await readFile(path, "utf8"), ...exports].join("\n"),
      loader: "js",
    }));
  },
});

/** Takes what lies outside `people/` from the module at this address. */
const sharing = (at) => ({
  name: "sharing",
  setup(build) {
    build.onResolve({ filter: /^\.\.\// }, () => ({ path: at, external: true }));
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
  const people = `people-${(await digest(source)).slice(0, 8)}`; // each of the two modules names the other
  const { outputs } = await made(target, {
    entryPoints: [join(source, MAIN), all],
    entryNames: "[name]-[hash]",
    plugins: [withPeople(`/page/bundle/${people}.js`, await shared(source))],
  });
  await rm(all);
  const module = address(outputs, "main.js");
  await made(target, {
    entryPoints: { [people]: join(source, PEOPLE) },
    plugins: [sharing(module)],
  });
  await compressWords(source, join(target, "words"));
  const bundled = shell
    .replace(SHEET, "")
    .replace(MODULE, `<link rel="stylesheet" href="${address(outputs, "style.css")}">`)
    .replace(SCRIPT, `<script type="module" src="${module}"></script>`);
  await writeFile(join(target, "index.html"), bundled);
  await writeFile(join(target, "sources.sha256"), `${await digest(source)}\n`);
}

await bundle(argv[2] ?? join(PAGE, "static"), argv[3] ?? join(PAGE, "bundled"));
