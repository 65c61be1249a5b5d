import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { readObjectSchema } from "../../src/agents/custom/json-schema.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { defineContract } from "../../src/contracts/contract.ts";
import { renderJsonSchema } from "../../src/contracts/json-schema.ts";
import { describe as described } from "../../src/lib/schema.ts";
import { listTools } from "../../src/tools/registry.ts";
import { compose } from "../support/composition.ts";

const { runtime } = await compose();
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** As zod itself renders it, which knows every kind of schema. */
const byZod = (schema: z.core.$ZodType): object => z.toJSONSchema(schema, { io: "input" });
const byUs = (schema: z.core.$ZodType): object => ({ $schema: DIALECT, ...renderJsonSchema(schema) });

const field: fc.Arbitrary<object> = fc.letrec<{ field: object }>((tie) => ({
  field: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom({ type: "string" }, { type: "number" }, { type: "integer" }, { type: "boolean" }),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
    tie("field").map((items) => ({ type: "array", items })),
    fc
      .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("field"), { maxKeys: 4 })
      .map((properties) => ({ type: "object", properties, required: Object.keys(properties).slice(1) })),
  ),
})).field;

describe("the JSON Schema", () => {
  it.each(SPECIALISTS)("of $name's contract is zod's own, to the byte", ({ contract }) => {
    if (contract === null) return;
    expect(JSON.stringify(byUs(contract.asked))).toBe(JSON.stringify(byZod(contract.asked)));
  });

  it.each(listTools(runtime))("of what $name takes is zod's own", ({ args }) => {
    const schema = z.object(args);
    expect(byUs(schema)).toEqual(byZod(schema));
    expect(JSON.stringify(byUs(schema))).toHaveLength(JSON.stringify(byZod(schema)).length);
  });

  it("of any custom contract is zod's own", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), field), (properties) => {
        const read = readObjectSchema({ type: "object", properties });
        if (!read.ok) throw new Error(read.problem);
        const { asked } = defineContract({ assumes: true, reviews: "optional" }, () => read.schema.shape);
        expect(JSON.stringify(byUs(asked))).toBe(JSON.stringify(byZod(asked)));
      }),
    );
  });

  it("says the description that stands outermost, and is not made of what it does not know", () => {
    const twice = described(z.optional(described(z.string(), "inner")), "outer");
    expect(byUs(twice)).toEqual(byZod(twice));
    expect(() => renderJsonSchema(z.object({ a: z.union([z.string(), z.number()]) }))).toThrow('"union"');
  });
});
