import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createReportProblemsHook } from "../../src/hooks/at-start.ts";
import type { UserMessage } from "../../src/host/hook-events.ts";
import { SUPPORTED_OPENCODE } from "../../src/host/supported-versions.ts";
import { recordOf } from "../../src/lib/json.ts";
import { createFakeHost } from "../support/fake-host.ts";

/** What the user is shown after two messages. */
async function toastsWith(version: string | null): Promise<readonly string[]> {
  const host = createFakeHost();
  host.openCode = version;
  const hook = createReportProblemsHook({ host, problems: [] });
  for (const _message of [1, 2]) await hook.run({} as UserMessage);
  await new Promise(setImmediate);
  return host.toasts;
}

describe("an OpenCode that is not supported", () => {
  it.each([
    ["1.14.34", /^OpenCode 1\.14\.34 is not supported.*opencode upgrade/],
    ["2.0.0", /2\.0\.0 is not supported.*npm install -g opencode-ai@1/],
  ])("%s is told once, with what helps", async (version, words) => {
    expect(await toastsWith(version)).toEqual([expect.stringMatching(words)]);
  });

  it.each(["1.15.13", "1.18.33", "0.0.0-dev-202601010000", "local", null])("%s is not", async (version) => {
    expect(await toastsWith(version)).toEqual([]);
  });

  it("is the same for npm, OpenCode and the plugin itself", async () => {
    const manifest = recordOf(JSON.parse(await readFile("package.json", "utf8")));
    expect(recordOf(manifest["engines"])["opencode"]).toBe(SUPPORTED_OPENCODE);
  });
});
