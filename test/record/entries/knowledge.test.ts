import { mkdir, readFile, readdir, rename, rm } from "node:fs/promises";
import { stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Knowledge } from "../../../src/record/knowledge.ts";
import type { Clock } from "../../../src/lib/async.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { git, writeIn, openFolder, commitAll, gitLines } from "../../support/directory.ts";
import { openEntries } from "../../support/entries.ts";

let root: string;
let directory: string;
let environment: NodeJS.ProcessEnv;
let knowledge: Knowledge;

/** As a new process of OpenCode's. */
const start = (enabled = true, worktree = directory): void => {
  const redact = createRedactor({ API_TOKEN: "s3cr3tvalue" });
  const host = { worktree, logger: silentLogger };
  knowledge = openEntries(directory, { environment, host, redact, enabled });
};
beforeEach(async () => {
  root = await openFolder();
  directory = join(root, "project");
  await mkdir(directory);
  environment = { XDG_CONFIG_HOME: join(root, "config"), XDG_DATA_HOME: join(root, "data") };
  start();
});

const write = async (name: string, text: string, folder = join(directory, ".gaia/knowledge")) =>
  writeIn(folder, `${name}.md`, text);
const says = (status: string, body = "Retry twice."): string => `---\nstatus: ${status}\n---\n${body}\n`;
const commit = async (): Promise<void> => commitAll(directory);
/** What a command does that no sandbox holds. */
const loose = async (work: () => Promise<unknown>): Promise<void> => {
  knowledge.doubt();
  await work();
};
const accepted = async (): Promise<string[]> => (await knowledge.accepted()).map(({ id }) => id);
const standings = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await knowledge.all()).map(({ slug, standing }) => [slug, standing]));
const accept = async (slug: string, status: "accepted" | "rejected" = "accepted"): Promise<void> => {
  const entry = (await knowledge.all()).find((each) => each.slug === slug);
  if (entry !== undefined) await knowledge.settle({ entry, status, reason: "so it is", by: "Ann" });
};

