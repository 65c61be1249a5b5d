import * as fc from "fast-check";
import { expect, it } from "vitest";
import { checkEdit } from "../../src/extras/language-servers/edit-check.ts";
import type { CodeError } from "../../src/extras/language-servers/protocol.ts";
import type { LanguageServer } from "../../src/extras/language-servers/server.ts";

const NAMES = ["/p/a.ts", "/p/b.ts", "/p/c.ts"] as const;
const reader = { project: "/p", isSensitive: () => false };

/** What is wrong with a text: each line that says so, and with b and c also that a breaks them. */
function errorsIn(texts: ReadonlyMap<string, string>, path: string, isInstalled = true): CodeError[] {
  const lines = (texts.get(path) ?? "").split("\n");
  const broken = path !== NAMES[0] && (texts.get(NAMES[0]) ?? "").includes("breaks");
  return lines.flatMap((line, at) =>
    line.startsWith("bad") || (line === "needs" && !isInstalled) || (broken && at === 0)
      ? [
          {
            path,
            start: { line: at, character: 0 },
            code: "1",
            message: line === "fine" || line === "breaks" || line === "" ? "broken by a" : line,
          },
        ]
      : [],
  );
}

/** A server for texts on a disk of its own; all files take something from each other. */
function createServer(disk: Map<string, string>, isInstalled: () => boolean = () => true) {
  /** It notices what is installed a question later. */
  let knows = isInstalled();
  let surroundings = 0;
  const told = new Map<string, string>();
  let changed = new Set<string>();
  const asked = new Map<string, number>();
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
    surroundings: () => surroundings,
    open,
    pretend: tell,
    takeChanged() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
    async errorsOf(paths: readonly string[]) {
      for (const path of paths) asked.set(path, (asked.get(path) ?? 0) + 1);
      const all = paths.flatMap((path) => errorsIn(told, path, knows));
      knows = isInstalled();
      return all;
    },
  };
  const packagesChanged = (): void => void (surroundings += 1);
  const isBehind = (): boolean => knows !== isInstalled();
  return {
    server: server as unknown as LanguageServer,
    asked: (path: string) => asked.get(path) ?? 0,
    packagesChanged,
    isBehind,
  };
}

const text = fc
  .array(fc.constantFrom("fine", "bad one", "bad two", "breaks", "needs"), { maxLength: 4 })
  .map((lines) => lines.join("\n"));
const change = fc.record({
  path: fc.constantFrom(...NAMES),
  text,
  /** What happens: edits, mostly; something written by others, packages that come and go, by a command and by others. */
  kind: fc.constantFrom("edit", "edit", "edit", "write", "command", "install"),
});

it("tells of the errors that an edit has made, whatever was changed or installed before it by whomever", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 14 }), async (changes) => {
      const disk = new Map<string, string>(NAMES.map((name) => [name, "fine"]));
      let isInstalled = true;
      let disturbances = 0;
      const { server, packagesChanged, isBehind } = createServer(disk, () => isInstalled);
      const errors = (): CodeError[] => NAMES.flatMap((name) => errorsIn(disk, name, isInstalled));
      for (const { path, text: next, kind } of changes) {
        if (kind === "command" || kind === "install") isInstalled = !isInstalled;
        if (kind === "command") disturbances += 1;
        if (kind === "install") packagesChanged();
        if (kind === "command" || kind === "install") continue;
        const before = disk.get(path) ?? "";
        const were = errors();
        disk.set(path, next);
        if (kind === "write") continue;
        const isStale = isBehind();
        const lines = await checkEdit(server, [{ path, before }], reader, disturbances);
        const are = errors();
        const count = (list: readonly CodeError[], error: CodeError): number =>
          list.filter((other) => other.path === error.path && other.message === error.message).length;
        const more = are
          .filter(
            (error, at) =>
              are.findIndex((other) => other.path === error.path && other.message === error.message) === at,
          )
          .reduce((sum, error) => sum + Math.max(0, count(are, error) - count(were, error)), 0);
        // A server that has not noticed an installation may not tell yet; it blames nobody for it.
        const told = Math.max(0, lines.length - 1);
        expect(isStale ? Math.min(told, more) : more).toBe(told);
      }
    }),
    { numRuns: 500 },
  );
});

it("asks about what was wrong before only where the edit before does not tell", async () => {
  const disk = new Map<string, string>(NAMES.map((name) => [name, "bad one"]));
  const { server, asked } = createServer(disk);
  const edit = async (path: string, next: string): Promise<number> => {
    const from = asked(path);
    const before = disk.get(path) ?? "";
    disk.set(path, next);
    await checkEdit(server, [{ path, before }], reader, 0);
    return asked(path) - from;
  };
  // The first time, and once more, as nobody knows what it had noticed.
  expect(await edit(NAMES[0], "bad two")).toBe(3);
  expect(await edit(NAMES[0], "bad one")).toBe(1);
  expect(await edit(NAMES[1], "bad two")).toBe(1);
  // Someone else was there.
  disk.set(NAMES[2], "breaks");
  // It was asked before that was seen, and asks again.
  expect(await edit(NAMES[1], "bad one")).toBe(3);
  expect(await edit(NAMES[1], "fine")).toBe(1);
});
