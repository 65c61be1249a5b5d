import * as machine from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { emptyDisk } from "./disk/nodes.ts";
import * as memory from "./disk/sync.ts";

const MEMORY = "/in-memory";
let real = "";

beforeEach(() => {
  real = machine.mkdtempSync(join(tmpdir(), "disk-"));
});

afterEach(() => machine.rmSync(real, { recursive: true, force: true }));

/** The calls of `node:fs` that both have. */
interface Files {
  statSync(path: string): { isFile(): boolean; readonly size: number };
  readFileSync(path: string, encoding: "utf8"): string;
  readdirSync(path: string, options: { recursive: boolean }): string[];
  writeFileSync(path: string, text: string, options: { flag: string }): void;
  mkdirSync(path: string, options: { recursive: boolean }): string | undefined;
  rmSync(path: string, options: { recursive: boolean; force: boolean }): void;
  renameSync(path: string, to: string): void;
  linkSync(path: string, to: string): void;
  unlinkSync(path: string): void;
  rmdirSync(path: string): void;
}

const path = fc.constantFrom("a", "b", "a/b", "a/c", "b/c", "a/b/c");
const operation = fc.record({
  what: fc.constantFrom("write", "mkdir", "rm", "move", "link", "unlink", "rmdir", "read"),
  at: path,
  to: path,
  flag: fc.constantFrom("w", "wx", "a"),
  recursive: fc.boolean(),
  force: fc.boolean(),
});
type Operation = typeof operation extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function carryOut(files: Files, root: string, { what, at, to, flag, recursive, force }: Operation): unknown {
  const from = `${root}/${at}`;
  if (what === "write") files.writeFileSync(from, at, { flag });
  else if (what === "mkdir") return files.mkdirSync(from, { recursive })?.slice(root.length);
  else if (what === "rm") files.rmSync(from, { recursive, force });
  else if (what === "move") files.renameSync(from, `${root}/${to}`);
  else if (what === "link") files.linkSync(from, `${root}/${to}`);
  else if (what === "unlink") files.unlinkSync(from);
  else if (what === "rmdir") files.rmdirSync(from);
  else return files.readFileSync(from, "utf8");
  return "done";
}

/** Its answer, or the name of its error; and what is there then. */
function outcome(files: Files, root: string, operation: Operation): unknown {
  let answer: unknown;
  try {
    answer = carryOut(files, root, operation);
  } catch (error) {
    answer = error instanceof Error && "code" in error ? error.code : error;
  }
  const names = files.readdirSync(root, { recursive: true }).toSorted();
  return [answer, ...names.map((name) => [name, lookAt(files, `${root}/${name}`)])];
}

function lookAt(files: Files, place: string): unknown {
  const stats = files.statSync(place);
  return stats.isFile() ? [stats.size, files.readFileSync(place, "utf8")] : "folder";
}

it("does with files in memory what the system does with its own", () =>
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 25 }), (operations) => {
      emptyDisk(MEMORY);
      machine.rmSync(real, { recursive: true, force: true });
      machine.mkdirSync(real);
      for (const each of operations)
        expect(outcome(memory as unknown as Files, MEMORY, each)).toEqual(
          outcome(machine as Files, real, each),
        );
    }),
    { numRuns: 150 },
  ));
