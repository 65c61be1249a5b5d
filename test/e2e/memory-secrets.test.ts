import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { entryTexts } from "../support/entries.ts";
import { openProject, type Project } from "../support/project.ts";
import { sharedServer } from "../support/shared-server.ts";
import { bash, plan } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

/** The shape of a real token, made up. */
const key = (name: string): string => `ghp_${name}${"q7Wz".repeat(8)}`.slice(0, 40);
const KEYS = { prompt: key("Prompt"), output: key("Output"), error: key("Errors"), config: key("Config") };

const CONFIG = { [KEYS.config]: 1, wavePolicy: { enforceWaveId: false } };

async function textBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map(async (file) => readFile(file, "utf8")))).join("\n");
}

/** OpenCode's log, in which this plugin's lines stand unmarked among its own. */
async function log(): Promise<string> {
  return readFile(join(sharedServer().root, "home/.local/share/opencode/log/opencode.log"), "utf8");
}

it("a key in a prompt, a tool's output, an error and a wrong configuration reaches neither the record nor our log", async () => {
  project = await openProject({
    gaia: CONFIG,
    files: {
      "check.sh": `test -f fixed.txt || { echo "error: token ${KEYS.output} refused"; exit 3; }\n`,
    },
  });
  project.autoAnswer(() => "once");
  const check = bash("sh check.sh");
  project.model.script(
    "gaia",
    plan("create_work_unit", { slug: "auth", title: `Sign-in with ${KEYS.prompt}` }),
    plan("append_log", { content: { markdown: `The provider said ${KEYS.error}` } }),
    plan("append_decisions", {
      content: { markdown: `| Which key? | ${KEYS.prompt} | it works | auth |` },
    }),
    plan("append_learnings", { bullets: [`constraint: the key is ${KEYS.output}`] }),
    plan("read_work_unit", { slug: `no-${KEYS.error}` }),
    call("delegate_gaia", { agent: "hephaestus", goal: `use ${KEYS.prompt}` }),
    say("Done."),
  );
  project.model.script(
    "hephaestus",
    check,
    call("write", { filePath: join(project.directory, "fixed.txt"), content: "yes" }),
    check,
    result(
      { checks_run: [], diff_summary: "x", files_modified: [], revision_ids: [], notes: "" },
      { errors: [KEYS.error], assumptions: [{ text: `the key is ${KEYS.error}`, confidence: 0.1 }] },
    ),
  );
  project.model.always("hephaestus", say("{}"));
  await project.prompt("gaia", `No, use ${KEYS.prompt} instead of the old key`);
  const record = await project.until("what was noticed", async () => {
    const text = await textBelow(join(project.directory, ".gaia"));
    return text.includes("sh check.sh") && text;
  });
  // The configuration is the user's own file, and stays as it is.
  const written = record.replace(JSON.stringify(CONFIG), "");
  for (const secret of Object.values(KEYS)) expect(written).not.toContain(secret);
  // What fixed a failing command is proposed; the words of a sentence are not.
  const proposed = await entryTexts(project.directory);
  expect(proposed).toMatch(/^kind: insight$[^]*^about: \["fixed\.txt"\]$[^]*^status: proposed$/m);
  expect(proposed).toMatch(
    /`sh check\.sh` failed with "error: token .* and passed after changes to fixed\.txt\./,
  );
  expect(proposed).not.toContain("instead of the old key");
  expect(record.match(/\[REDACTED:key…\w{4}\]/g)?.length).toBeGreaterThanOrEqual(5);

  const logged = await project.until("our log", async () => {
    const text = await log();
    return text.includes("[REDACTED:key") && text;
  });
  for (const secret of Object.values(KEYS)) expect(logged).not.toContain(secret);
  expect(project.model.requestsOf("hephaestus")[0]?.raw).not.toContain(KEYS.prompt);
});
