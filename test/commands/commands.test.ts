import { describe, expect, it } from "vitest";
import { COMMANDS, commandEntries } from "../../src/commands/registry.ts";
import { KNOB_VALUES } from "../../src/conversation/collaboration/knobs.ts";

describe("the family of commands", () => {
  it("is the one that SPEC 13 lists", () => {
    expect(COMMANDS.map(({ name }) => name)).toEqual(
      "autopilot supervised locked live checkpoint quiet pair standard next profile cadence review gaia-init gaia-status handoff gaia-spec gaia-plan gaia-work gaia-check gaia-review gaia-unify".split(
        " ",
      ),
    );
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    "/%s says whose it is and what it does, on one line of the menu",
    (name, { description }) => {
      expect(name).toMatch(/^[a-z][a-z-]*$/);
      expect(description).toMatch(/^GAIA: \S/);
      expect(description.length).toBeLessThanOrEqual(100);
    },
  );

  it.each([
    ["profile", KNOB_VALUES.profile],
    ["cadence", KNOB_VALUES.checkinCadence],
    ["review", KNOB_VALUES.reviewDepth],
  ])("/%s lists the values that it takes", (name, values) => {
    const description = COMMANDS.find((command) => command.name === name)?.description;
    for (const value of values) expect(description).toContain(value);
  });

  it("leaves a command that OpenCode has itself out of the configuration", () => {
    expect(Object.keys(commandEntries())).not.toContain("review");
    expect(commandEntries()["locked"]?.template).toBe("/locked $ARGUMENTS");
  });
});
