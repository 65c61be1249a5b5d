import { describe, expect, it, vi } from "vitest";
import { commandEntries } from "../../src/commands/menu.ts";
import { COMMANDS, next } from "../../src/commands/registry.ts";
import { gaiaAb } from "../../src/commands/units.ts";
import { valuesOf } from "../../src/config/knobs.ts";
import type { Conversation } from "../../src/conversation/conversation.ts";
import type { Runtime } from "../../src/runtime.ts";
import { typed } from "../support/typed.ts";

describe("the family of commands", () => {
  it("is the one that SPEC 13 lists", () => {
    expect(COMMANDS.map(({ name }) => name)).toEqual(
      "autopilot supervised locked live checkpoint quiet pair standard next profile cadence review gaia-init gaia-init-deep gaia-status gaia-trust handoff talk back gaia-spec gaia-plan gaia-work gaia-ab gaia-check gaia-review gaia-findings gaia-unify gaia-pr gaia-why".split(
        " ",
      ),
    );
  });

  it.each([
    ["", { type: "next" }],
    [" but rename it ", { type: "user-message", text: "but rename it" }],
  ])("/next takes %j for what the user says", async (words, event) => {
    const dispatch = vi.fn<Conversation["dispatch"]>();
    const conversation = { state: { pause: null }, dispatch } as unknown as Conversation;
    await next(words, typed({ conversation, runtime: {} as Runtime }));
    expect(dispatch).toHaveBeenCalledExactlyOnceWith(event);
  });

  it.each([
    ["profile", valuesOf("profile")],
    ["cadence", valuesOf("checkinCadence")],
    ["review", valuesOf("reviewDepth")],
  ])("/%s lists the values that it takes", (name, values) => {
    const description = COMMANDS.find((command) => command.name === name)?.description;
    for (const value of values) expect(description).toContain(value);
  });

  it("/gaia-ab takes the next free slug for a second unit of the same title", async () => {
    const units = ["ab", "ab-2", "ab-tidy"].map((slug) => ({ slug }));
    const made: string[] = [];
    const workspace = {
      listWorkUnits: async () => ({ ok: true, units }),
      createWorkUnit: async ({ slug }: { slug: string }) => ({ ok: true, slug: made.push(slug) }),
    };
    const conversation = {
      state: { knobs: { mode: "supervised" } },
      parts: { planning: { end: () => undefined } },
      dispatch: () => undefined,
    } as unknown as Conversation;
    const agents = { specialists: new Map() };
    const runtime = { agents, config: { wavePolicy: { boundaryRule: "manual" } }, workspace };
    for (const title of ["整理する", "Tidy", "New"])
      await gaiaAb(
        `${title}\nagent: hephaestus\nverify: npm test`,
        typed({ conversation, runtime: runtime as unknown as Runtime }),
      );
    expect(made).toEqual(["ab-3", "ab-tidy-2", "ab-new"]);
  });

  it("leaves a command that OpenCode has itself out of the configuration", () => {
    expect(Object.keys(commandEntries(true))).not.toContain("review");
    expect(commandEntries(true)["locked"]?.template).toBe("/locked $ARGUMENTS");
  });
});
