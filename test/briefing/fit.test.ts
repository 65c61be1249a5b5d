import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fit } from "../../src/briefing/fit.ts";

const SPEC = readFileSync(join(import.meta.dirname, "fixtures/spec.md"), "utf8");
const MUST = ["Acceptance Criteria", "Out of scope"];
const told = (budget: number): string =>
  fit({ text: SPEC, where: ".gaia/limits/spec.md", budget, must: MUST, but: [""] });

describe("what of a text is told", () => {
  it("is all of it where it fits, without comments and what is left out on purpose", () => {
    const text = told(9_000);
    expect(text).toContain("## Data Model\nA table.");
    expect(text).not.toMatch(/Not shown|Why\.|Status/);
  });

  it("is what binds, with all below it, then whole sections; the others are named with where they stand", () => {
    expect(told(160)).toBe(
      `### Rates
Ten a minute.
### Login
- Given ten tries, when the next comes, then it is refused.
## Out Of Scope
- Billing.
Not shown here, read it there: Context, Data Model (.gaia/limits/spec.md)`,
    );
    expect(told(0)).toContain("- Given ten tries, when the next comes, then it is refused.");
    expect(told(0)).toContain("Context, Rates, Data Model");
  });

  it("ends with a whole line where there is no heading", () => {
    const text = fit({ text: "# Rules\nOne.\nTwo is longer.\nThree.", where: "GAIA.md", budget: 8 });
    expect(text).toBe("One.\nNot shown here, read it there: the rest (GAIA.md)");
  });

  it("takes the newest first where that is asked for, and keeps the order", () => {
    const text = "### One\nold\n\n### Two\nnewer\n\n### Three\nnewest";
    expect(fit({ text, where: "log.md", budget: 32, newestFirst: true })).toBe(
      "### Two\nnewer\n### Three\nnewest\nNot shown here, read it there: One (log.md)",
    );
  });

  it("holds whole lines of the text and nothing else, within its budget beside what binds", () => {
    const line = fc.stringMatching(/^[a-zé ]{1,30}$/).filter((each) => each.trim() === each && each !== "");
    const part = fc.tuple(fc.constantFrom("", "## Must", "## Other", "### Below"), fc.array(line));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.nat(200), (parts, budget) => {
        const text = parts.map(([head, lines]) => [head, ...lines].join("\n")).join("\n");
        const shown = fit({ text, where: "a.md", budget }).split("\n");
        const own = shown.at(-1)?.startsWith("Not shown") === true ? shown.slice(0, -1) : shown;
        const lines = new Set(["", ...text.split("\n")]);
        expect(own.filter((each) => !lines.has(each))).toEqual([]);
        expect(Buffer.byteLength(own.join(""))).toBeLessThanOrEqual(budget);
        const bound = fit({ text: `${text}\n## Must\nalways`, where: "a.md", budget, must: ["must"] });
        expect(bound).toContain("## Must\nalways");
      }),
    );
  });
});
