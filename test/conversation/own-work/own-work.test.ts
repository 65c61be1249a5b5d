import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addFiles, EMPTY_BATCH, type Batch } from "../../../src/conversation/collaboration/batch.ts";
import { createOwnWork, type OwnWork } from "../../../src/conversation/own-work/own-work.ts";
import { createWorkStore } from "../../../src/work-tree/work-store.ts";
import { createWorkWatch, type WorkWatch } from "../../../src/work-tree/work-watch.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { createVcs, type Vcs } from "../../../src/snapshot/vcs.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createFakeHost } from "../../support/fake-host.ts";
import { openFolder, git, writeIn } from "../../support/directory.ts";
import type { Effect } from "../../../src/policy/examination.ts";
import { examined } from "../../support/examination.ts";

let directory: string;
let data: string;
let watch: WorkWatch;
let work: OwnWork;
let clock = createFakeClock();
const notes: (string | Promise<string>)[] = [];
const state: { batch: Batch } = { batch: EMPTY_BATCH };
/** Nobody's command in particular. */
const UNREAD = { isApproved: false, isCheck: false };
const CLEAN = { "a.txt": "one\ntwo\n", "b.txt": "one\n", ".gitignore": "*.log\n" };

beforeEach(async () => {
  directory = await openFolder();
  data = await openFolder();
  await git(directory, "init", "-q", "-b", "main");
  for (const [path, text] of Object.entries(CLEAN)) await writeIn(directory, path, text);
  await git(directory, "add", "-A");
  await git(directory, "commit", "-qm", "Start");
  state.batch = EMPTY_BATCH;
  start();
});
afterEach(async () => stop());

/** As a process of OpenCode begins. */
function start(vcs: Vcs = createVcs("git", directory)): void {
  const isSensitive = (path: string): boolean => path.startsWith(".env");
  const workStore = createWorkStore(data, directory, silentLogger);
  clock = createFakeClock();
  watch = createWorkWatch({
    directory,
    vcs,
    clock,
    logger: silentLogger,
    store: workStore,
  });
  const place = { directory, project: directory, worktree: directory, unit: null };
  work = createOwnWork(
    { rootId: "root", state, outbox: { note: (text: string) => notes.push(text) } } as never,
    {
      treeOf: () => ({ vcs, place, workWatch: watch }) as never,
      clock: createFakeClock(),
      workStore,
      host: createFakeHost(directory),
      workspace: undefined as never,
      redact: (text) => text,
      isSensitive,
    },
  );
  stop = async () => workStore.settled();
}
let stop: () => Promise<void>;
/** Ends the process and begins another. */
async function restart(): Promise<void> {
  await stop();
  start();
}
/** A check-in came, and the work went on. */
function nextBatch(): void {
  for (const batch of [{ ...EMPTY_BATCH }, EMPTY_BATCH]) {
    state.batch = batch;
    work.heard?.({ type: "next" });
  }
}

const write = async (path: string, text: string) => writeIn(directory, path, text);
const read = async (path: string) => readFile(join(directory, path), "utf8").catch(() => null);
/** A command of GAIA's does something. */
async function command(deed: () => unknown, callId = "call", effect: Effect = "project") {
  const examination = examined(effect);
  await work.begins(callId, examination, true, true);
  await deed();
  return work.ends({ callId, examination, what: callId, told: [], ...UNREAD });
}
const users = async () =>
  (await watch.look())?.users.map(({ path, isMixed }) => `${path}${isMixed ? " mixed" : ""}`).toSorted();

