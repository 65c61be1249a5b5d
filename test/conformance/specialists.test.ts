import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import { GAIA } from "../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { ROLES } from "../../src/config/roles.ts";
import { recordOf } from "../../src/lib/json.ts";
import { TOOL_NAMES } from "../../src/tools/announced.ts";
import { compose } from "../support/composition.ts";
import { sampleOf } from "../support/sample.ts";

const MAX_PROMPT = 2_500;
/** What no specialist may use: who talks to the user and who delegates is GAIA's. */
const NOT_THEIRS = ["task", "question", "todowrite", "delegate_gaia", "collect_results"];
/** What each has, beside what its access grants. */
const EVERYONES = "* bash read grep glob skill external_directory edit webfetch invalid doom_loop".split(" ");

const { runtime } = await compose();

describe.each(SPECIALISTS)(
  "the specialist $name",
  ({ name, role, access, contract, prompt, description }) => {
    const entry = runtime.agents.entries[name];
    const permission = entry?.permission ?? {};

    it("fits its prompt and contract into 2,500 characters", () =>
      expect(prompt.length + (contract?.shape.length ?? 0)).toBeLessThanOrEqual(MAX_PROMPT));

    it("says what it must and must not do, and in one line when to call it", () => {
      expect(prompt).toMatch(/^MUST$/m);
      expect(prompt).toMatch(/^MUST NOT$/m);
      expect(description).toMatch(/^\S.{20,200}\.$/);
    });

    it("has a role, and stands in GAIA's roster under its name", () => {
      expect(ROLES).toContain(role);
      expect(runtime.agents.roleOf(name)).toBe(role);
      expect(SPECIALISTS.filter((each) => each.name === name)).toHaveLength(1);
      expect(runtime.agents.entries[GAIA]?.prompt).toContain(`- ${name}: ${description}`);
    });

    it("takes answers of its contract, and no others", () => {
      if (contract === null) return;
      for (const optional of [false, true]) {
        const sample = recordOf(sampleOf(z.toJSONSchema(contract.asked, { io: "input" }), "x", optional));
        // What it lists of checks speaks against an approval.
        const example = "outcome" in sample ? { ...sample, outcome: { verdict: "REJECT" } } : sample;
        expect(contract.done.safeParse(example).error).toBeUndefined();
        for (const key of Object.keys(recordOf(sample["data"]))) {
          const garbage = { ...example, data: { ...recordOf(sample["data"]), [key]: () => "code" } };
          expect(contract.done.safeParse(garbage).success, key).toBe(false);
        }
      }
      for (const garbage of [null, "done", [], {}, { ok: true }, { ok: "yes", data: {}, errors: [] }]) {
        expect(contract.done.safeParse(garbage).success).toBe(false);
      }
    });

    it("is denied everything but what its access grants", () => {
      expect(Object.keys(permission)[0]).toBe("*");
      expect(permission["*"]).toBe("deny");
      expect(Object.keys(permission).toSorted()).toEqual([...EVERYONES, ...(access.tools ?? [])].toSorted());
      for (const tool of NOT_THEIRS) expect(permission).not.toHaveProperty(tool);
      for (const tool of access.tools ?? []) expect(TOOL_NAMES).toContain(tool);
    });

    it("edits only as its role does, and is asked for each command", () => {
      const edits = role === "implementer" || role === "tester";
      expect(access.edit === "ask").toBe(edits);
      expect(access.edit === "record").toBe(role === "historian");
      expect(runtime.agents.specialists.get(name)?.mutates).toBe(edits);
      expect(runtime.agents.readers.has(name)).toBe(!edits);
      expect(permission["bash"]).toBe("ask");
      if (edits) expect(permission["edit"]).toBe("ask");
      else if (role === "historian") expect(permission["edit"]).toMatchObject({ "*": "deny" });
      else expect(permission["edit"]).toBe("deny");
    });

    it("has a bound on its steps and a chain of models", () => {
      expect(entry).toMatchObject({ mode: "subagent", steps: access.edit === "ask" ? 80 : 40 });
      expect(runtime.agents.specialists.get(name)?.models.length).toBeGreaterThanOrEqual(2);
    });
  },
);
