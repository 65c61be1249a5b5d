import { describe, expect, it } from "vitest";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import { loadSources } from "./config-files.ts";

const conflict = (ours: string, theirs: string): string =>
  `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> branch\n`;

describe("a file with the marks of a merge conflict", () => {
  it.each([
    [
      "around a key",
      `{\n${conflict('  "mode": "locked",', '  "mode": "autopilot",')}  "visibility": "live"\n}`,
      2,
    ],
    ["around everything", conflict('{ "mode": "locked" }', '{ "mode": "autopilot" }'), 1],
    [
      "with Windows line ends",
      `{\r\n${conflict('"mode": "locked"', '"mode": "autopilot"').replaceAll("\n", "\r\n")}}`,
      2,
    ],
    [
      "half resolved, the first mark gone",
      '{\n"mode": "locked"\n=======\n"mode": "autopilot"\n>>>>>>> b\n}',
      3,
    ],
    ["half resolved, the last mark left", '{\n"mode": "autopilot"\n>>>>>>> b\n}', 3],
    [
      "in the style with the base",
      '{\n<<<<<<< a\n"mode": "locked"\n||||||| b\n"mode": "autopilot"\n=======\n>>>>>>> c\n}',
      2,
    ],
  ])("is broken, and no side wins: %s", async (_name, project, line) => {
    const { config, problems } = await loadSources({ project });
    expect(config).toMatchObject({ mode: "supervised", visibility: "checkpoint" });
    expect(problems).toEqual([
      expect.objectContaining({ kind: "syntax", line, message: expect.stringContaining("merge conflict") }),
    ]);
  });

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
