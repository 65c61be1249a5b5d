import { describe, expect, it } from "vitest";
import { renderProblem } from "../../src/config/problem.ts";
import { loadSources } from "./config-files.ts";

/** The problems of a project's file, one line each, from the line number on. */
async function problemsOf(project: string): Promise<string[]> {
  const { problems } = await loadSources({ project });
  return problems.map((problem) => renderProblem(problem).replace(/^\.gaia\/config\.jsonc:/, ""));
}

describe("a key that the schema does not know", () => {
  it.each([
    [
      "misspelt agent",
      '{\n  // mine\n  "agents": {\n    "hepaestus": {}\n  }\n}',
      '4:5 agents.hepaestus: unknown agent. Did you mean "hephaestus"?',
    ],
    [
      "two letters swapped",
      '{ "agents": { "hades": { "modle": "a/b" } } }',
      '1:26 agents.hades.modle: unknown key. Did you mean "model"?',
    ],
    [
      "other separators",
      '{\n\t"checkin_cadence": "step" }',
      '2:2 checkin_cadence: unknown key. Did you mean "checkinCadence"?',
    ],
    [
      "a beginning",
      '{ "autopilotSafeguards": { "maxTool": 3 } }',
      '1:28 autopilotSafeguards.maxTool: unknown key. Did you mean "maxToolCallsPerWave"?',
    ],
    [
      "a section's key at the top",
      '{\r\n"mode": "locked",\r\n  "askAtTaskStart": false }',
      '3:3 askAtTaskStart: unknown key. "askAtTaskStart" belongs under "startup".',
    ],
    [
      "a top-level key in a section",
      '{ "startup": { "visibility": "live" } }',
      '1:16 startup.visibility: unknown key. "visibility" belongs at the top level.',
    ],
    [
      "an agent's key at the top",
      '{ "temperature": 1 }',
      '1:3 temperature: unknown key. "temperature" belongs under "agents.<name>".',
    ],
    ["an agent at the top", '{ "hades": {} }', '1:3 hades: unknown key. "hades" belongs under "agents".'],
    [
      "both misspelt and misplaced",
      '{ "agents": { "hades": { "mode": "locked" } } }',
      '1:26 agents.hades.mode: unknown key. "mode" belongs at the top level. Did you mean "model"?',
    ],
    [
      "nothing near",
      '{ "guards": { "wolves": true } }',
      "1:15 guards.wolves: unknown key. Known here: scope, todoReminder, harvestReminder, continuation.",
    ],
    [
      "inside a list",
      '{ "definitionOfDone": { "artifacts": [{ "path": "a", "opt": 1 }] } }',
      '1:54 definitionOfDone.artifacts[0].opt: unknown key. Did you mean "optional"?',
    ],
    [
      "of a section with few keys",
      '{ "experimental": { "warp": 9 } }',
      "1:21 experimental.warp: unknown key. Known here: systemContext, compaction, compactionSummary.",
    ],
    ["__proto__", '{ "__proto__": { "mode": "locked" } }', "1:3 __proto__: unknown key. Remove it."],
    [
      "__proto__ deeper",
      '{ "agents": { "__proto__": {} } }',
      "1:15 agents.__proto__: unknown key. Remove it.",
    ],
    [
      "constructor",
      '{ "agents": { "gaia": { "permission": { "constructor": "deny" } } } }',
      "1:41 agents.gaia.permission.constructor: unknown key. Remove it.",
    ],
    [
      "written twice",
      '{ "mode": "locked",\n  "mode": "autopilot" }',
      "2:3 mode: written twice, and this one counts. Remove the other.",
    ],
  ])("%s", async (_name, text, line) => {
    expect(await problemsOf(text)).toEqual([line]);
  });

  it("prints no line break or terminal escape that a name may hold", async () => {
    const [line] = await problemsOf('{ "a\\n\\u001b\\u2028": 1 }');
    expect(line).toMatch(/^1:3 \["a\?\?\?"\]: unknown key\. Known here: \$schema, root, preset, /);
  });
});