describe("what a call changed", () => {
  it("is told by the tree and not by the tool, with lines", async () => {
    const { files } = await command(async () => {
      await write("a.txt", "one\n2\n3\n");
      await write("new.txt", "x\n");
      await rm(join(directory, "b.txt"));
    });
    expect(files).toMatchObject([
      { path: "a.txt", added: 2, removed: 1 },
      { path: "b.txt", added: 0, removed: 1, note: "deleted" },
      { path: "new.txt", added: 1, removed: 0 },
    ]);
  });

  it("is counted once over several calls: since the check-in, and since the piece of work began", async () => {
    let batch = EMPTY_BATCH;
    const change = async (path: string, text: string): Promise<void> => {
      const { files } = await command(async () => write(path, text));
      batch = addFiles(batch, files);
    };
    await change("new.txt", "on\n");
    await change("a.txt", "1\ntwo\n");
    await change("new.txt", "one\n");
    await change("a.txt", CLEAN["a.txt"]);
    const made = { path: "new.txt", added: 1, removed: 0 };
    expect(batch).toMatchObject({ added: 1, removed: 0, files: [made] });
    nextBatch();
    batch = EMPTY_BATCH;
    await change("new.txt", "1\n");
    expect(batch.files).toEqual([{ ...made, removed: 1 }]);
    await change("a.txt", "1\ntwo\n");
    nextBatch();
    // What was made in one batch and taken back in the next is no change of the piece.
    let piece = addFiles(EMPTY_BATCH, batch.files);
    batch = EMPTY_BATCH;
    await change("a.txt", CLEAN["a.txt"]);
    piece = addFiles(piece, batch.files);
    expect(addFiles(piece, await work.linesOfPiece()).files).toEqual([made]);
  });

  it("is counted where it has no lines: bytes, an empty file", async () => {
    const { files } = await command(async () => {
      await write("empty", "");
      await writeIn(directory, "b.txt", Buffer.from([0, 1, 0]));
    });
    expect(addFiles(EMPTY_BATCH, files).files).toMatchObject([{ path: "b.txt" }, { path: "empty" }]);
  });

  it("holds no line that the user wrote before, between and after GAIA's own", async () => {
    const text = (first: string, fifth: string, last: string): string =>
      [first, "2", "3", "4", fifth, "6", "7", "8", last, ""].join("\n");
    await write("a.txt", text("the user's", "5", "9"));
    await write("only.txt", "the user's\n");
    await command(async () => write("a.txt", text("GAIA's", "5", "9")));
    await write("a.txt", text("GAIA's", "the user's", "9"));
    const all = ["a.txt", "only.txt"].map((path) => ({ path, added: 9, removed: 9 }));
    expect(await work.withoutUsers(all)).toMatchObject([{ path: "a.txt", added: 1, removed: 1 }]);
    await command(async () => write("a.txt", text("GAIA's", "the user's", "GAIA's")));
    await write("a.txt", text("GAIA's", "the user's again", "GAIA's"));
    expect(await work.linesOfPiece()).toMatchObject([{ path: "a.txt", added: 2, removed: 2 }]);
  });

  it("does not hold what the user did before and after it", async () => {
    await work.begins("first", examined("project"), true, true);
    await work.ends({ callId: "first", examination: examined("project"), what: "x", told: [], ...UNREAD });
    await write("b.txt", "the user's\n");
    expect((await command(async () => write("a.txt", "x\n"))).files.map(({ path }) => path)).toEqual([
      "a.txt",
    ]);
    expect(await users()).toEqual(["b.txt"]);
  });
});

it("says where it is not known what a call changed, because the tree could not be looked at", async () => {
  expect((await command(() => undefined)).isKnown).toBe(true);
  vi.spyOn(watch.trees, "read").mockResolvedValue(null);
  expect(await command(async () => write("a.txt", "one\n"))).toMatchObject({ files: [], isKnown: false });
});

describe("whose a file is", () => {
  it("is remembered over a restart, by content", async () => {
    await write("mine.txt", "the user's");
    await write("b.txt", "one\nthe user's\n");
    await command(async () => {
      await write("a.txt", "GAIA's\n");
      await write("b.txt", "one\nthe user's\nGAIA's\n");
      await write("new.txt", "GAIA's\n");
    });
    expect(await users()).toEqual(["b.txt mixed", "mine.txt"]);
    await restart();
    expect(await users()).toEqual(["b.txt mixed", "mine.txt"]);
    await write("new.txt", "GAIA's, and the user's\n");
    expect(await users()).toEqual(["b.txt mixed", "mine.txt", "new.txt mixed"]);
  });

  it("is known after a crash to who starts next, once the call is over", async () => {
    for (let at = 0; at < 8; at += 1) {
      await command(async () => write(`new-${at}.txt`, "GAIA's\n"), `call-${at}`);
      // Nothing of the process before is waited for.
      start();
      expect(await users()).toEqual([]);
    }
  });
});

