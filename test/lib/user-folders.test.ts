import { describe, expect, it } from "vitest";
import { openCodeConfigFolder, ownDataFolder } from "../../src/lib/user-folders.ts";
import { isProtectedPath } from "../../src/policy/protected-path.ts";
import { userFolders } from "../../src/policy/policy.ts";

describe("the user's folders", () => {
  it.each([
    [{ XDG_DATA_HOME: "/data", XDG_CONFIG_HOME: "/conf" }, "/data/opencode-gaia", "/conf/opencode"],
    [{}, "/home/me/.local/share/opencode-gaia", "/home/me/.config/opencode"],
    // These would lie in whatever project is open, whose files are not the user's.
    [
      { XDG_DATA_HOME: ".data", XDG_CONFIG_HOME: "conf" },
      "/home/me/.local/share/opencode-gaia",
      "/home/me/.config/opencode",
    ],
    [
      { XDG_DATA_HOME: "", XDG_CONFIG_HOME: "" },
      "/home/me/.local/share/opencode-gaia",
      "/home/me/.config/opencode",
    ],
  ])("with %j, and only a person changes them", (environment, data, config) => {
    expect(ownDataFolder(environment, "/home/me")).toBe(data);
    expect(openCodeConfigFolder(environment, "/home/me")).toBe(config);
    const folders = userFolders(environment, "/home/me");
    for (const folder of [data, config]) expect(isProtectedPath(`${folder}/a.json`, folders)).toBe(true);
  });
});