describe("a value that does not fit", () => {
  it.each([
    [
      "a misspelt word",
      '{ "mode": "superviced" }',
      '1:11 mode: not an allowed value. Did you mean "supervised"? Expected: "supervised", "autopilot" or "locked".',
    ],
    [
      "a strange word",
      '{ "gaiaContext": {\n    "useLearnings": "yes" } }',
      "2:21 gaiaContext.useLearnings: found text. Expected: true or false.",
    ],
    [
      "another type for a word",
      '{ "preset": true }',
      '1:13 preset: found true. Expected: "budget", "balanced", "premium" or "local".',
    ],
    [
      "text for a number",
      '{ "agents": { "hades": { "temperature": "hot" } } }',
      "1:41 agents.hades.temperature: found text. Expected: a number.",
    ],
    [
      "too hot",
      '{ "agents": { "hades": { "temperature": 2.1 } } }',
      "1:41 agents.hades.temperature: out of range. Expected: at most 2.",
    ],
    [
      "too cold",
      '{ "agents": { "hades": { "temperature": -1 } } }',
      "1:41 agents.hades.temperature: out of range. Expected: at least 0.",
    ],
    [
      "half a step",
      '{ "agents": { "hades": { "steps": 1.5 } } }',
      "1:35 agents.hades.steps: found a number. Expected: a whole number.",
    ],
    [
      "no step",
      '{ "agents": { "hades": { "steps": 0 } } }',
      "1:35 agents.hades.steps: out of range. Expected: at least 1.",
    ],
    [
      "a model without provider",
      '{ "agents": { "hades": { "model": "gpt-5" } } }',
      '1:35 agents.hades.model: not an allowed value. Expected: "inherit" or a model as provider/model.',
    ],
    [
      "inherit among the fallbacks",
      '{ "agents": { "hades": { "fallback": ["a/b", "inherit"] } } }',
      "1:46 agents.hades.fallback[1]: not an allowed value. Expected: a model as provider/model.",
    ],
    [
      "text for a list",
      '{ "specialistTools": "context7_*" }',
      "1:22 specialistTools: found text. Expected: a list.",
    ],
    ["a list for a section", '{ "guards": [] }', "1:13 guards: found a list. Expected: an object."],
    ["null", '{ "startup": null }', "1:14 startup: found null. Expected: an object."],
    [
      "a misspelt permission",
      '{ "agents": { "hades": { "permission": { "bash": "alow" } } } }',
      '1:50 agents.hades.permission.bash: not an allowed value. Did you mean "allow"? Expected: "allow", "ask", "deny" or an object.',
    ],
    [
      "a misspelt pattern's permission",
      '{ "agents": { "hades": { "permission": { "bash": { "git *": "alow" } } } } }',
      '1:61 agents.hades.permission.bash["git *"]: not an allowed value. Did you mean "allow"? Expected: "allow", "ask" or "deny".',
    ],
    [
      "a wrong key that others need, once",
      '{ "agents": { "hades": { "thinking": { "type": "on", "budgetTokens": 9 } } } }',
      '1:48 agents.hades.thinking.type: not an allowed value. Expected: "enabled".',
    ],
    [
      "a missing key",
      '{ "agents": { "hades": { "thinking": { "type": "enabled" } } } }',
      "1:38 agents.hades.thinking.budgetTokens: missing. Expected: a number.",
    ],
    [
      "an empty text",
      '{ "definitionOfDone": { "checks": [{ "id": "", "command": "x" }] } }',
      "1:44 definitionOfDone.checks[0].id: empty. Expected: text.",
    ],
    [
      "a limit of nothing",
      '{ "delegation": { "maxConcurrent": { "perModel": { "a/b": 0 } } } }',
      '1:59 delegation.maxConcurrent.perModel["a/b"]: out of range. Expected: at least 1.',
    ],
    [
      "a time beyond every timer",
      '{ "delegation": { "stallSeconds": 3000000 } }',
      "1:35 delegation.stallSeconds: out of range. Expected: at most 86400.",
    ],
    ["a list as the whole", "\n [1]", "2:2: found a list. Expected: an object."],
  ])("%s", async (_name, text, line) => {
    expect(await problemsOf(text)).toEqual([line]);
  });

  it("never repeats the value, which may be a secret", async () => {
    const secret = "sk-1234567890";
    const { problems } = await loadSources({
      project: `{ "mode": "${secret}", "agents": { "gaia": { "model": "${secret}" } }, "preset": ${secret} }`,
    });
    expect(problems).toHaveLength(3);
    expect(JSON.stringify(problems)).not.toContain(secret);
  });
});

