import { describe, expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** What reads files of the plugin's own, of OpenCode's or of the kernel, or has opened and bounded the file itself. */
const OWN: readonly string[] = [
  "cli/demo/command.ts",
  "cli/doctor/opencode.ts",
  "cli/init/plan.ts",
  "cli/own-package.ts",
  "conversation/display/panel-key.ts",
  "extras/pull-requests/open.ts",
  "process/process-group.ts",
  "record/templates.ts",
  "sandbox/sockets.ts",
];
const READS = /\breadFile(?:Sync)?\(/u;
const FROM_NODE = /import \{[^}]*\breadFile(?:Sync)?\b[^}]*\} from "node:fs(?:\/promises)?"/u;

describe("files that are none of ours", () => {
  it("are read by lib/read-source.ts alone, which waits for no pipe and reads no more than its bound", async () => {
    const reading = [...(await readSources("src"))].filter(
      ([, text]) => READS.test(text) && FROM_NODE.test(text),
    );
    expect(reading.map(([path]) => path).toSorted()).toEqual(OWN);
  });
});
