import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findNewFiles } from "../../src/plan/operations/decide-approval.ts";
import { renderPlanForApproval } from "../../src/plan/text.ts";
import { parsePlan } from "../../src/plan/grammar.ts";

it("files of open tasks that are not there yet are marked where the plan is shown, by what lies on the disk", async () => {
  const root = await mkdtemp(join(tmpdir(), "new-files-"));
  onTestFinished(async () => rm(root, { recursive: true }));
  await mkdir(join(root, "src"));
  await writeFile(join(root, "src/a.ts"), "");
  const plan_md =
    "# T\n\n## Tasks\n\n- [ ] 1. Write\n  - files: src/a.ts, src/b.ts, lib/*.ts\n- [x] 2. Done\n  - files: gone.ts\n";
  const { title, tasks } = parsePlan(plan_md);
  const fresh = await findNewFiles(tasks, [join(root, "elsewhere"), root]);
  expect([...fresh]).toEqual(["src/b.ts"]);
  const shown = renderPlanForApproval({ slug: "t", title, tasks, plan_md }, [], fresh);
  expect(shown).toContain("- 1. Write (src/a.ts, src/b.ts (new), lib/*.ts)");
});
