import ts from "typescript";
import { expect, it } from "vitest";
import { wordsForModels } from "../support/shown.ts";
import { readSources } from "./imports.ts";

/** Where a text goes in front of the user: the argument of a call, by the end of its name. */
const SINKS: Readonly<Record<string, number>> = { "outbox.note": 0, toast: 1, show: 0 };
/** The first argument of these is a reason, which is shown without the hint behind it; there "the user" becomes "you". */
const REASONS = new Set(["refuse", "failure", "refuseChange"]);
/** Arguments that only a model can have given wrongly: no person ever meets them. */
const GIVEN = /rename needs name and new_name|of rows_markdown has|^Refused delegate_gaia:/u;

/** All that is written out in a part of a file, with blanks where something is filled in. */
function written(node: ts.Node): string {
  let text = "";
  const visit = (each: ts.Node): void => {
    const isTemplate =
      ts.isTemplateHead(each) || ts.isTemplateMiddle(each) || ts.isTemplateMiddleOrTemplateTail(each);
    if (ts.isStringLiteralLike(each) || isTemplate) text += `${each.text} `;
    ts.forEachChild(each, visit);
  };
  visit(node);
  return text.trim();
}

/** The texts of a file that a user is shown, as far as they are written where they are shown. */
function shownIn(path: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = node.expression.getText();
      const sink = Object.keys(SINKS).find((each) => name === each || name.endsWith(`.${each}`));
      const given = sink === undefined ? undefined : node.arguments[SINKS[sink] ?? 0];
      if (given !== undefined) found.push(written(given));
      const [reason] = node.arguments;
      if (REASONS.has(name) && reason !== undefined)
        found.push(written(reason).replaceAll(/\bthe user\b/giu, "you"));
    }
    if (ts.isPropertyAssignment(node) && node.name.getText() === "forUser")
      found.push(written(node.initializer));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return found;
}

it("nothing that is meant for a model stands in what a user is shown, nor in the reason of a refusal", async () => {
  const sources = await readSources("src");
  const shown = [...sources].flatMap(([path, source]) =>
    shownIn(path, source).map((text) => [path, text] as const),
  );
  expect(shown.length).toBeGreaterThan(150);
  const wrong = shown.filter(([, text]) => wordsForModels(text) !== null && !GIVEN.test(text));
  expect(wrong.map(([path, text]) => `${path}: ${wordsForModels(text)}: ${text}`)).toEqual([]);
});
