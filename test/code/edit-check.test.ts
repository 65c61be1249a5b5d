import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { CodeError } from "../../src/extras/language-servers/diagnostics.ts";
import { findNewErrors } from "../../src/extras/language-servers/edit-errors.ts";
import type { LanguageServer } from "../../src/extras/language-servers/server.ts";

const NAMES = ["/p/a.ts", "/p/b.ts", "/p/c.ts"] as const;

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
            message: line === "fine" || line === "breaks" || line === "" ? "broken by a" : line,
          },
        ]
      : [],
  );
}

/** A server for texts on a disk of its own; all files use each other. */
function createServer(disk: ReadonlyMap<string, string>) {
  const told = new Map<string, string>();
  const server = {
    documents: { get: (path: string) => ({ getText: () => told.get(path) ?? "" }) },
    files: { usersOf: async (paths: readonly string[]) => NAMES.filter((name) => !paths.includes(name)) },
    async follow() {
      for (const path of told.keys()) told.set(path, disk.get(path) ?? "");
    },
    async open(paths: readonly string[]) {
      for (const path of paths) told.set(path, disk.get(path) ?? "");
      return [...paths];
    },
    pretend: (path: string, text: string) => void told.set(path, text),
    async errorsOf(paths: readonly string[]) {
      return paths.flatMap((path) => errorsIn(told, path));
    },
  };
  return server as unknown as LanguageServer;
}

const text = fc
  .array(fc.constantFrom("fine", "bad one", "bad two", "breaks"), { maxLength: 4 })
  .map((lines) => lines.join("\n"));
const change = fc.record({
  path: fc.constantFrom(...NAMES),
  text,
  /** What happens: edits, mostly; and something written by others. */
  kind: fc.constantFrom("edit", "edit", "edit", "write"),
});

it("tells of the errors that an edit has made, whatever was changed before it by whomever", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 14 }), async (changes) => {
      const disk = new Map<string, string>(NAMES.map((name) => [name, "fine"]));
      const server = createServer(disk);
      const errors = (): CodeError[] => NAMES.flatMap((name) => errorsIn(disk, name));
      for (const { path, text: next, kind } of changes) {
        const before = disk.get(path) ?? "";
        const were = errors();
        disk.set(path, next);
        if (kind === "write") continue;
        const found = await findNewErrors(server, [{ path, before }]);
        const are = errors();
        const count = (list: readonly CodeError[], error: CodeError): number =>
          list.filter((other) => other.path === error.path && other.message === error.message).length;
        const more = are
          .filter(
            (error, at) =>
              are.findIndex((other) => other.path === error.path && other.message === error.message) === at,
          )
          .reduce((sum, error) => sum + Math.max(0, count(are, error) - count(were, error)), 0);
        expect(found.length).toBe(more);
      }
    }),
    { numRuns: 500 },
  );
});