describe("text that is not JSON", () => {
  it.each([
    [
      "missing comma",
      '{\n  "mode": "locked"\n  "visibility": "live"\n}',
      ["3:3: a comma is missing before this."],
    ],
    ["missing value", '{ "mode": }', ["1:11 mode: a value is missing here."]],
    ["missing colon", '{ "mode" "locked" }', ["1:10 mode: a colon is missing after the key."]],
    [
      "missing quote",
      '{ "mode": "locked,\n  "visibility": "live" }',
      ["1:11 mode: the closing quote is missing.", "2:3: a comma is missing before this."],
    ],
    ["missing brace", '{ "startup": { "rampWarmupBatches": 4 }\n', ["2:1: a closing } is missing."]],
    ["unquoted key", "{ mode: 1 }", ["1:3: not JSON, where keys and text stand in double quotes."]],
    [
      "unquoted text",
      '{ "mode": locked }',
      ["1:11 mode: not JSON, where keys and text stand in double quotes."],
    ],
    [
      "one brace too many",
      '{ "mode": "locked" } }',
      ["1:22: the configuration has ended before this: look for a } too many above."],
    ],
    ["a stray backslash", '{ "mode": "a\\d" }', ["1:11 mode: unknown escape: write \\\\ for a backslash."]],
    ["something else", "PORT=3000", ["1:1: not JSON, where keys and text stand in double quotes."]],
  ])("%s", async (_name, text, lines) => {
    expect(await problemsOf(text)).toEqual(lines);
  });

  it("gives up on a file that is not a configuration at all, with one line", async () => {
    expect(await problemsOf(`{ ${"? ".repeat(500)} }`)).toEqual(["1:1: not JSON."]);
    expect(await problemsOf('{"a":'.repeat(100_000))).toEqual([
      "1:1: nested too deeply to be a configuration.",
    ]);
  });

  it.each([500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000])("bears brackets nested %i deep", async (depth) => {
    const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(await problemsOf(`{ "guards": ${nested} }`)).toHaveLength(1);
  });

  it("reports each key that is lost, even on one line", async () => {
    expect(await problemsOf('{ "mode": locked, "preset": local }')).toEqual([
      "1:11 mode: not JSON, where keys and text stand in double quotes.",
      "1:29 preset: not JSON, where keys and text stand in double quotes.",
    ]);
  });

  it("counts lines and columns as editors do: any line ending, no byte order mark", async () => {
    const text = '\uFEFF{\r\n"mode":\r"x", "é🙂": 1 }';
    expect(await problemsOf(text)).toEqual([
      expect.stringMatching(/^3:1 mode: /),
      expect.stringMatching(/^3:6 \["é🙂"\]: unknown key/),
    ]);
  });

  it("asks for UTF-8 and still uses the rest", async () => {
    const bytes = Buffer.from('{ "mode": "locked", // caf\xe9\n "visibility": "live" }', "latin1");
    const { config, problems } = await loadSources({ project: bytes });
    expect(problems.map(renderProblem)).toEqual([
      ".gaia/config.jsonc:1:27: not UTF-8. Save the file as UTF-8.",
    ]);
    expect(config).toMatchObject({ mode: "locked", visibility: "live" });
  });
});

it("lists problems of every kind in the order of the text", async () => {
  const lines = await problemsOf('{\n"wolf": 1,\n"mode": "x",\n"mode": "y",\n"preset": local,\n"fox": 1 }');
  expect(lines.map((line) => line.split(": ")[0])).toEqual([
    "2:1 wolf",
    "4:1 mode",
    "4:9 mode",
    "5:11 preset",
    "6:1 fox",
  ]);
});

it("lists at most fifty problems of a file", async () => {
  const keys = Array.from({ length: 200 }, (_, index) => `"wolf${index}": 1`);
  const lines = await problemsOf(`{\n${keys.join(",\n")}\n}`);
  expect(lines).toHaveLength(51);
  expect(lines.slice(0, 50).map((line) => line.split(":")[0])).toEqual(
    Array.from({ length: 50 }, (_, index) => `${index + 2}`),
  );
  expect(lines.at(-1)).toContain("more than 50 problems");
});
