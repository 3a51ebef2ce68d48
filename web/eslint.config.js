import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["src/api/schema.d.ts"] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  {
    files: ["src/**"],
    plugins: { "react-hooks": hooks },
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      complexity: ["error", 15],
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 60, skipComments: true }],
      "max-len": ["error", { code: 120, ignorePattern: "^\\s*d: \"|^import " }],
      "no-console": "error",
      "no-restricted-syntax": ["error", ...[
        "JSXElement:not([openingElement.name.name=/^(a|code)$/]) > JSXText[value=/\\p{L}{2}/u]",
        "JSXAttribute[name.name=/^(alt|aria-label|label|text|title)$/] > Literal[value=/\\p{L}{2}/u]",
      ].map((selector) => ({ selector, message: "Texts are in src/text, in each language." }))],
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/no-confusing-void-expression": "off", // handlers in one line
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  { files: ["src/text/*.ts"], rules: { "max-lines": "off" } }, // a language is one file
  { files: ["*.js", "*.ts"], extends: [ts.configs.disableTypeChecked] },
);
