import { entryTexts } from "../support/entries.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadInFakeOpenCode, type FakeOpenCode } from "../support/fake-opencode.ts";

const SESSION = "ses_1";
let directory: string;
let openCode: FakeOpenCode;
let calls: number;

beforeEach(async () => {
  calls = 0;
  directory = await mkdtemp(join(tmpdir(), "gaia-capture-"));
  vi.stubEnv("XDG_CONFIG_HOME", directory);
  await mkdir(join(directory, ".gaia"));
  await writeFile(join(directory, ".gaia/learnings.md"), "# Learnings\n");
  openCode = await loadInFakeOpenCode(directory);
  await openCode.event("session.created", { info: { id: SESSION, metadata: {} } });
  await openCode.say(SESSION, "Make the test pass");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
});

async function ran(tool: string, args: object, output: string, metadata: object): Promise<void> {
  calls += 1;
  const ids = { tool, sessionID: SESSION, callID: `call_${calls}` };
  await openCode.hooks["tool.execute.after"]?.({ ...ids, args }, { title: "", output, metadata });
}

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
-old
+new
*** Update File: src/old.ts
*** Move to: src/new.ts
*** End Patch`;

it.each<[string, object, string]>([
  ["apply_patch", { patchText: PATCH }, "src/a.ts, src/new.ts"],
  ["edit", { filePath: "src/a.ts", oldString: "old", newString: "new" }, "src/a.ts"],
  ["write", { filePath: "src/a.ts", content: "new" }, "src/a.ts"],
])("a fix made with %s is proposed as a learning", async (tool, args, files) => {
  await ran("bash", { command: "npm test" }, "error: expected 2", { exit: 1 });
  await ran(tool, args, "ok", {});
  await ran("bash", { command: "npm test" }, "fine", { exit: 0 });
  await new Promise(setImmediate);
  await openCode.hooks.dispose?.();
  const said = `\`npm test\` failed with "error: expected 2" and passed after changes to ${files}.`;
  await vi.waitFor(async () => expect(await entryTexts(directory)).toContain(said), 5_000);
});
