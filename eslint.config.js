// How JavaScript is checked: `npm run lint`.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "venv/", "build/", "dist/"] },
  js.configs.recommended,
  {
    files: ["curation/**/*.js", "tests/browser/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["tests/ui/*.mjs"],
    languageOptions: { globals: globals.nodeBuiltin },
  },
  {
    rules: {
      eqeqeq: "error",
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": "error",
      "object-shorthand": "error",
    },
  },
];