describe("a look at the tree that fails or comes late", () => {
  const blind = (...looks: readonly boolean[]): void => {
    const read = watch.trees.read.bind(watch.trees);
    const spy = vi.spyOn(watch.trees, "read");
    for (const isBlind of looks) spy.mockImplementationOnce(async () => (isBlind ? null : read()));
  };
  const edit = async (path: string, text: string, writes = [path]) => {
    await work.begins("edit", { ...examined("project"), writes }, true, writes.length === 0);
    await write(path, text);
    const told = [{ path: join(directory, path), added: 1, removed: 0 }];
    return work.ends({ callId: "edit", examination: examined("project"), what: "edit", told, ...UNREAD });
  };
  const BLIND: readonly (readonly boolean[])[] = [[true], [false, true], [true, true], []];

  it.each(BLIND)(
    "credits what a call names or tells, and what a command changed meanwhile (%j)",
    async (...looks) => {
      blind(...looks);
      await edit("new.txt", "GAIA's\n");
      expect(await users()).toEqual([]);
      blind(...looks);
      await edit("told.txt", "GAIA's\n", []);
      expect(await users()).toEqual([]);
      blind(...looks);
      await command(async () => write("by-command.txt", "GAIA's\n"));
      expect((await watch.look())?.work).toEqual(["new.txt", "told.txt", "by-command.txt"]);
    },
  );

  it("leaves to the user what they wrote before and after it", async () => {
    await command(() => undefined);
    await write("a.txt", "one\nmine\n");
    await write("b.txt", "one\nmine\n");
    await new Promise((done) => setTimeout(done, 50));
    blind(true, true);
    await edit("a.txt", "one\nmine\nGAIA's\n");
    await new Promise((done) => setTimeout(done, 50));
    await write("after.txt", "mine\n");
    expect(await users()).toEqual(["a.txt mixed", "after.txt", "b.txt"]);
  });

  it("uses a look that came too late for its call", async () => {
    await command(() => undefined);
    await write("a.txt", "one\nmine\n");
    const read = watch.trees.read.bind(watch.trees);
    const state = await read();
    let come: (seen: typeof state) => void = () => undefined;
    vi.spyOn(watch.trees, "read").mockImplementationOnce(
      async () => new Promise((done) => void (come = done)),
    );
    const begun = work.begins("late", examined("project"), true, true);
    await vi.waitFor(async () => {
      await clock.advance(5_000);
      await expect(Promise.race([begun, Promise.reject(new Error("waits"))])).resolves.toBeUndefined();
    });
    await new Promise((done) => setTimeout(done, 5));
    come(state);
    await write("b.txt", "GAIA's\n");
    const { files, isKnown } = await work.ends({
      callId: "late",
      examination: examined("project"),
      what: "late",
      told: [],
      ...UNREAD,
    });
    expect([files.map(({ path }) => path), isKnown, await users()]).toEqual([["b.txt"], true, ["a.txt"]]);
  });
});

describe("a command that cannot be told", () => {
  const unknown = async (deed: () => unknown) => command(deed, "node x.js", "unknown");

  it("takes none of the user's uncommitted work away: it is put back, and told to user and model", async () => {
    const mine = ["one\nmine\n", "mine\n", "mine\n"];
    for (const [at, path] of ["a.txt", "new.txt", "emptied.txt"].entries()) await write(path, mine[at] ?? "");
    const { files, told } = await unknown(async () => {
      await write("emptied.txt", "");
      await git(directory, "checkout", "--", "a.txt");
      await rm(join(directory, "new.txt"));
      await write("b.txt", "its own\n");
    });
    expect([await read("a.txt"), await read("new.txt"), await read("emptied.txt")]).toEqual(mine);
    expect(files.map(({ path }) => path)).toEqual(["b.txt"]);
    expect(notes.at(-1)).toBe(
      "While node x.js ran, uncommitted work of yours was thrown away.\nGAIA has put it back: a.txt, emptied.txt, new.txt.",
    );
    expect(told).toContain("put back: a.txt, emptied.txt, new.txt");
    expect(await users()).toEqual(["a.txt", "emptied.txt", "new.txt"]);
  });

  it("gives the user's work back once, though checks and another command ran beside it", async () => {
    await write("mine.txt", "mine\n");
    notes.length = 0;
    const other = async () => {
      await watch.begin("checks", [], true);
      await rm(join(directory, "mine.txt"));
      await watch.end("checks");
    };
    await unknown(async () => void (await command(other, "other", "unknown")));
    expect([await read("mine.txt"), notes.length]).toEqual(["mine\n", 1]);
  });

  it("may move the user's files, edit, stash and commit them, and throw away what GAIA made or git holds", async () => {
    await write("mine.txt", "mine\n");
    await write("edited.txt", "mine\n");
    await write("kept.txt", "mine\n");
    await write("a.txt", "one\nmine\n");
    await write("stashed.txt", "mine\n");
    await command(async () => write("made.txt", "hers\n"));
    notes.length = 0;
    const { told } = await unknown(async () => {
      await git(directory, "add", "kept.txt");
      await git(directory, "commit", "-qm", "x");
      renameSync(join(directory, "mine.txt"), join(directory, "moved.txt"));
      await write("edited.txt", "mine\nand hers\n");
      await git(directory, "stash", "push", "-qu", "--", "a.txt", "stashed.txt");
      await rm(join(directory, "made.txt"));
      await rm(join(directory, "b.txt"));
    });
    expect([await read("mine.txt"), await read("moved.txt"), await read("edited.txt")]).toEqual([
      null,
      "mine\n",
      "mine\nand hers\n",
    ]);
    expect([await read("a.txt"), await read("stashed.txt")]).toEqual(["one\ntwo\n", null]);
    expect([await read("made.txt"), await read("b.txt"), told, notes]).toEqual([null, null, "", []]);
  });
});

