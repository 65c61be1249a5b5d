import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDefinitionOfDone } from "../../src/config/add-definition.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { addPromotions, findPromotions } from "../../src/record/operations/learnings.ts";
import type { Learning } from "../../src/record/documents/learning.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { acceptLearnings } from "../support/accept-learnings.ts";

let directory: string;
let workspace: Workspace;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "setup-"));
  workspace = createWorkspace({ directory, clock: createFakeClock(0), logger: silentLogger });
});
afterEach(async () => rm(directory, { recursive: true, force: true }));
const read = async (path: string): Promise<string> => readFile(join(directory, ".gaia", path), "utf8");
const learning = (kind: Learning["kind"], text: string, confidence?: number): Learning => ({
  kind,
  text,
  date: "2026-01-02",
  ...(confidence === undefined ? {} : { confidence }),
});

describe("promotions", () => {
  it.each<[string, Learning, boolean]>([
    ["a constraint", learning("constraint", "never touch main"), true],
    ["a pattern that is sure enough", learning("pattern", "limits live in src/limits", 0.7), true],
    ["one that is not", learning("pattern", "limits live in src/limits", 0.6), false],
    ["an insight", learning("insight", "the build is slow"), false],
    ["what the file says already", learning("constraint", "Use `pnpm`."), false],
  ])("%s", (_name, each, isOne) => {
    const found = findPromotions([each], "## Non-Negotiables\n\n- use pnpm\n", () => false);
    expect(found).toHaveLength(isOne ? 1 : 0);
  });

  it("are the newest ones, and none that was decided on", () => {
    const many = Array.from({ length: 9 }, (_, at) => learning("constraint", `rule ${at}`));
    const found = findPromotions(many, "", ({ text }) => text === "rule 8");
    expect(found.map(({ learning: { text } }) => text)).toEqual([
      "rule 7",
      "rule 6",
      "rule 5",
      "rule 4",
      "rule 3",
    ]);
  });

  it("stand under their heading, which is made where it is missing, and touch nothing else", () => {
    const promotions = [
      { learning: learning("constraint", "use pnpm"), heading: "Non-Negotiables" },
      { learning: learning("pattern", "one file per tool"), heading: "Architecture Anchors" },
      { learning: learning("constraint", "no mocks"), heading: "Non-Negotiables" },
    ];
    const text = "# GAIA Init\n\nMine.\n\n## Non-Negotiables\n\n## VCS Notes\n\n- jj\n";
    expect(addPromotions(text, promotions)).toMatchObject({
      text: "# GAIA Init\n\nMine.\n\n## Non-Negotiables\n\n- use pnpm\n- no mocks\n\n## VCS Notes\n\n- jj\n\n## Architecture Anchors\n\n- one file per tool\n",
    });
  });

  it("are asked about once", async () => {
    await workspace.createGaiaInit();
    await acceptLearnings(workspace, "constraint: use pnpm", "constraint: no mocks");
    const found = await workspace.promotions();
    const [accepted, declined] = found.ok ? found.promotions : [];
    if (accepted === undefined || declined === undefined) throw new Error("two were expected");
    await workspace.settlePromotions({ accepted: [accepted], declined: [declined] });
    expect(await read("gaia-init.md")).toContain(`## Non-Negotiables\n\n- ${accepted.learning.text}\n`);
    expect(await read("gaia-init.md")).not.toContain(declined.learning.text);
    await expect(workspace.promotions()).resolves.toEqual({ ok: true, promotions: [] });
  });
});

describe("checks", () => {
  const definition = { checks: [{ id: "test", command: "npm test" }] };
  const CHECKS =
    '"definitionOfDone": {\n    "checks": [\n      {\n        "id": "test",\n        "command": "npm test"\n      }\n    ]\n  }';

  it.each([
    ["an empty file", "", `{\n  ${CHECKS}\n}\n`],
    [
      "comments",
      '{\n  // mine\n  "mode": "locked" // why\n}\n',
      `{\n  // mine\n  "mode": "locked", // why\n  ${CHECKS}\n}\n`,
    ],
  ])("go into a configuration with %s", (_name, text, expected) => {
    expect(addDefinitionOfDone(text, definition)).toBe(expected);
  });

  it.each([
    ["a definition", '{ "definitionOfDone": {} }'],
    ["an error", '{ "mode": }'],
    ["no object", "[]"],
  ])("leave a configuration with %s alone", (_name, text) => {
    expect(addDefinitionOfDone(text, definition)).toBeNull();
  });

  it("are written where they can be, and else say why not", async () => {
    await expect(workspace.addChecks({ definition })).resolves.toMatchObject({ path: ".gaia/config.jsonc" });
    expect(await read("config.jsonc")).toContain('"npm test"');
    await mkdir(join(directory, ".gaia"), { recursive: true });
    await writeFile(join(directory, ".gaia/config.jsonc"), "{ broken");
    await expect(workspace.addChecks({ definition })).resolves.toMatchObject({
      ok: false,
      error: ".gaia/config.jsonc was left as it is.",
    });
    expect(await read("config.jsonc")).toBe("{ broken");
  });
});
