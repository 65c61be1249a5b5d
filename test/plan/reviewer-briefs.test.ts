import { rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  DIFF_BUDGET,
  LIST_BUDGET,
  type DiffDepth,
  createReviewerBriefs,
} from "../../src/plan/review/brief.ts";
import { systemClock } from "../../src/lib/async.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import { isSensitivePath } from "../../src/policy/sensitive-path.ts";
import { openVcs } from "../../src/snapshot/vcs.ts";
import { writeFiles } from "../checks/project.ts";
import { git, openRepository } from "../support/directory.ts";

const KEY = "sk-ant-REDACTED";

async function briefOf(directory: string, depth: DiffDepth = "diff", worktree = directory) {
  const redact = createRedactor({});
  const project = { directory, clock: systemClock };
  const vcs = openVcs(worktree, project.directory);
  return createReviewerBriefs({ vcs, isSensitive: isSensitivePath, redact }).current(depth);
}

it("the current changes for a reviewer hold staged, unstaged and new files, with unusual names as they are", async () => {
  const directory = await openRepository({ "a.txt": "one\n", "b.txt": "two\n" });
  await writeFiles(directory, { "a.txt": "ONE\n", "b.txt": "TWO\n", "späße.txt": "three\nfour" });
  await git(directory, "add", "b.txt");
  const markdown = (await briefOf(directory)) ?? "";
  for (const line of ["-one", "+ONE", "+TWO", "+three\n+four", "- späße.txt (added, +2 −0)"]) {
    expect(markdown).toContain(line);
  }
});

const DEPTHS = ["inline", "diff", "risk", "deep_repo"] as const;

it("the current changes for a reviewer show no secret, whatever the depth", async () => {
  const directory = await openRepository({ ".env": `KEY=${KEY}\n`, "a.ts": "one\n", "key.pem": "old\n" });
  await rename(join(directory, ".env"), join(directory, ".env.local"));
  await writeFiles(directory, {
    "a.ts": `const text = "${"x".repeat(370)}"; const apiKey = "${KEY}";\n`,
    "key.pem": "the-new-private-key\n",
    id_rsa: "the-new-identity\n",
  });
  await symlink(join(directory, "key.pem"), join(directory, "link.txt"));
  for (const depth of DEPTHS) {
    const markdown = (await briefOf(directory, depth)) ?? "";
    expect(markdown, depth).toContain("- key.pem (modified, +1 −1)");
    expect(markdown, depth).toContain("- id_rsa (added, +1 −0)");
    for (const secret of [KEY, KEY.slice(0, 20), "the-new"]) expect(markdown, depth).not.toContain(secret);
  }
});

it("the current changes for a reviewer are bounded at every depth", async () => {
  const long = Array.from({ length: 800 }, (_, at) => `export const name${at} = "auth password ${at}";`);
  const files = Array.from({ length: 150 }, (_, at) => [
    `src/auth/${"deep/".repeat(20)}file${at}.ts`,
    long.slice(0, at < 3 ? 800 : 2).join("\n"),
  ]);
  const directory = await openRepository({ "a.txt": "one\n" });
  await writeFiles(directory, Object.fromEntries(files) as Record<string, string>);
  for (const depth of DEPTHS) {
    const brief = await briefOf(directory, depth);
    expect(brief?.length, depth).toBeLessThanOrEqual(DIFF_BUDGET[depth] + LIST_BUDGET);
    expect(brief, depth).toMatch(/- and \d+ more/);
  }
});
