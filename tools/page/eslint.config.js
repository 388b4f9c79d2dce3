// What eslint holds: sound modules, and the layers of the page. State knows nothing but state; views draw from it;
// effects alone talk to the API.

import js from "@eslint/js";
import globals from "globals";

const PAGE = "page/static/js";

const closed = (folder, groups, message) => ({
  files: [`${PAGE}/${folder}/**/*.js`],
  rules: { "no-restricted-imports": ["error", { patterns: [{ group: groups, message }] }] },
});

export default [
  { ignores: [`${PAGE}/vendor/`] },
  js.configs.recommended,
  {
    files: [`${PAGE}/**/*.js`, "page/reference/start.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
  },
  {
    files: ["tests/page/**/*.js", "tools/page/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.node },
  },
  {
    files: ["benchmarks/peers/boardgame/*.js"], // what it is measured with has no modules
    languageOptions: { ecmaVersion: 2024, sourceType: "commonjs", globals: globals.node },
  },
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines": ["error", { max: 300, skipComments: true }],
      "max-lines-per-function": ["error", { max: 110 }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  closed("state", ["../*", "!../state"], "state is pure: it imports state alone"),
  closed("effects", ["../views/*", "../dom.js"], "effects change the store; views draw it"),
  closed("views", ["../api.js", "../../api.js"], "views ask effects, which ask the API"),
];
