import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished } from "vitest";

/** The sources in a folder of their own, until the test ends, and how one of them is changed. */
export async function copySources() {
  const root = await mkdtemp(join(tmpdir(), "gaia-additions-"));
  onTestFinished(async () => rm(root, { recursive: true, force: true }));
  await cp("src", join(root, "src"), { recursive: true });
  await cp("templates", join(root, "templates"), { recursive: true });
  await cp("package.json", join(root, "package.json"));
  await symlink(resolve("node_modules"), join(root, "node_modules"));
  return {
    root,
    read: async (path: string) => readFile(join(root, path), "utf8"),
    async write(path: string, text: string) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    /** Puts lines in front of others that stand there once. */
    async add(path: string, ...lines: readonly (readonly [before: string, line: string])[]) {
      let text = await readFile(join(root, path), "utf8");
      for (const [before, line] of lines) {
        expect(text.split(before)).toHaveLength(2);
        text = text.replace(before, () => `${line}${before}`);
      }
      await writeFile(join(root, path), text);
    },
    load: async (path: string) => (await import(/* @vite-ignore */ join(root, path))) as never,
  };
}
