import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findGone } from "../../../src/memory/notices/drift.ts";

it("finds what was there once and is gone, and nothing else", async () => {
  const directory = await mkdtemp(join(tmpdir(), "gaia-drift-"));
  try {
    await mkdir(join(directory, "src"));
    await writeFile(join(directory, "src/here.ts"), "");
    const asked: string[] = [];
    const vcs = {
      async commitsAbout(subject: { path: string } | { text: string }) {
        const path = "path" in subject ? subject.path : "";
        asked.push(path);
        return path === "src/gone.ts" ? [{ id: "1", date: "", subject: "Was here", body: "" }] : [];
      },
    };
    const text = "`src/gone.ts` and src/here.ts, never src/new.ts; gone.ts, ../out/side.ts and /abs/olute.ts";
    const texts = [
      { where: "a", text },
      { where: "b", text: "see src/gone.ts." },
    ];
    expect(await findGone(texts, directory, vcs)).toEqual([
      { where: "a", path: "src/gone.ts" },
      { where: "b", path: "src/gone.ts" },
    ]);
    expect(asked).toEqual(["src/gone.ts", "src/new.ts"]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
