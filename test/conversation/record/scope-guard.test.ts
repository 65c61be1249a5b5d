import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalisePath } from "../../../src/plan/files.ts";
import { parsePlan } from "../../../src/plan/grammar.ts";
import { adviseScope } from "../../../src/conversation/record/reminders.ts";

const PLAN = `# Plan: rate limits
Use Node.js and/or Redis, e.g. https://example.org/docs/guide.html; the clock stands in src/clock.ts.

## Tasks
- [ ] 1. limiter
  - files: src/api/limit.ts, src/api/routes/*.ts
- [ ] 2. settings
  - files: config/{dev,prod}.yaml, deploy/
- [ ] 3. page
  - files: app/[id]/page.tsx, cmd/server.go
`;
function advisory(plan: string, file: string): string | null {
  const named = parsePlan(plan).tasks.flatMap(({ files = [] }) => files);
  return adviseScope(named, plan, normalisePath(file));
}

describe("the scope of a plan", () => {
  it.each([
    "src/api/limit.ts",
    "./src/api/limit.ts",
    "src\\api\\limit.ts",
    "src/api/routes/users.ts",
    "config/dev.yaml",
    "deploy/k8s/app.yaml",
    "app/[id]/page.tsx",
    "cmd/server.go",
    "lib/clock.ts",
    "test/api/limit.test.ts",
    "tests/test_limit.py",
    "cmd/server_test.go",
    "package-lock.json",
    ".gaia/rate-limits/log.md",
    "../elsewhere/file.ts",
  ])("is silent about %s", (file) => {
    expect(advisory(PLAN, file)).toBeNull();
  });

  it.each(["src/utils/random.ts", "config/test.yaml", "src/api/routes/deep/users.ts", "README.md"])(
    "points out %s",
    (file) => {
      expect(advisory(PLAN, file)).toContain(`does not name ${file}.`);
      expect(advisory(PLAN, file)).not.toContain("\n");
    },
  );

  it("takes any text for a plan and any text for a file", () => {
    const text = fc.string({ unit: fc.constantFrom(..."a `/.*{},[]()\n:-\\~".split("")), maxLength: 120 });
    fc.assert(
      fc.property(text, text, (plan, file) => {
        const line = advisory(plan, file);
        expect(line === null || line.startsWith("Scope: ")).toBe(true);
      }),
    );
  });
});
