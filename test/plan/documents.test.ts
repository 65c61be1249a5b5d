import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderErrors, parsePlan } from "../../src/plan/grammar.ts";
import { FIELDS, KEYS } from "../../src/plan/task.ts";

const ROOT = new URL("../../", import.meta.url);
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
/** A template as it is, and what pages show in fences of markdown. */
const plans = [
  ...filesIn("templates").map((path) => [path, read(path)] as const),
  ...[...filesIn("docs"), "README.md"].flatMap((path) =>
    [...read(path).matchAll(/^```(?:md|markdown)\n(.*?)^```$/gms)].map(
      ([, text = ""]) => [path, text] as const,
    ),
  ),
].filter(([, text]) => /^## Tasks$/m.test(text));

it("every plan that the plugin brings or its pages show is in the grammar", () => {
  expect(plans.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      "templates/demo-plan.md",
      "templates/gaia/plan.md",
      "docs/plans.md",
      "docs/worktrees.md",
    ]),
  );
  for (const [path, text] of plans) expect([path, renderErrors(parsePlan(text).errors)]).toEqual([path, ""]);
  const demo = parsePlan(read("templates/demo-plan.md"));
  expect([demo.tasks.length, demo.conditions.length]).toEqual([4, 1]);
});

it("the page on plans has the grammar's own table of keys", () => {
  const rows = KEYS.map((key) => `| \`${key}\` | ${FIELDS[key].form} |`);
  expect(read("docs/plans.md")).toContain(`|---|---|\n${rows.join("\n")}\n\n`);
});
