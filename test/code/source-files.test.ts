import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { entryFor, type ServerEntry } from "../../src/extras/language-servers/servers.ts";
import { createSourceFiles } from "../../src/extras/language-servers/source-files.ts";

async function open(ending: string, files: Record<string, string>) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-sources-")));
  onTestFinished(async () => rm(root, { recursive: true }));
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const sources = createSourceFiles(root, entryFor(`x.${ending}`) as ServerEntry);
  await sources.look();
  return {
    write,
    look: async () => {
      const { around, ...rest } = await sources.look();
      const short = (paths: readonly string[]): string[] => paths.map((path) => path.slice(root.length + 1));
      return { around: short(around), files: Object.values(rest).flatMap(short) };
    },
    importersOf: async (name: string) =>
      (await sources.importersOf([join(root, name)], 9)).map((path) => path.slice(root.length + 1)),
  };
}

it("where a folder is a module, its files and those that import it take something from each of them", async () => {
  const { importersOf } = await open("go", {
    "go.mod": "module x\n",
    "bill/total.go": "package bill\n",
    "bill/tax.go": "package bill\n",
    "main.go": 'package main\n\nimport (\n\t"fmt"\n\t"x/bill"\n)\n',
    "other/other.go": 'package other\n\nimport "fmt"\n',
  });
  expect((await importersOf("bill/total.go")).toSorted()).toEqual(["bill/tax.go", "main.go"]);
  expect(await importersOf("other/other.go")).toEqual([]);
});

it("a file that declares what is called like another one takes nothing from it; one that passes it on does", async () => {
  const script = await open("ts", {
    "total.ts": "export const sum = 1;\n",
    "other.ts": "export const total = 2;\n",
    "index.ts": "export {\n  sum,\n} from './total';\n",
  });
  expect(await script.importersOf("total.ts")).toEqual(["index.ts"]);
  const dart = await open("dart", { "total.dart": "int sum = 1;\n", "all.dart": "export 'total.dart';\n" });
  expect(await dart.importersOf("total.dart")).toEqual(["all.dart"]);
});

it.each([
  "node_modules/.package-lock.json",
  "packages/a/node_modules/.modules.yaml",
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "tsconfig.base.json",
  "dist/index.d.ts",
])("%s is beside the files, and is seen to change", async (name) => {
  const { write, look } = await open("ts", { "a.ts": "", "packages/a/b.ts": "", "readme.md": "" });
  await write("readme.md", "other\n");
  expect(await look()).toEqual({ around: [], files: [] });
  await write(name, "{}");
  expect((await look()).around).not.toEqual([]);
  expect(await look()).toEqual({ around: [], files: [] });
});

it("a virtual environment in which something was installed is another one", async () => {
  const { write, look } = await open("py", { "a.py": "", ".venv/lib/python3.12/site-packages/one/x.py": "" });
  await write(".venv/lib/python3.12/site-packages/two/x.py", "");
  expect((await look()).around).toEqual([".venv/lib/python3.12/site-packages"]);
});
