import { describe, expect, it, vi } from "vitest";
import { COMMANDS, next } from "../../src/commands/registry.ts";
import { readAsked } from "../../src/commands/reviews.ts";
import { gaiaAb } from "../../src/commands/units.ts";
import { valuesOf } from "../../src/config/knobs.ts";
import type { Conversation } from "../../src/conversation/conversation.ts";
import type { Runtime } from "../../src/runtime.ts";
import { readCases } from "../support/cases.ts";
import { typed } from "../support/typed.ts";

describe("the family of commands", () => {
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
});

it.each(readCases<[string, boolean, string | null, string]>("commands/reviews.asked"))(
  "/gaia-review is asked for what %j says",
  (typedText, isOfBranch, base, focus) => {
    expect(readAsked(typedText)).toEqual({ isOfBranch, base, focus });
  },
);
