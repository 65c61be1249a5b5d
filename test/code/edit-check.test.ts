import * as fc from "fast-check";
import { expect, it } from "vitest";
import { checkEdit } from "../../src/code/edit-check.ts";
import type { CodeError } from "../../src/code/protocol.ts";
import type { LanguageServer } from "../../src/code/server.ts";

const NAMES = ["/p/a.ts", "/p/b.ts", "/p/c.ts"] as const;
const reader = { project: "/p", isSensitive: () => false };

/** What is wrong with a text: each line that says so, and with b and c also that a breaks them. */
function errorsIn(texts: ReadonlyMap<string, string>, path: string): CodeError[] {
  const lines = (texts.get(path) ?? "").split("\n");
  const broken = path !== NAMES[0] && (texts.get(NAMES[0]) ?? "").includes("breaks");
  return lines.flatMap((line, at) =>
    line.startsWith("bad") || (broken && at === 0)
      ? [
          {
            path,
            start: { line: at, character: 0 },
            code: "1",
            message: line.startsWith("bad") ? line : "broken by a",
          },
        ]
      : [],
  );
}

/** A server for texts on a disk of its own; all files take something from each other. */
function createServer(disk: Map<string, string>) {
  const told = new Map<string, string>();
  let changed = new Set<string>();
  let asked = 0;
  const tell = (path: string, text: string): void => {
    if (told.get(path) === text) return;
    if (told.has(path)) changed.add(path);
    told.set(path, text);
  };
  const open = async (paths: readonly string[]): Promise<string[]> => {
    for (const path of paths) tell(path, disk.get(path) ?? "");
    return [...paths];
  };
  const server = {
    documents: { text: (path: string) => told.get(path) },
    files: { importersOf: async (paths: readonly string[]) => NAMES.filter((name) => !paths.includes(name)) },
    async follow() {
      await open([...told.keys()]);
    },
    open,
    pretend: tell,
    takeChanged() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
    async errorsOf(paths: readonly string[]) {
      asked += 1;
      return paths.flatMap((path) => errorsIn(told, path));
    },
  };
  return { server: server as unknown as LanguageServer, asked: () => asked };
}

const text = fc
  .array(fc.constantFrom("fine", "bad one", "bad two", "breaks"), { maxLength: 4 })
  .map((lines) => lines.join("\n"));
const change = fc.record({
  path: fc.constantFrom(...NAMES),
  text,
  isEdit: fc.nat(3).map((drawn) => drawn > 0),
});

it("tells of the errors that an edit has made, whatever was changed before it by whomever", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const disk = new Map<string, string>(NAMES.map((name) => [name, "fine"]));
      const { server } = createServer(disk);
      for (const { path, text: next, isEdit } of changes) {
        const before = disk.get(path) ?? "";
        const were = NAMES.flatMap((name) => errorsIn(disk, name));
        disk.set(path, next);
        if (!isEdit) continue;
        const lines = await checkEdit(server, [{ path, before }], reader);
        const are = NAMES.flatMap((name) => errorsIn(disk, name));
        const count = (list: readonly CodeError[], error: CodeError): number =>
          list.filter((other) => other.path === error.path && other.message === error.message).length;
        const more = are
          .filter(
            (error, at) =>
              are.findIndex((other) => other.path === error.path && other.message === error.message) === at,
          )
          .reduce((sum, error) => sum + Math.max(0, count(are, error) - count(were, error)), 0);
        expect(Math.max(0, lines.length - 1)).toBe(more);
      }
    }),
    { numRuns: 300 },
  );
});

it("asks about what was wrong before only where the edit before does not tell", async () => {
  const disk = new Map<string, string>(NAMES.map((name) => [name, "bad one"]));
  const { server, asked } = createServer(disk);
  const edit = async (path: string, next: string): Promise<number> => {
    const from = asked();
    const before = disk.get(path) ?? "";
    disk.set(path, next);
    await checkEdit(server, [{ path, before }], reader);
    return asked() - from;
  };
  expect(await edit(NAMES[0], "bad two")).toBe(2);
  expect(await edit(NAMES[0], "bad one")).toBe(1);
  expect(await edit(NAMES[1], "bad two")).toBe(1);
  // Somebody else was there.
  disk.set(NAMES[2], "breaks");
  expect(await edit(NAMES[1], "bad one")).toBe(2);
  expect(await edit(NAMES[1], "fine")).toBe(1);
});
