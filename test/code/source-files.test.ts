import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { endingOf } from "../../src/extras/language-servers/known-servers.ts";
import { createSourceFiles } from "../../src/extras/language-servers/source-files.ts";

async function open(ending: string, files: Record<string, string>) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-sources-")));
  onTestFinished(async () => rm(root, { recursive: true }));
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const sources = createSourceFiles(root, (name) => endingOf(name) === ending);
  await sources.look();
  const short = (path: string): string => path.slice(root.length + 1);
  return {
    write,
    look: async () =>
      Object.values(await sources.look())
        .flat()
        .map(short),
    usersOf: async (name: string) => (await sources.usersOf([join(root, name)], 9)).map(short),
  };
}

it("where a folder is a module, its files and those that import it use each of them", async () => {
  const { usersOf } = await open("go", {
    "go.mod": "module x\n",
    "bill/total.go": "package bill\n",
    "bill/tax.go": "package bill\n",
    "main.go": 'package main\n\nimport (\n\t"fmt"\n\t"x/bill"\n)\n',
    "other/other.go": 'package other\n\nimport "fmt"\n',
  });
  expect((await usersOf("bill/total.go")).toSorted()).toEqual(["bill/tax.go", "main.go"]);
  expect(await usersOf("other/other.go")).toEqual([]);
});

it("a file that declares what is called like another one uses nothing of it; one that passes it on does", async () => {
  const script = await open("ts", {
    "total.ts": "export const sum = 1;\n",
    "other.ts": "export const total = 2;\n",
    "index.ts": "export {\n  sum,\n} from './total';\n",
  });
  expect(await script.usersOf("total.ts")).toEqual(["index.ts"]);
  const dart = await open("dart", { "total.dart": "int sum = 1;\n", "all.dart": "export 'total.dart';\n" });
  expect(await dart.usersOf("total.dart")).toEqual(["all.dart"]);
});

it("what was made, changed and removed is told once, and not what lies in folders where nobody writes by hand", async () => {
  const { write, look } = await open("ts", { "a.ts": "", "packages/a/b.ts": "", "readme.md": "" });
  for (const name of ["readme.md", "node_modules/x/index.ts", ".cache/c.ts"]) await write(name, "other\n");
  expect(await look()).toEqual([]);
  await write("packages/a/b.ts", "more\n");
  await write("c.ts", "");
  expect(await look()).toEqual(["c.ts", "packages/a/b.ts"]);
  expect(await look()).toEqual([]);
});
