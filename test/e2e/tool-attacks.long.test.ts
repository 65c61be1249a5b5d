import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canContain } from "../support/bubblewrap.ts";
import { readCases } from "../support/cases.ts";
import { openProject, type Project } from "../support/project.ts";
import { type Attack, delegated, turnsOf } from "./scenes.ts";

const GPT = "gpt-5-scripted";
const SECRET = "hunter2-of-the-user";

let project: Project;
let outside: string;
beforeAll(async () => {
  // Not below a temporary folder, which a sandbox replaces.
  outside = await realpath(await mkdtemp(join(homedir(), ".gaia-outside-")));
  await writeFile(join(outside, "c.txt"), "as it was\n");
  await mkdir(join(outside, ".ssh"));
  await writeFile(join(outside, ".ssh/id_ed25519"), `KEY=${SECRET}\n`);
  project = await openProject({
    files: { "open.txt": "open\n", "src/a.txt": "one\n" },
    models: [GPT],
    gaia: {
      mode: "autopilot",
      agents: { hephaestus: { model: "scripted/main" }, artemis: { model: `scripted/${GPT}` } },
    },
  });
  await project.write(".env", `PASSWORD=${SECRET}\n`);
  // The plugin answers for commands itself.
  project.autoAnswer(({ permission }) => (permission === "bash" ? null : "reject"));
});
afterAll(async () => {
  await project.close();
  await rm(outside, { recursive: true, force: true });
});

const at = (path: string): string => join(project.directory, path);
describe.runIf(canContain)("a specialist in autopilot gets nowhere by", () => {
  it.each(readCases<Attack>("e2e/tool-attacks"))("$how", async (attack) => {
    const before = await project.git("for-each-ref");
    const turns = turnsOf(attack, { project: project.directory, outside });
    const { tools } = await delegated(project, attack.agent, turns);
    expect(tools.map(({ status }) => status)).toEqual(["completed", expect.any(String)]);
    expect(JSON.stringify(tools)).not.toMatch(/hunter2-of-the-user|root:/u);
    expect(await readFile(join(outside, "c.txt"), "utf8")).toBe("as it was\n");
    for (const path of [
      join(outside, "pwned"),
      join(outside, "new"),
      ...[".git/hooks/post-commit", ".git/hooks/pre-commit", ".gaia/config.json", "src/.opencode"].map(at),
    ])
      expect(existsSync(path), path).toBe(false);
    expect(await project.read("src/a.txt")).toBe("one\n");
    expect(await project.git("for-each-ref")).toBe(before);
  });
});
