import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { check } from "../../../src/cli/check.ts";
import { trust } from "../../../src/cli/trust.ts";
import { readCases } from "../../support/cases.ts";
import { openPlace, type Place } from "../place.ts";

async function open(checks: readonly object[], isTrusted = true): Promise<Place> {
  const config = JSON.stringify({ definitionOfDone: { checks } });
  const place = await openPlace({ "project/.gaia/config.jsonc": config });
  if (isTrusted) await place.run(trust, "grant --all");
  return place;
}

describe("opencode-gaia check", () => {
  it.each<[string, object[], string, number, RegExp]>([
    ["0 when all of it passes", [{ id: "a", command: "true" }], "", 0, /passed: 1 of 1 checks passed/],
    [
      "1 when something fails, and shows what",
      [
        { id: "good", command: "true" },
        { id: "bad", command: "echo the cause; exit 3" },
      ],
      "",
      1,
      /- bad: failed \(exit code 3\), .* \(`echo the cause; exit 3`\)\n\n {4}the cause\n.*NOT passed: 1 of 2/su,
    ],
    [
      "what the checks of a scope say",
      [
        { id: "code", command: "false" },
        { id: "links", command: "true", scope: "doc" },
      ],
      "--scope doc",
      0,
      /1 of 1/,
    ],
    ["1 for a command that no mode allows", [{ id: "a", command: "sudo true" }], "", 1, /is dangerous/],
  ])("ends with %s", async (_what, checks, args, code, text) => {
    expect(await (await open(checks)).run(check, args)).toEqual([code, expect.stringMatching(text)]);
  });

  it("ends with 2, and runs nothing, before the user has said yes", async () => {
    const place = await open([{ id: "a", command: "touch was-run" }], false);
    expect(await place.run(check, "")).toEqual([2, expect.stringContaining("Nothing was checked.")]);
    expect(await readdir(place.project)).not.toContain("was-run");
  });

  it.each(readCases<[string, string, string]>("cli/check/check.mistakes"))(
    "ends with 2, and the place, for %s",
    async (_name, text, problem) => {
      const place = await openPlace({ "project/.gaia/config.jsonc": text });
      expect(await place.run(check, "")).toEqual([
        2,
        expect.stringContaining(`.gaia/config.jsonc${problem}`),
      ]);
    },
  );

  it.each(['{ "mod": "locked" }', '{ "agents": { "ghost": { "prompt": "x" } } }'])(
    "lets a mistake pass that cannot be about it: %s",
    async (text) => {
      const place = await openPlace({ "project/.gaia/config.jsonc": text });
      expect((await place.run(check, ""))[0]).toBe(0);
    },
  );

  it("ends with 0 where there is nothing to check, and says so", async () => {
    const place = await openPlace();
    expect(await place.run(check, "")).toEqual([0, expect.stringContaining("No Definition of Done")]);
  });
});
