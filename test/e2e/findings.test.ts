import { afterEach, expect, it, vi } from "vitest";
import { result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import { ATTACKED, lastUser, LONG_MS, notesOf, to, type } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const FINDINGS = ".gaia/findings.md";
const rowOf = async (id: string): Promise<string> =>
  (await project.read(FINDINGS).catch(() => "")).split("\n").find((line) => line.startsWith(`| ${id} |`)) ??
  "";
const untilRow = async (id: string, words: string): Promise<void> => {
  await project.until(`${id} to be ${words}`, async () => (await rowOf(id)).includes(words));
};
/** A reviewer's answer with what was found outside of the work. */
const found = (...outside: object[]): Turn => result(ATTACKED, { outcome: { verdict: "APPROVE" }, outside });

it("a finding of a reviewer stands in the record once, whatever the model repeats or claims of it; a cosmetic one begins nothing", async () => {
  project = await openProject({ gaia: { findings: { ask: true } } });
  project.model.script("gaia", to("hades"), to("hades"), say("Reviewed."));
  project.model.script(
    "hades",
    found(
      {
        id: "null-user",
        type: "bug",
        scope: "api",
        where: "src/user.ts:12",
        what: "A missing name is stored | as null.",
      },
      { id: "padding", type: "cosmetic", what: "The button is small." },
    ),
    found({ id: "NULL-user", type: "bug", state: "done", what: "Nothing at all, it is done." }),
  );
  const { sessionId } = await project.prompt("gaia", "Review it");
  expect(lastText(project.model.requestsOf("hades")[0]!, "user")).toContain(
    '"outside": { id?: string, type: "bug" |',
  );
  await untilRow("padding", "noted");
  expect(await rowOf("null-user")).toBe(
    "| null-user | bug | api | src/user.ts:12 | A missing name is stored \\| as null. | hades | open |",
  );
  expect((await project.read(FINDINGS)).match(/^\| null/gim)).toHaveLength(1);
  expect((await notesOf(project, sessionId)).join("\n")).toContain("null-user (bug), padding (cosmetic)");

  // Both are read without a model; the words of what was found reach none.
  project.model.script("gaia", say("Shown."), say("Status shown."), say("Refused."));
  await type(project, sessionId, "gaia-findings");
  await type(project, sessionId, "gaia-status");
  const shown = (await notesOf(project, sessionId)).join("\n");
  expect(shown).toContain(
    "null-user [open] bug, api, src/user.ts:12: A missing name is stored | as null. (hades)",
  );
  expect(shown).toContain("findings: 1 open, 1 noted · /gaia-findings");
  expect(lastUser(project)).not.toContain("missing name");
  await type(project, sessionId, "gaia-findings", "start padding");
  expect(lastUser(project)).toContain("Nothing was done. Call no tool and tell the user in one line: ");
  expect(lastUser(project)).toContain("padding is only noted");
  expect(await rowOf("padding")).toContain("| noted |");
});
