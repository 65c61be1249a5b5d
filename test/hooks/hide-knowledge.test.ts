import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { loadInFakeOpenCode } from "../support/fake-opencode.ts";

const SESSION = "ses_1";
const PROPOSED = "Alpacas are fed twice a day.";
const ITEM = "Llamas in a list of things.";
const APART = "Vicuñas in a folder of their own.";
const BOTH = "Both of them are told of llamas.";

it("what is proposed is in no output of a command, even of one that names no file", async () => {
  const directory = await mkdtemp(join(tmpdir(), "gaia-hide-"));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  });
  vi.stubEnv("XDG_CONFIG_HOME", join(directory, "config"));
  vi.stubEnv("XDG_DATA_HOME", join(directory, "data"));
  const folders = [join(directory, ".gaia/knowledge"), join(directory, "config/opencode/gaia-knowledge")];
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await writeFile(
    join(folders[0] ?? "", "a.md"),
    `---\nstatus: proposed\n---\n${PROPOSED}\n${BOTH}\nYes.\n- ${ITEM}\nBoth of them are told\n`,
  );
  await writeFile(
    join(folders[0] ?? "", "API.md"),
    "---\nstatus: accepted\nNever closed, as it stands there.\n",
  );
  await mkdir(join(folders[0] ?? "", "drafts"));
  await writeFile(join(folders[0] ?? "", "drafts/c.md"), `---\nstatus: accepted\n---\n${APART}\n`);
  await writeFile(join(folders[1] ?? "", "b.md"), `---\nstatus: accepted\n---\n${BOTH}\n`);
  const openCode = await loadInFakeOpenCode(directory);
  await openCode.event("session.created", { info: { id: SESSION, metadata: {} } });
  await openCode.say(SESSION, "Look around");
  const printed = async (tool: string, args: object, output: string): Promise<string> => {
    const result = { title: "", output, metadata: {} };
    await openCode.hooks["tool.execute.after"]?.({ tool, args, sessionID: SESSION, callID: "c" }, result);
    return result.output;
  };
  const lines = ["begin", PROPOSED, `3:${PROPOSED}`, `+${PROPOSED}`, `  ${PROPOSED} `, BOTH, "Yes.", "end"];
  const shown = await printed("bash", { command: "grep -rh . .gaia" }, lines.join("\n"));
  expect(shown).not.toContain("Alpacas");
  expect(shown.split("\n").filter((line) => line.startsWith("[not shown"))).toHaveLength(4);
  for (const line of ["begin", BOTH, "Yes.", "end"]) expect(shown).toContain(line);
  expect(await printed("bash", { command: "grep -rh . .gaia" }, `1:${APART}`)).not.toContain("Vicuñas");
  const bare = [
    "knowledge/a.md:3:" + PROPOSED,
    `- ${ITEM}`,
    `x ${ITEM} y`,
    "Never closed, as it stands there.",
  ];
  const alone = await printed("bash", { command: "cd .gaia; tar c . | strings" }, bare.join("\n"));
  expect(alone.split("\n").every((line) => line.startsWith("[not shown"))).toBe(true);
  const named = "cat $(echo .gaia/k*)/a.md";
  expect(await printed("bash", { command: named }, PROPOSED)).not.toContain("Alpacas");
  expect(await printed("grep", { pattern: "x" }, PROPOSED)).not.toContain("Alpacas");
  // A file of the project's own that says the same is read as it is.
  expect(await printed("read", { filePath: join(directory, "a.txt") }, PROPOSED)).toContain("Alpacas");
  await openCode.hooks.dispose?.();
});
