import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRefusal } from "../../src/lib/error.ts";
import { createCodeProject, type CodeProject, openServers, run } from "./project.ts";

const TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, module: "nodenext", allowImportingTsExtensions: true, noEmit: true },
});
const FILES = {
  "tsconfig.json": TSCONFIG,
  "src/math.ts": "export function total(list: number[]): number {\n  return list.length;\n}\n",
  "src/bill.ts": 'import { total as sum } from "./math.ts";\n\nexport const bill = sum([1, 2]);\n',
  "src/report.ts": 'import { total } from "./math.ts";\n\nexport const report = { total: total([3]) };\n',
};

let project: CodeProject;
let servers: ReturnType<typeof openServers>;

beforeAll(async () => {
  project = await createCodeProject(FILES);
  servers = openServers(project);
});

afterAll(async () => {
  await servers.dispose();
  await project.remove();
});

const ask = async (call: Parameters<typeof servers.ask>[0]): Promise<string> => servers.ask(call);

const text = async (name: string): Promise<string> => readFile(join(project.directory, name), "utf8");

describe("questions to TypeScript's server", () => {
  const RENAME = { op: "rename", file: "src/math.ts", name: "total", new_name: "count" } as const;
  const prepared = async () => {
    const found = await servers.prepare(RENAME);
    if (isRefusal(found)) throw new Error(found.reason);
    return found;
  };

  it("changes nothing where a file is another one by then, or the person says no", async () => {
    const no = async () => Promise.reject(new Error("rejected"));
    await expect(run(await prepared(), no)).rejects.toThrow("rejected");
    const late = async () => project.write("src/report.ts", "export {};\n");
    await expect(run(await prepared(), late)).rejects.toThrow(/src\/report\.ts changed/);
    expect(await text("src/math.ts")).toBe(FILES["src/math.ts"]);
    expect(await text("src/bill.ts")).toBe(FILES["src/bill.ts"]);
    await project.write("src/report.ts", FILES["src/report.ts"]);
  });

  it("renames to nothing that is no name, and nothing outside of the project", async () => {
    const rename = async (newName: string, file = "src/math.ts", name = "total") =>
      ask({ op: "rename", file, name, new_name: newName });
    for (const newName of ["", "two words", "a.b", "x; rm", "1st"])
      expect(await rename(newName)).toMatch(/^refused: .*is no name/);
    await project.write("src/lib.ts", "export const size = [1].length;\n");
    expect(await rename("width", "src/lib.ts", "length")).toMatch(/^refused: /);
    expect(await rename("count", "src/math.ts", "missing")).toMatch(/^refused: missing does not stand/);
  });
});

describe("errors after an edit", () => {
  /** Changes files as a specialist does. @returns what is said of it */
  const edit = async (files: Readonly<Record<string, string | null>>): Promise<string[]> => {
    const edited = await Promise.all(
      Object.keys(files).map(async (name) => ({
        path: join(project.directory, name),
        before: await text(name).catch(() => null),
      })),
    );
    for (const [name, content] of Object.entries(files))
      await (content === null ? rm(join(project.directory, name)) : project.write(name, content));
    return servers.newErrors(edited);
  };

  beforeAll(async () => {
    for (const [name, content] of Object.entries(FILES)) await project.write(name, content);
    await rm(join(project.directory, "src/lib.ts"), { force: true });
  });

  it("are those of the callers in other files, and only the ones that were not there before", async () => {
    expect(await edit({ "src/bill.ts": `${FILES["src/bill.ts"]}export const old: string = 1;\n` })).toEqual([
      "src/bill.ts:4:14: 2322: Type 'number' is not assignable to type 'string'.",
    ]);
    expect(await edit({ "src/math.ts": FILES["src/math.ts"].replace("number[]", "string[]") })).toEqual([
      "src/bill.ts:3:26: 2322: Type 'number' is not assignable to type 'string'.",
      "src/bill.ts:3:29: 2322: Type 'number' is not assignable to type 'string'.",
      "src/report.ts:3:39: 2322: Type 'number' is not assignable to type 'string'.",
    ]);
    // What is wrong still is nothing new, wherever it stands by now.
    expect(await edit({ "src/bill.ts": `\n\n${await text("src/bill.ts")}` })).toEqual([]);
    expect(await edit({ "src/math.ts": FILES["src/math.ts"], "src/bill.ts": FILES["src/bill.ts"] })).toEqual(
      [],
    );
    expect(await ask({ op: "diagnostics", file: "src/math.ts" })).toBe("No errors.");
  });

  it("are told of a file that goes, of one that comes, and through a file that passes things on", async () => {
    expect(await edit({ "src/index.ts": 'export * from "./math.ts";\n' })).toEqual([]);
    expect(
      await edit({
        "src/far.ts": 'import { total } from "./index.ts";\n\nexport const far: number = total([1]);\n',
      }),
    ).toEqual([]);
    const changed = FILES["src/math.ts"].replace("): number", "): string").replace("list.length", '"none"');
    expect(await edit({ "src/math.ts": changed })).toEqual([
      "src/far.ts:3:14: 2322: Type 'string' is not assignable to type 'number'.",
    ]);
    await edit({ "src/math.ts": FILES["src/math.ts"] });
    expect(await edit({ "src/index.ts": null })).toEqual([
      expect.stringMatching(/^src\/far\.ts:1:23: 2307: /),
    ]);
    expect(
      await edit({ "src/far.ts": null, "src/new.ts": "export const made: number = missing;\n" }),
    ).toEqual(["src/new.ts:1:29: 2304: Cannot find name 'missing'."]);
    await edit({ "src/new.ts": null });
  });

  it("are those of everything below a folder where one is named", async () => {
    expect(await ask({ op: "diagnostics", file: "." })).toBe("No errors in 3 files.");
    await edit({ "src/deep/a.ts": "export const a: string = 1;\n", "src/deep/b.py": "import os\n" });
    const below = await ask({ op: "diagnostics", file: "src" });
    expect(below).toContain("src/deep/a.ts:1:14: 2322: Type 'number' is not assignable to type 'string'.");
    await edit({ "src/deep/a.ts": null, "src/deep/b.py": null });
  });
});
