import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../../src/lib/clock.ts";
import { findGone } from "../../../src/memory/notices/drift.ts";
import { createGit } from "../../../src/vcs/git.ts";
import { git } from "../../support/directory.ts";

it("finds what was there once and is gone, whatever else is named, and nothing else", async () => {
  const top = await mkdtemp(join(tmpdir(), "gaia-drift-"));
  const directory = join(top, "app");
  try {
    await mkdir(join(directory, "src"), { recursive: true });
    for (const name of ["here", "gone", "größe", "moved"])
      await writeFile(join(directory, `src/${name}.ts`), name);
    await git(top, "init", "-q");
    await git(top, "add", "-A");
    await git(top, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "Begin");
    await git(directory, "rm", "-q", "src/gone.ts", "src/größe.ts");
    await git(directory, "mv", "src/moved.ts", "src/there.ts");
    await git(top, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "Remove");
    const never = Array.from({ length: 50 }, (_, at) => `src/new-${at}.ts`).join(", ");
    const texts = [
      { where: "a", text: `${never}; gone.ts, ../out/side.ts and /abs/olute.ts` },
      { where: "b", text: "`src/gone.ts` and src/here.ts, never src/größe.ts" },
      { where: "c", text: "see src/moved.ts." },
    ];
    expect(await findGone(texts, directory, createGit(directory, systemClock))).toEqual([
      { where: "b", path: "src/gone.ts" },
      { where: "b", path: "src/größe.ts" },
      { where: "c", path: "src/moved.ts" },
    ]);
  } finally {
    await rm(top, { recursive: true, force: true });
  }
});