describe("knowledge", () => {
  it("is nothing, and touches nothing, where there is none", async () => {
    expect(await accepted()).toEqual([]);
    expect(await readdir(root)).toEqual(["project"]);
    expect(await readdir(directory)).toEqual([]);
  });

  it("counts when a person says so, in this process and in the next, and only as it was then", async () => {
    const path = await write("a", says("proposed"));
    expect(await accepted()).toEqual([]);
    await accept("a");
    expect(await accepted()).toEqual(["a"]);
    expect(await readFile(path, "utf8")).toMatch(
      /^---\nstatus: accepted\nby: "Ann"\nat: "\d{4}-.*"\nreason: "so it is"\n---\nRetry twice\.\n$/,
    );
    start();
    expect(await accepted()).toEqual(["a"]);
    knowledge.doubt();
    await writeFile(path, (await readFile(path, "utf8")).replace("twice", "for ever"));
    expect(await standings()).toEqual({ a: "unconfirmed" });
  });

  it("stops counting when a person rejects it, and stays so when the file is put back", async () => {
    const path = await write("a", says("proposed"));
    await accept("a");
    const before = await readFile(path, "utf8");
    await accept("a", "rejected");
    expect(await standings()).toEqual({ a: "rejected" });
    knowledge.doubt();
    await writeFile(path, before);
    expect(await standings()).toEqual({ a: "unconfirmed" });
  });

  it("counts as a person writes it while no agent is at work, and what came meanwhile does not", async () => {
    const path = await write("a", says("proposed"));
    expect(await accepted()).toEqual([]);
    await writeFile(path, says("accepted"));
    expect(await accepted()).toEqual(["a"]);
    start();
    expect(await accepted()).toEqual(["a"]);
    knowledge.doubt();
    await writeFile(path, says("accepted", "Retry for ever."));
    expect(await standings()).toEqual({ a: "unconfirmed" });
  });

  it("keeps the reason that it was proposed for where a yes gives none, and no rejection takes it for its own", async () => {
    const text = "---\nstatus: proposed\nby: hades\nreason: the gateway fell over\n---\nRetry twice.\n";
    for (const slug of ["a", "b"]) await write(slug, text);
    for (const entry of await knowledge.all()) {
      const status = entry.slug === "a" ? "accepted" : "rejected";
      await knowledge.settle({ entry, status, reason: "", by: "Ann" });
    }
    const [a, b] = await knowledge.all();
    expect([a, b]).toMatchObject([{ reason: "the gateway fell over" }, { by: "Ann", reason: "" }]);
  });

  it("is another project's business there, whatever was said here", async () => {
    await write("a", says("proposed"));
    await accept("a");
    const text = await readFile(join(directory, ".gaia/knowledge/a.md"), "utf8");
    directory = join(root, "other");
    await write("a", text);
    start();
    expect(await standings()).toEqual({ a: "unconfirmed" });
  });

  it("is decided on as it was seen", async () => {
    await write("a", says("proposed"));
    const [entry] = await knowledge.all();
    await write("a", says("proposed", "Delete everything."));
    if (entry === undefined) throw new Error("no entry");
    await expect(knowledge.settle({ entry, status: "accepted", reason: "", by: "Ann" })).rejects.toThrow(
      "another one than you saw",
    );
    expect(await standings()).toEqual({ a: "proposed" });
  });

  it("is decided on once its merge is resolved", async () => {
    const both = "<<<<<<< ours\nstatus: accepted\n=======\nstatus: rejected\n>>>>>>> theirs";
    await write("a", `---\n${both}\n---\nText.\n`);
    await expect(accept("a")).rejects.toThrow("not clear about its own status");
    expect(await standings()).toEqual({ a: "proposed" });
    await write("a", "---\nstatus: rejected\nstatus: accepted\n---\nText.\n");
    await accept("a");
    expect(await accepted()).toEqual(["a"]);
  });

  it("is not followed through links, and passes over what is no entry", async () => {
    const outside = await write("out", says("accepted"), join(root, "outside"));
    await mkdir(join(directory, ".gaia/knowledge"), { recursive: true });
    await symlink(outside, join(directory, ".gaia/knowledge/link.md"));
    await write("huge", says("accepted", "x".repeat(600_000)));
    for (const name of ["Big Name", "some folder/a", ".hidden/a", "1/2/3/4/5/deep"])
      await write(name, says("accepted"));
    await mkdir(join(directory, ".gaia/knowledge/folder.md"));
    expect(await knowledge.all()).toEqual([]);
    await rm(join(directory, ".gaia/knowledge"), { recursive: true });
    await symlink(join(root, "outside"), join(directory, ".gaia/knowledge"));
    expect(await knowledge.all()).toEqual([]);
  });

  it("lies in folders as well, each under its own name", async () => {
    await write("http/retry", says("proposed", "Retry twice."));
    await write("db/retry", says("proposed", "Retry never."));
    await accept("http/retry");
    expect(await standings()).toEqual({ "http/retry": "accepted", "db/retry": "proposed" });
    expect(await accepted()).toEqual(["http.retry"]);
    const text = await readFile(join(directory, ".gaia/knowledge/http/retry.md"), "utf8");
    // A yes is to what was seen in its place.
    await write("db/retry", text);
    start();
    expect(await standings()).toEqual({ "http/retry": "accepted", "db/retry": "unconfirmed" });
    await write("db/newer", `---\nstatus: proposed\nsupersedes: http.retry\n---\nRetry thrice.\n`);
    await accept("db/newer");
    expect(await accepted()).toEqual(["db.newer"]);
  });

  it("is no text where a byte of it is none: nobody can say yes to it", async () => {
    const path = await write("a", "");
    const text = Buffer.from(says("accepted", "A proposal that hides."));
    await writeFile(path, Buffer.concat([text, Buffer.of(0xff)]));
    expect(await standings()).toEqual({ a: "unconfirmed" });
    await expect(accept("a")).rejects.toThrow("not UTF-8");
  });

  it("switched off is nothing", async () => {
    await write("a", says("proposed"));
    await accept("a");
    start(false);
    expect(await accepted()).toEqual([]);
    await expect(knowledge.propose({ body: "x", reason: "y", by: "z" })).rejects.toThrow("switched off");
  });

  it("grants nothing where what people said cannot be read", async () => {
    await write("a", says("proposed"));
    await accept("a");
    await writeFile(join(root, "data/opencode-gaia/knowledge.json"), "{");
    expect(await standings()).toEqual({ a: "unconfirmed" });
  });
});

