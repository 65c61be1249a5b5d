import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { renderProblem } from "../../src/config/problem.ts";
import type { Clock } from "../../src/lib/async.ts";
import { loadSources, openConfigFiles } from "./config-files.ts";
import { readCases } from "../support/cases.ts";

const run = promisify(execFile);

it("fills in every default without any source, and has nothing to report", async () => {
  const { problems, provenance } = await loadSources({});
  expect(problems).toEqual([]);
  expect(new Set(provenance.values())).toEqual(new Set(["default"]));
});

describe("merging", () => {
  it("takes the user's file, the project's over it, the plugin options over both", async () => {
    const { config, problems, provenance } = await loadSources({
      user: `{
        "mode": "locked", "visibility": "live", "reviewDepth": "risk",
        "gaiaContext": { "accountFor": ["a", "b"], "avoid": ["c"] },
        "agents": { "hades": { "model": "one/x", "temperature": 1, "fallback": ["one/y", "one/z"] } },
      }`,
      project: `{
        "mode": "supervised", "visibility": "quiet", // the project wins
        "gaiaContext": { "accountFor": ["d"] },
        "agents": { "hades": { "model": "two/x", "fallback": ["two/y"] } },
      }`,
      options: { mode: "autopilot", agents: { hades: { temperature: 0 } } },
    });
    expect(problems).toEqual([]);
    expect(config).toMatchObject({ mode: "autopilot", visibility: "quiet", reviewDepth: "risk" });
    expect(config.gaiaContext).toMatchObject({ accountFor: ["d"], avoid: ["c"], useLearnings: true });
    expect(config.agents["hades"]).toEqual({ model: "two/x", temperature: 0, fallback: ["two/y"] });
    expect(Object.fromEntries(provenance)).toMatchObject({
      mode: "plugin options",
      visibility: "project file",
      reviewDepth: "user file",
      interaction: "default",
      "gaiaContext.accountFor": "project file",
      "gaiaContext.avoid": "user file",
      "gaiaContext.useLearnings": "default",
      "agents.hades.model": "project file",
      "agents.hades.temperature": "plugin options",
    });
  });

  it("lets the project's permission pattern match last, where OpenCode lets the last match win", async () => {
    const { config, provenance } = await loadSources({
      user: '{ "agents": { "hades": { "permission": { "bash": { "*": "ask", "git *": "allow" } } } } }',
      project: '{ "agents": { "hades": { "permission": { "bash": { "*": "deny" }, "webfetch": "deny" } } } }',
    });
    const permission = config.agents["hades"]?.permission;
    expect(Object.entries(permission?.["bash"] ?? {})).toEqual([
      ["git *", "allow"],
      ["*", "deny"],
    ]);
    expect(provenance.get('agents.hades.permission.bash["git *"]')).toBe("user file");
    expect(provenance.get('agents.hades.permission.bash["*"]')).toBe("project file");
  });

  it("fills in the definition of done only when there is one", async () => {
    const { config } = await loadSources({
      project: '{ "definitionOfDone": { "checks": [{ "id": "test", "command": "npm test" }] } }',
    });
    expect(config.definitionOfDone).toEqual({
      artifacts: [],
      checks: [{ id: "test", command: "npm test", scope: "full", timeoutSeconds: 300 }],
      gate: "all",
    });
  });
});

it.each(readCases<[string, string, object]>("config/loader.survives"))(
  "what stands beside a mistake survives: %s",
  async (_name, mistake, expected) => {
    const { config, problems } = await loadSources({
      project: `{\n "mode": "locked",\n ${mistake},\n "visibility": "live"\n}`,
    });
    expect(problems.length).toBeGreaterThan(0);
    expect(config).toMatchObject(expected);
  },
);

it.each([
  [
    "a misspelt key",
    { moed: "locked" },
    'plugin options in opencode.json moed: unknown key. Did you mean "mode"?',
  ],
  [
    "no object",
    "locked",
    "plugin options in opencode.json: Invalid input: expected object, received string.",
  ],
  [
    "a function",
    () => "locked",
    "plugin options in opencode.json: Invalid input: expected object, received null.",
  ],
])("plugin options are reported without a line: %s", async (_name, options, line) => {
  const { problems } = await loadSources({ options });
  expect(problems.map(renderProblem)).toEqual([line]);
});

describe("files", () => {
  it.each([
    ["a directory", async (path: string) => mkdir(path), "is a directory, not a file."],
    [
      "a named pipe nobody writes to",
      async (path: string) => run("mkfifo", [path]),
      "is not a regular file.",
    ],
    ["a link to nowhere", async (path: string) => symlink("nowhere", path), "is a link that leads nowhere."],
    ["a link to itself", async (path: string) => symlink(path, path), "is a link that leads nowhere."],
    [
      "more than 1 MB",
      async (path: string) => writeFile(path, `{ "mode": "autopilot" }${" ".repeat(1_000_000)}`),
      "is larger than 1 MB.",
    ],
  ])("reports %s and goes on with the other sources", async (_name, make, message) => {
    const files = await openConfigFiles();
    await mkdir(join(files.project, ".gaia"), { recursive: true });
    await make(join(files.project, ".gaia/config.jsonc"));
    const { config, problems } = await files.load({ user: '{ "mode": "locked" }' });
    expect(problems.map(renderProblem)).toEqual([
      expect.stringMatching(/^\.gaia\/config\.jsonc: .*\. Until then sessions begin locked\.$/),
    ]);
    expect(problems.map(renderProblem)[0]).toContain(message);
    expect(config.mode).toBe("locked");
  });

  it("stops waiting for a file when its time is up", async () => {
    const after: Clock["after"] = (_ms, callback) => {
      callback();
      return () => undefined;
    };
    const files = await openConfigFiles();
    const { config, problems } = await files.load(
      { project: '{ "mode": "locked" }' },
      { now: () => 0, after },
    );
    expect(problems.map(renderProblem).join("\n")).toMatch(
      /^\.gaia\/config\.jsonc: could not be read within 2 s\..* Until then sessions begin locked\.$/m,
    );
    expect(config.mode).toBe("locked");
  });
});
