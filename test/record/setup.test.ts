import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/logger.ts";
import type { Knowledge } from "../../src/record/knowledge.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { acceptLearnings, openEntries } from "../support/entries.ts";

let directory: string;
let workspace: Workspace;
let knowledge: Knowledge;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "setup-"));
  knowledge = openEntries(directory);
  workspace = createWorkspace({ directory, clock: createFakeClock(0), logger: silentLogger, knowledge });
});
afterEach(async () => rm(directory, { recursive: true, force: true }));
const read = async (path: string): Promise<string> => readFile(join(directory, ".gaia", path), "utf8");

describe("promotions", () => {
  const promoted = async (...texts: readonly string[]): Promise<(readonly [string, string])[]> => {
    await acceptLearnings(knowledge, ...texts);
    const found = await workspace.promotions();
    return found.ok ? found.promotions.map(({ learning, heading }) => [learning.body, heading] as const) : [];
  };

  it("are the newest ones, asked about once, and stand under a heading that is made where it is missing", async () => {
    const many = Array.from({ length: 7 }, (_, at) => `constraint: rule ${at} of these`);
    const mine = "# GAIA Init\n\nMine.\n\n## Non-Negotiables\n\n## VCS Notes\n\n- jj\n";
    await workspace.createGaiaInit();
    await writeFile(join(directory, ".gaia/gaia-init.md"), mine);
    expect((await promoted(...many, "decision: one file per tool")).map(([text]) => text)).toEqual([
      "one file per tool",
      ...[6, 5, 4, 3].map((at) => `rule ${at} of these`),
    ]);
    const found = await workspace.promotions();
    const [file, six, ...declined] = found.ok ? found.promotions : [];
    if (file === undefined || six === undefined) throw new Error("two were expected");
    await workspace.settlePromotions({ accepted: [file, six], declined });
    expect(await read("gaia-init.md")).toBe(
      "# GAIA Init\n\nMine.\n\n## Non-Negotiables\n\n- rule 6 of these\n\n## VCS Notes\n\n- jj\n\n## Architecture Anchors\n\n- one file per tool\n",
    );
    expect((await promoted()).map(([text]) => text)).toEqual([2, 1, 0].map((at) => `rule ${at} of these`));
  });
});
