import { describe, expect, it } from "vitest";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import { loadSources } from "./config-files.ts";
import { readCases } from "../support/cases.ts";

const conflict = (ours: string, theirs: string): string =>
  `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> branch\n`;

describe("a file with the marks of a merge conflict", () => {
  it.each(readCases<[string, string, number]>("config/conflict-markers.is-broken-and-no-side"))(
    "is broken, and no side wins: %s",
    async (_name, project, line) => {
      const { config, problems } = await loadSources({ project });
      expect(config).toMatchObject({ mode: "supervised", visibility: "checkpoint" });
      expect(problems).toEqual([
        expect.objectContaining({ kind: "syntax", line, message: expect.stringContaining("merge conflict") }),
      ]);
    },
  );

  it("is not one that only speaks of them", async () => {
    const project = '{\n/*\n<<<<<<< HEAD\n=======\n*/\n// =======\n"mode": "locked" }';
    const { config, problems } = await loadSources({ project });
    expect([config.mode, problems]).toEqual(["locked", []]);
  });

  it("defines no specialist", () => {
    const text = `---\ndescription: x\n${conflict("permission: {}", 'permission: { "*": allow }')}---\nHelp.`;
    expect(parseCustomSpecialist("own", "own.md", text)).toMatchObject({ ok: false });
  });
});
