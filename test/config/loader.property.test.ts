import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderConfigJsonSchema } from "../../src/config/json-schema.ts";
import type { JsonObject } from "../../src/config/json-value.ts";
import { createConfigSchema } from "../../src/config/schema.ts";
import { arbitraryOf } from "../trust/config-arbitrary.ts";
import { AGENTS, openConfigFiles } from "./config-files.ts";

const schema = createConfigSchema(AGENTS);

const config = arbitraryOf(renderConfigJsonSchema(AGENTS)) as fc.Arbitrary<JsonObject>;

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
        const lines = Object.entries(value)
          .map(([key, part]) => `${JSON.stringify(key)}: ${JSON.stringify(part)},`)
          .filter((each) => each.split(":")[0] !== line.split(":")[0]);
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
