import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createReportProblemsHook } from "../../src/hooks/at-start.ts";
import type { Agents } from "../../src/agents/build.ts";
import type { ConfigProblem } from "../../src/config/problem.ts";
import type { Registered, UserMessage } from "../../src/host/hook-events.ts";
import type { OneShot } from "../../src/host/port.ts";
import type { Start } from "../../src/runtime.ts";
import { SUPPORTED_OPENCODE } from "../../src/host/supported-versions.ts";
import { recordOf } from "../../src/lib/json.ts";
import { createFakeHost } from "../support/fake-host.ts";

const PROBLEM: ConfigProblem = {
  kind: "unknown-key",
  file: ".gaia/config.jsonc",
  line: 3,
  column: 5,
  path: "mod",
  message: "unknown key",
};

interface Told {
  readonly version?: string | null;
  readonly problems?: readonly ConfigProblem[];
  /** The prompts of agents in OpenCode's merged configuration. */
  readonly prompts?: Readonly<Record<string, string>>;
}

/** What the user is told after two messages: on the screen, and on stderr under `opencode run`. */
async function toldWith({ version = null, problems = [], prompts = {} }: Told) {
  const printed: string[] = [];
  const fake = createFakeHost();
  fake.openCode = version;
  const oneShot = { print: (text: string) => void printed.push(text) } as unknown as OneShot;
  const host = Object.assign(fake, { oneShot });
  const agents = { entries: { gaia: { prompt: "ours" }, minerva: { prompt: "ours" } } } as unknown as Agents;
  const found = Object.entries({ gaia: "ours", build: "native", ...prompts }).map(([name, prompt]) => ({
    name,
    prompt,
  }));
  const registered = () => ({ agents: found }) as unknown as Registered;
  const hook = createReportProblemsHook({ host, problems, agents, registered } as unknown as Start);
  for (const _message of [1, 2]) await hook.run({} as UserMessage);
  await new Promise(setImmediate);
  return { toasts: host.toasts, printed };
}

async function toastsWith(version: string | null): Promise<readonly string[]> {
  return (await toldWith({ version })).toasts;
}

describe("what is told at the start", () => {
  it("reaches stderr under `opencode run`, whole, and a toast as far as it fits", async () => {
    const { toasts, printed } = await toldWith({
      version: "1.14.34",
      problems: Array.from({ length: 5 }, () => PROBLEM),
    });
    const line = ".gaia/config.jsonc:3:5 mod: unknown key.";
    expect(printed.toSorted()).toEqual([
      ["Configuration problems:", ...Array<string>(5).fill(line)].join("\n"),
      expect.stringMatching(/^OpenCode 1\.14\.34 is not supported/),
    ]);
    expect(toasts).toContain(
      ["Configuration problems:", line, line, line, "… and more in OpenCode's log."].join("\n"),
    );
  });

  it("names each agent of GAIA's that has another one's prompt, once", async () => {
    const { printed } = await toldWith({ prompts: { minerva: "another plugin's" } });
    expect(printed).toEqual([expect.stringMatching(/"minerva" has the prompt of another agent.* Rename/)]);
    expect((await toldWith({ prompts: { minerva: "ours" } })).printed).toEqual([]);
  });
});

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