describe("undo last", () => {
  it("takes exactly the last batch back, new and deleted files included", async () => {
    await command(async () => write("a.txt", "earlier\n"));
    nextBatch();
    await command(async () => {
      await write("a.txt", "later\n");
      await write("new.txt", "x\n");
      await rm(join(directory, "b.txt"));
    });
    const { undone, left, why } = await work.undoLast();
    expect([undone.toSorted(), left, why]).toEqual([["a.txt", "b.txt", "new.txt"], [], null]);
    expect([await read("a.txt"), await read("b.txt"), await read("new.txt")]).toEqual([
      "earlier\n",
      "one\n",
      null,
    ]);
    expect(await users()).toEqual([]);
  });

  it("gives the user's uncommitted text back, also after a restart", async () => {
    await write("a.txt", "one\nmine\n");
    await write(".env", "KEY=abc\n");
    await command(async () => {
      await write("a.txt", "overwritten\n");
      await write(".env", "KEY=def\n");
    });
    await restart();
    const { undone, left } = await work.undoLast();
    expect([undone, left]).toEqual([[".env", "a.txt"], []]);
    expect([await read("a.txt"), await read(".env")]).toEqual(["one\nmine\n", "KEY=abc\n"]);
    expect(await users()).toEqual([".env", "a.txt"]);
  });

  it("is refused where commits came in between, and where there is nothing", async () => {
    expect((await work.undoLast()).why).toBe("there is nothing to take back");
    await command(async () => {
      await write("a.txt", "x\n");
      await git(directory, "commit", "-qam", "x");
    });
    const { why, undone } = await work.undoLast();
    expect([why, undone]).toEqual([expect.stringContaining("only you change the history"), []]);
    expect(await read("a.txt")).toBe("x\n");
  });

  it("puts nothing back through a link that leads out of the project", async () => {
    await write("sub/x.txt", "mine\n");
    await command(async () => rm(join(directory, "sub"), { recursive: true }), "rm -r sub", "outside");
    await symlink(data, join(directory, "sub"));
    const { left } = await work.undoLast();
    expect(left).toEqual([{ path: "sub/x.txt", why: "lies behind a link out of the project" }]);
  });
});

const NAMES = ["a.txt", "b.txt", "new.txt"];
const steps = fc.array(
  fc.record({
    who: fc.constantFrom("user", "gaia"),
    name: fc.constantFrom(...NAMES),
    deed: fc.constantFrom("append", "replace", "delete"),
  }),
  { minLength: 1, maxLength: 6 },
);

/** What is not met by chance in a few runs: the user writes where GAIA has written, and she does so again. */
const BETWEEN = (["gaia", "user", "gaia"] as const).map(
  (who) => ({ who, name: "b.txt", deed: "append" }) as const,
);

it("whatever the user and GAIA do in turns, no word of the user's is undone, and none is taken for GAIA's", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (turns) => {
      for (const [path, text] of Object.entries(CLEAN)) writeFileSync(join(directory, path), text);
      rmSync(join(directory, "new.txt"), { force: true });
      start();
      nextBatch();
      const textOf = (path: string): string | null => {
        try {
          return readFileSync(join(directory, path), "utf8");
        } catch {
          return null;
        }
      };
      for (const { who, name, deed } of turns) {
        const act = (): void => {
          const file = join(directory, name);
          const line = `${who}-${count++}\n`;
          if (deed === "delete") rmSync(file, { force: true });
          else writeFileSync(file, deed === "append" ? `${textOf(name) ?? ""}${line}` : line);
        };
        if (who === "user") act();
        else await command(act);
      }
      const before = new Map(NAMES.map((name) => [name, textOf(name)]));
      const found = (await watch.look())?.users.map(({ path }) => path) ?? [];
      const withUsers = NAMES.filter((name) => before.get(name)?.includes("user-"));
      expect(found).toEqual(expect.arrayContaining(withUsers));
      await work.undoLast();
      for (const name of NAMES) {
        const words = (before.get(name) ?? "").split("\n").filter((line) => line.startsWith("user-"));
        for (const word of words) expect(textOf(name)).toContain(word);
      }
    }),
    { numRuns: 8, examples: [[BETWEEN], [[...BETWEEN, ...BETWEEN]]] },
  );
}, 60_000);