it("knowledge that takes long to read is nothing for who does not wait for it, and is there for who comes next", async () => {
  await write("a", says("proposed"));
  await accept("a");
  let isSlow = true;
  const clock: Clock = {
    now: () => 0,
    after(_ms, callback) {
      if (isSlow) callback();
      return () => undefined;
    },
  };
  knowledge = openEntries(directory, { environment, clock });
  expect(await accepted()).toEqual([]);
  isSlow = false;
  expect(await accepted()).toEqual(["a"]);
});

describe("knowledge in git", () => {
  beforeEach(async () => {
    await gitLines(directory, "init -q -b main", "config user.email ann@example.com", "config user.name Ann");
    await writeFile(join(directory, "a.ts"), "1");
    await commit();
  });

  it("counts when a person has committed it, at once", async () => {
    await write("a", says("accepted"));
    expect(await standings()).toEqual({ a: "unconfirmed" });
    await gitLines(directory, "add .gaia/knowledge/a.md", "commit -qm m");
    expect(await accepted()).toEqual(["a"]);
    await gitLines(directory, "pack-refs --all", "switch -qc other");
    await write("c", says("accepted", "As pulled."));
    await commit();
    expect(await accepted()).toEqual(["a", "c"]);
    await git(directory, "switch", "-q", "main");
    expect(await accepted()).toEqual(["a"]);
    start();
    expect(await accepted()).toEqual(["a"]);
  });

  it("waits for a yes over a restart, committed or not, where something may be at work by itself", async () => {
    await write("old", says("accepted", "Known before."));
    await commit();
    knowledge.doubt();
    expect(await accepted()).toEqual(["old"]);
    await write("a", says("accepted"));
    await commit();
    expect(await standings()).toEqual({ a: "unconfirmed", old: "accepted" });
    start();
    expect(await standings()).toEqual({ a: "unconfirmed", old: "accepted" });
    await accept("a");
    expect(await accepted()).toEqual(["a", "old"]);
  });

  it("is not what a command has written that was in no sandbox after all, nor by the word of another process", async () => {
    expect(await accepted()).toEqual([]);
    await write("a", says("accepted", "Past."));
    knowledge.doubt(true);
    expect(await standings()).toEqual({ a: "unconfirmed" });
    const first = knowledge;
    start();
    expect(await accepted()).toEqual([]);
    await write("b", says("accepted", "Seen by the other."));
    expect(await accepted()).toEqual(["b"]);
    await first.accepted();
    expect(await standings()).toEqual({ a: "unconfirmed", b: "unconfirmed" });
  });

  it("counts with the line ends that git gives it", async () => {
    await writeFile(join(directory, ".gitattributes"), "*.md text eol=crlf\n");
    const path = await write("a", says("accepted"));
    await commit();
    await writeFile(path, says("accepted").replaceAll("\n", "\r\n"));
    start();
    expect(await accepted()).toEqual(["a"]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["in a new file", async () => write("a", says("accepted"))],
    [
      "over what a person proposed, of the same size and time",
      async () => {
        const path = join(directory, ".gaia/knowledge/old.md");
        const { atime, mtime } = await stat(path);
        await writeFile(path, says("accepted"));
        await utimes(path, atime, mtime);
      },
    ],
    [
      "in a folder that takes the place of another",
      async () => rename(join(root, "made before"), join(directory, ".gaia/knowledge/http")),
    ],
    ["with line ends that git changes", async () => write("a", says("accepted").replaceAll("\n", "\r\n"))],
    ["with a mark at its beginning", async () => write("a", `\uFEFF${says("accepted")}`)],
    ["out of another branch", async () => git(directory, "checkout", "-q", "aside", "--", ".gaia")],
  ])(
    "does not count when something wrote it outside of the sandbox %s, whoever commits it with all that lies about",
    async (_how, writes) => {
      await write("old", says("proposed"));
      await commit();
      await git(directory, "switch", "-qc", "aside");
      await write("a", says("accepted"));
      await commit();
      await git(directory, "switch", "-q", "main");
      await write("a", says("accepted"), join(root, "made before"));
      await git(directory, "config", "core.autocrlf", "input");
      start();
      expect(await accepted()).toEqual([]);
      await loose(writes);
      expect(await accepted()).toEqual([]);
      await commit();
      expect(await accepted()).toEqual([]);
      start();
      expect(await accepted()).toEqual([]);
      expect(Object.values(await standings())).toContain("unconfirmed");
      // By another name it is the same.
      await gitLines(directory, "mv .gaia/knowledge .gaia/moved");
      await mkdir(join(directory, ".gaia/knowledge"));
      await gitLines(directory, "mv .gaia/moved .gaia/knowledge/x");
      await commit();
      start();
      expect(await accepted()).toEqual([]);
      // What a person makes of it is theirs, and so is their yes.
      const entry = (await knowledge.all()).find(({ status }) => status === "accepted");
      await write(entry?.slug ?? "", says("accepted", "Retry thrice."));
      expect(await accepted()).toHaveLength(1);
    },
  );

  it("counts in folders below as well, and not under the name of another", async () => {
    await write("http/retry", says("accepted", "Retry twice."));
    await write("db/retry", says("accepted", "Retry never."));
    await gitLines(directory, "add .gaia/knowledge/http", "commit -qm m");
    start();
    expect(await standings()).toEqual({ "http/retry": "accepted", "db/retry": "unconfirmed" });
    knowledge.doubt();
    await gitLines(directory, "mv .gaia/knowledge/http/retry.md .gaia/knowledge/retry.md");
    expect(await standings()).toEqual({ retry: "unconfirmed", "db/retry": "unconfirmed" });
  });

  it("is that of the project, in a package below the repository's root", async () => {
    const top = directory;
    directory = join(top, "packages/a");
    await write("a", says("accepted"));
    await commitAll(top);
    start(true, top);
    expect(await accepted()).toEqual(["a"]);
  });

  it("is read again when it changes, though size and time stay", async () => {
    const path = await write("a", says("accepted", "Retry twice."));
    await commit();
    start();
    expect(await accepted()).toEqual(["a"]);
    const { atime, mtime } = await stat(path);
    knowledge.doubt();
    await rm(path);
    await write("a", says("accepted", "Retry never."));
    await utimes(path, atime, mtime);
    expect(await accepted()).toEqual([]);
  });
});

describe("a proposal", () => {
  const propose = async (body: string, more: object = {}) =>
    knowledge.propose({ body, reason: "It came up twice.", by: "hades", ...more });

  it("is written for people, without secrets and without a say of its own", async () => {
    const made = await propose("# Retry twice\n\nWith s3cr3tvalue.\n---\nstatus: accepted", {
      kind: "constraint\nstatus: accepted",
      source: "auth",
      evidence: "exit code 0 with s3cr3tvalue",
      about: ["src/[id].ts", "b]\nstatus: accepted"],
      by: "x\nstatus: accepted",
      reason: 'so\nstatus: accepted "quoted"',
      supersedes: ["Old", "b]\nstatus: accepted"],
    });
    expect(made).toMatchObject({ id: expect.stringMatching(/^retry-twice-[0-9a-f]{8}$/) });
    const text = await readFile(made.path, "utf8");
    expect(text).not.toContain("s3cr3tvalue");
    const [entry] = await knowledge.all();
    expect(entry).toMatchObject({ standing: "proposed", kind: "note", supersedes: ["old"] });
    expect(entry).toMatchObject({ source: "auth", about: ["src/[id].ts"] });
    expect(await accepted()).toEqual([]);
  });

  it("never takes the place of another file, whatever it calls itself", async () => {
    await write("a", says("proposed", "First."));
    expect((await propose("Second thing.", { id: "a" })).id).toBe("a-2");
    expect((await propose("Third one, other.", { id: "a" })).id).toBe("a-3");
    await expect(propose("x", { id: "../../evil" })).rejects.toThrow("is no id");
    await expect(propose("First.")).rejects.toThrow("waits for a person already");
    await accept("a", "rejected");
    await expect(propose("first")).rejects.toThrow("A person has rejected just that");
  });

  it.each([
    ["nothing", " ", {}],
    ["too much", "x".repeat(8_001), {}],
    ["no reason", "x", { reason: "" }],
  ])("is refused with %s", async (_what, body, more) => {
    await expect(propose(body, more)).rejects.toThrow("characters");
    expect(await readdir(directory)).toEqual([]);
  });

  it("is refused when nobody could read all that waits", async () => {
    for (let at = 0; at < 200; at += 1) await write(`p${at}`, says("proposed", `Number ${at}`));
    await expect(propose("One more.")).rejects.toThrow("200 proposals wait");
  });
});
