import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import { areUsersOptions } from "../../src/trust/options-origin.ts";
import { writeIn, openFolder } from "../support/directory.ts";

const OPTIONS = { mode: "autopilot", agents: { minerva: { steps: 9 } } };
const CONFIG = `{
  // mine
  "plugin": ["other", ["opencode-gaia", { "agents": { "minerva": { "steps": 9 } }, "mode": "autopilot" }],],
}`;

let home: string;
beforeEach(async () => {
  home = await openFolder();
});
const put = async (path: string, text = CONFIG): Promise<string> => writeIn(home, path, text);
const are = async (environment: NodeJS.ProcessEnv = {}, options: unknown = OPTIONS): Promise<boolean> =>
  areUsersOptions(options, systemClock, environment, home);

describe("plugin options are the user's", () => {
  it.each([".config/opencode/opencode.jsonc", ".config/opencode/config.json", ".opencode/opencode.json"])(
    "in ~/%s",
    async (path) => {
      await put(path);
      expect(await are()).toBe(true);
      expect(await are({}, { ...OPTIONS, preset: "local" })).toBe(false);
    },
  );

  it("where the environment says that they are", async () => {
    await put("x/opencode/opencode.json");
    expect(await are({ XDG_CONFIG_HOME: join(home, "x") })).toBe(true);
    expect(await are({ OPENCODE_CONFIG: await put("mine.json") })).toBe(true);
    expect(await are({ OPENCODE_CONFIG_DIR: dirname(await put("d/opencode.json")) })).toBe(true);
    expect(await are({ OPENCODE_CONFIG_CONTENT: CONFIG })).toBe(true);
  });

  it("nowhere else, and not where nothing can be read", async () => {
    await put("project/opencode.json");
    expect(await are()).toBe(false);
    expect(await are({ OPENCODE_CONFIG: "opencode.json" })).toBe(false);
    await put(".config/opencode/opencode.json", "{ plugin: [[");
    expect(await are()).toBe(false);
  });
});
