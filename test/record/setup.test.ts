import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDefinitionOfDone } from "../../src/config/add-definition.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import type { Knowledge } from "../../src/record/knowledge.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { acceptLearnings, openEntries } from "../support/entries.ts";

let directory: string;
let workspace: Workspace;
let knowledge: Knowledge;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "setup-"));
  knowledge = openEntries(directory);
  workspace = createWorkspace({ directory, clock: createFakeClock(0), logger: silentLogger, knowledge });
});
afterEach(async () => rm(directory, { recursive: true, force: true }));
const read = async (path: string): Promise<string> => readFile(join(directory, ".gaia", path), "utf8");

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
