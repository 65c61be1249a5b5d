import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseReference } from "../../../src/cli/init/plan.ts";
import { openPlace, type Place } from "../place.ts";

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});

/** A package in a `node_modules`, with npm's record of where it came from. */
async function install(at: string, resolved?: string): Promise<string> {
  const lock = { packages: { "node_modules/opencode-gaia": { version: "0.1.0", resolved } } };
  await place.put(`${at}/node_modules/opencode-gaia/package.json`, "{}");
  if (resolved !== undefined) await place.put(`${at}/node_modules/.package-lock.json`, JSON.stringify(lock));
  return join(place.root, at, "node_modules/opencode-gaia");
}

const refer = async (folder: string, directory = "project"): ReturnType<typeof chooseReference> =>
  chooseReference(folder, join(place.root, directory), join(place.root, directory, ".gaia"));

describe("how a project refers to this package", () => {
  it.each(["npx", "lib"])("is by name where npm took it from a registry: %s", async (at) => {
    const folder = await install(at, "https://registry.npmjs.org/opencode-gaia/-/opencode-gaia-0.1.0.tgz");
    const { spec, schema } = await refer(folder);
    expect(spec).toBe("opencode-gaia");
    expect(schema).toMatch(/^https:/);
  });

  it.each([["file:../opencode-gaia-0.1.0.tgz"], [undefined]])(
    "is by the place that it runs from where a name would lead nowhere: %s",
    async (resolved) => {
      const folder = await install("npx", resolved);
      const { spec, schema } = await refer(folder);
      expect(spec).toBe(folder);
      expect(schema).toMatch(/^file:\/\/.*gaia\.schema\.json$/);
    },
  );

  it("is by its folder in a clone", async () => {
    const clone = join(place.root, "opencode-gaia");
    expect((await refer(clone)).spec).toBe(clone);
  });

  it.each([
    ["project", "./node_modules/opencode-gaia"],
    ["project/packages/a", "../../node_modules/opencode-gaia"],
  ])("is by a relative path where the project or one above has installed it: %s", async (directory, spec) => {
    const folder = await install("project", "https://registry.npmjs.org/opencode-gaia.tgz");
    expect(await refer(folder, directory)).toMatchObject({
      spec,
      reason: expect.stringContaining("installed"),
    });
  });
});
