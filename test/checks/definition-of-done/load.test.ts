import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadDefinitionOfDone } from "../../../src/checks/definition-of-done/load.ts";
import type { DefinitionOfDone } from "../../../src/config/definition-of-done.ts";
import { readCases } from "../../support/cases.ts";
import { define } from "../definition.ts";
import { createProject, writeFiles } from "../project.ts";

const CONFIGURED = define({ checks: [{ id: "a", command: "true" }], gate: "any" });
const AGENCY = JSON.stringify({
  name: "x",
  definitionOfDone: { checks: [{ id: "agency", command: "true" }] },
});
const BARE = JSON.stringify({ checks: [{ id: "bare", command: "true" }], gate: "none", owner: "somebody" });

async function load(files: Record<string, string>, configured?: DefinitionOfDone) {
  return loadDefinitionOfDone(await createProject(files), configured);
}

describe("loadDefinitionOfDone", () => {
  it("prefers the GAIA config, then agency.json, then .agency/dod.json", async () => {
    const files = { "agency.json": AGENCY, ".agency/dod.json": BARE };
    expect(await load(files, CONFIGURED)).toEqual({
      kind: "found",
      definition: CONFIGURED,
      source: ".gaia/config.jsonc",
    });
    expect(await load(files)).toMatchObject({
      definition: {
        gate: "all",
        artifacts: [],
        checks: [{ id: "agency", scope: "full", timeoutSeconds: 300 }],
      },
    });
    expect(await load({ ".agency/dod.json": BARE })).toMatchObject({
      definition: { gate: "none", checks: [{ id: "bare" }] },
    });
  });

  it("answers null when the project has none", async () => {
    expect(await load({})).toBeNull();
    expect(await load({ "agency.json": "{}" })).toBeNull();
  });

  it.each(readCases<[string, string, string, RegExp]>("checks/definition-of-done/load.broken"))(
    "describes a broken file: %s",
    async (_name, source, text, problem) => {
      const loaded = await load({ [source]: text });
      expect(loaded).toMatchObject({ kind: "broken", problem: expect.stringMatching(problem) });
    },
  );

  it("describes a file that cannot be read", async () => {
    const directory = await createProject();
    await mkdir(join(directory, "agency.json"));
    expect(await loadDefinitionOfDone(directory)).toMatchObject({
      kind: "broken",
      problem: expect.stringContaining("is a directory, not a file"),
    });
  });

  it("never throws, whatever the file holds", async () => {
    const directory = await createProject();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (text) => {
        await writeFiles(directory, { ".agency/dod.json": text });
        const loaded = await loadDefinitionOfDone(directory);
        expect(["found", "broken"]).toContain(loaded?.kind);
      }),
      { numRuns: 60 },
    );
  });
});
