import { describe, expect, it } from "vitest";
import { chooseReference } from "../../../src/cli/init/plan.ts";

describe("how a project refers to this package", () => {
  it.each([
    ["a global installation", "/usr/lib/node_modules/opencode-gaia", "opencode-gaia", /^https:/],
    ["npx", "/home/me/.npm/_npx/1a/node_modules/opencode-gaia", "opencode-gaia", /^https:/],
    [
      "a clone",
      "/home/me/src/opencode-gaia",
      "/home/me/src/opencode-gaia",
      /^file:\/\/.*gaia\.schema\.json$/,
    ],
  ])("follows from where it runs: %s", async (_name, folder, spec, schema) => {
    const reference = await chooseReference(folder, "/project", "/project/.gaia");
    expect(reference.spec).toBe(spec);
    expect(reference.schema).toMatch(schema);
  });
});
