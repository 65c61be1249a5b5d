import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { runGit } from "./git-command.ts";

const MAX_BYTES = 1_000_000;

/** The diff between two texts of one file, as git writes it; "" where they are equal or nothing can be told. Never throws. */
export async function diffTexts(path: string, before: Buffer, after: Buffer, clock: Clock): Promise<string> {
  // Only the user may read it, as the files themselves may be theirs alone.
  const folder = await mkdtemp(join(tmpdir(), "gaia-diff-")).catch(() => null);
  if (folder === null) return "";
  try {
    await writeFile(join(folder, "a"), before);
    await writeFile(join(folder, "b"), after);
    const args = ["diff", "--no-index", "--no-ext-diff", "--no-textconv", "--no-color", "--", "a", "b"];
    const { text } = await runGit({ directory: folder, clock }, args, MAX_BYTES);
    const start = text.indexOf("\n@@ ");
    return start === -1
      ? ""
      : `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}${text.slice(start)}`;
  } catch {
    return ""; // A full disk, for one: the reviewer then reads the file.
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
