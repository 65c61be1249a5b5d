import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import { createConfigSchema, type ConfigSchema } from "../../src/config/schema.ts";
import { AGENTS, openConfigFiles } from "./config-files.ts";

const schema = createConfigSchema(AGENTS);

const action = fc.constantFrom("allow" as const, "ask" as const, "deny" as const);
const model = fc.constantFrom("inherit" as const, "a/b" as const, "open/router/x" as const);
const word = fc.stringMatching(/^[a-z*/ ]{1,8}$/);

const override = fc.record(
  {
    model,
    fallback: fc.array(fc.constantFrom("a/b" as const, "c/d" as const), { maxLength: 3 }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    thinking: fc.record({
      type: fc.constant("enabled" as const),
      budgetTokens: fc.integer({ min: 1, max: 9_999 }),
    }),
    prompt_append: fc.string(),
    permission: fc.dictionary(word, fc.oneof(action, fc.dictionary(word, action, { maxKeys: 3 })), {
      maxKeys: 3,
    }),
  },
  { requiredKeys: [] },
);

const config: fc.Arbitrary<z.input<ConfigSchema>> = fc.record(
  {
    preset: fc.constantFrom("budget", "balanced", "premium", "local"),
    mode: fc.constantFrom("supervised", "autopilot", "locked"),
    specialistTools: fc.array(word, { maxLength: 3 }),
    skills: fc.array(fc.record({ files: word, skill: word }), { maxLength: 2 }),
    startup: fc.record({ askAtTaskStart: fc.boolean(), rampWarmupBatches: fc.integer({ min: 1, max: 9 }) }),
    definitionOfDone: fc.record({
      checks: fc.array(fc.record({ id: word, command: word }), { maxLength: 2 }),
    }),
    delegation: fc.record({
      maxConcurrent: fc.record({
        perModel: fc.dictionary(word, fc.integer({ min: 1, max: 9 }), { maxKeys: 2 }),
      }),
    }),
    agents: fc.dictionary(fc.constantFrom(...AGENTS), override, { maxKeys: 3 }),
  },
  { requiredKeys: [] },
);

/** What people do to a file: lines that must cost nothing but themselves. */
const mistake = fc.constantFrom(
  '"wolf": 1,',
  '"interaction": "pear",',
  '"reviewDepth": ["risk"],',
  '"reviewDepth": ["risk", "deep_repo"],',
  '"guards": { "continuation": 1, "wolf": {} },',
  '"agent": { "gaia": null },',
  '"__proto__": { "mode": "locked" },',
);

const runs = { numRuns: 50 };

describe("loading", () => {
  it("never throws, and gives a valid configuration, whatever bytes the file holds", async () => {
    const files = await openConfigFiles();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => Buffer.from(text)),
      fc.tuple(config, fc.nat(), fc.nat(20), fc.uint8Array({ maxLength: 5 })).map(([value, at, cut, put]) => {
        const text = Buffer.from(JSON.stringify(value, null, 1));
        const start = at % (text.length + 1);
        return Buffer.concat([text.subarray(0, start), put, text.subarray(start + cut)]);
      }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.anything(), async (project, options) => {
        const loaded = await files.load({ project, options });
        expect(schema.safeParse(loaded.config).success).toBe(true);
      }),
      runs,
    );
  });

  it("keeps every valid key beside a mistake, and reports the mistake", async () => {
    const files = await openConfigFiles();
    await fc.assert(
      fc.asyncProperty(config, mistake, fc.nat(), async (value, line, at) => {
        const lines = Object.entries(value).map(
          ([key, part]) => `${JSON.stringify(key)}: ${JSON.stringify(part)},`,
        );
        const clean = await files.load({ project: `{\n${lines.join("\n")}\n}` });
        const broken = lines.toSpliced(at % (lines.length + 1), 0, line);
        const loaded = await files.load({ project: `{\n${broken.join("\n")}\n}` });
        expect(clean.problems).toEqual([]);
        expect(loaded.problems.length).toBeGreaterThan(0);
        expect(loaded.config).toEqual(clean.config);
      }),
      runs,
    );
  });

  it("merges any valid sources without a problem, the strongest source's values on top", async () => {
    const files = await openConfigFiles();
    await fc.assert(
      fc.asyncProperty(config, config, config, async (user, project, options) => {
        const loaded = await files.load({
          user: JSON.stringify(user),
          project: JSON.stringify(project),
          options,
        });
        expect(loaded.problems).toEqual([]);
        expect(loaded.config).toMatchObject(options);
        expect(schema.parse(loaded.config)).toEqual(loaded.config);
      }),
      runs,
    );
  });
});
