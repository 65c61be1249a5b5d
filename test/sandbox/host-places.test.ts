import { expect, it } from "vitest";
import { hostPlaces } from "../../src/sandbox/project-places.ts";

it("are where OpenCode's programs and settings come from, below the top", () => {
  const at = (env: NodeJS.ProcessEnv, directory = "/r") => hostPlaces(env, { worktree: "/r", directory });
  expect(at({ PATH: "/usr/bin:/r/node_modules/.bin" })).toEqual(["node_modules/.bin"]);
  expect(at({ OPENCODE_CONFIG: "/r/dev/opencode.json", OPENCODE_CONFIG_DIR: "/home/alice/oc" })).toEqual([
    "dev/opencode.json",
  ]);
  const settings = at({}, "/r/packages/a");
  expect(settings).toEqual(
    expect.arrayContaining(["packages/.opencode", "packages/a/.opencode", "packages/a/opencode.json"]),
  );
  expect(settings).not.toContain(".opencode");
});
