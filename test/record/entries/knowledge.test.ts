import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import {
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import type { Knowledge } from "../../../src/record/knowledge.ts";
import { systemClock, type Clock } from "../../../src/lib/clock.ts";
import { silentLogger } from "../../../src/lib/logger.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { git } from "../../checks/project.ts";
import { openEntries } from "../../support/entries.ts";

let root: string;
let directory: string;
let environment: NodeJS.ProcessEnv;
let knowledge: Knowledge;

/** How often it is looked at what something left at work writes. */
const FOLLOW_MS = 1_000;
let follows = 0;
/** How long that look may take, and what happens while it does. */
const SCAN_MS = 2_000;
let meanwhile = (): void => undefined;
let isLooking = false;
/** Nothing here is about how long a busy machine takes. */
const PATIENT: Clock = {
  now: systemClock.now,
  after(ms, callback) {
    if (ms === FOLLOW_MS) follows += 1;
    if (ms === SCAN_MS && isLooking) meanwhile();
    isLooking = false;
    if (ms !== FOLLOW_MS) return systemClock.after(ms + 20_000, callback);
    return systemClock.after(ms, () => {
      isLooking = true;
      callback();
    });
  },
};

/** As a new process of OpenCode's. */
const start = (enabled = true, follows = true, worktree = directory): void => {
  const redact = createRedactor({ API_TOKEN: "s3cr3tvalue" });
  const host = { worktree, logger: silentLogger };
  const { timeoutMs } = defaultConfig().knowledge;
  knowledge = openEntries(directory, {
    environment,
    clock: PATIENT,
    host,
    redact,
    enabled,
    follows,
    timeoutMs,
  });
};
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "knowledge-"));
  directory = join(root, "project");
  await mkdir(directory);
  environment = { XDG_CONFIG_HOME: join(root, "config"), XDG_DATA_HOME: join(root, "data") };
  start();
});
afterEach(async () => rm(root, { recursive: true, force: true, maxRetries: 5 }));

const write = async (
  name: string,
  text: string,
  folder = join(directory, ".gaia/knowledge"),
): Promise<string> => {
  const path = join(folder, `${name}.md`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
};
const says = (status: string, body = "Retry twice."): string => `---\nstatus: ${status}\n---\n${body}\n`;
const repository = async (): Promise<void> => {
  await git(directory, "init", "-q", "-b", "main");
  await git(directory, "config", "user.email", "ann@example.com");
  await git(directory, "config", "user.name", "Ann");
  await writeFile(join(directory, "a.ts"), "1");
  await commit();
};
const commit = async (): Promise<void> => {
  await git(directory, "add", "-A");
  await git(directory, "commit", "-qm", "m");
};
/** What an agent's call does while it is watched. */
const call = async (work: () => Promise<unknown>): Promise<void> => {
  const end = knowledge.begins();
  await work();
  await end(true);
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
    knowledge.mark();
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
    const end = knowledge.begins();
    await writeFile(path, (await readFile(path, "utf8")).replace("twice", "for ever"));
    await end(true);
    expect(await standings()).toEqual({ a: "unconfirmed" });
  });

  it("stops counting when a person rejects it, and stays so when the file is put back", async () => {
    const path = await write("a", says("proposed"));
    await accept("a");
    const before = await readFile(path, "utf8");
    await accept("a", "rejected");
    expect(await standings()).toEqual({ a: "rejected" });
    const end = knowledge.begins();
    await writeFile(path, before);
    await end(true);
    expect(await standings()).toEqual({ a: "unconfirmed" });
  });

  it("counts as a person writes it while no agent is at work, and what came meanwhile does not", async () => {
    const path = await write("a", says("proposed"));
    expect(await accepted()).toEqual([]);
    await writeFile(path, says("accepted"));
    expect(await accepted()).toEqual(["a"]);
    start();
    expect(await accepted()).toEqual(["a"]);
    const end = knowledge.begins();
    await writeFile(path, says("accepted", "Retry for ever."));
    await end(true);
    expect(await standings()).toEqual({ a: "unconfirmed" });
    knowledge.doubt();
    await writeFile(path, says("accepted", "Retry for a day."));
    expect(await standings()).toEqual({ a: "unconfirmed" });
  });

  it("of the user's own counts by its file, which no agent can write, and gives way to the project's", async () => {
    await write("a", says("accepted", "Mine."), join(root, "config/opencode/gaia-knowledge"));
    await write("b", says("proposed"), join(root, "config/opencode/gaia-knowledge"));
    expect(await accepted()).toEqual(["a"]);
    await write("a", says("proposed", "Ours."));
    expect((await knowledge.accepted()).map(({ body }) => body)).toEqual(["Mine."]);
    const ours = (await knowledge.all()).find(({ scope }) => scope === "project");
    if (ours !== undefined)
      await knowledge.settle({ entry: ours, status: "accepted", reason: "", by: "Ann" });
    expect((await knowledge.accepted()).map(({ body }) => body)).toEqual(["Ours."]);
  });

  it("is not followed through links, and passes over what is no entry", async () => {
    const outside = await write("out", says("accepted"), join(root, "outside"));
    await mkdir(join(directory, ".gaia/knowledge"), { recursive: true });
    await symlink(outside, join(directory, ".gaia/knowledge/link.md"));
    await write("Big Name", says("accepted"));
    await write("huge", says("accepted", "x".repeat(600_000)));
    await write("some folder/a", says("accepted"));
    await write(".hidden/a", says("accepted"));
    await write("1/2/3/4/5/deep", says("accepted"));
    await mkdir(join(directory, ".gaia/knowledge/folder.md"));
    expect(await knowledge.all()).toEqual([]);
    await rm(join(directory, ".gaia/knowledge"), { recursive: true });
    await symlink(join(root, "outside"), join(directory, ".gaia/knowledge"));
    expect(await knowledge.all()).toEqual([]);
  });

  it("switched off is nothing", async () => {
    await write("a", says("accepted"), join(root, "config/opencode/gaia-knowledge"));
    start(false);
    expect(await accepted()).toEqual([]);
    await expect(knowledge.propose({ body: "x", reason: "y", by: "z" })).rejects.toThrow("switched off");
  });
});

describe("knowledge in git", () => {
  beforeEach(repository);

  it("counts when a person has committed it, at once, between the calls of agents as well", async () => {
    await write("a", says("accepted"));
    expect(await standings()).toEqual({ a: "unconfirmed" });
    await call(async () => write("b", says("accepted", "Written by an agent.")));
    expect(await standings()).toEqual({ a: "unconfirmed", b: "unconfirmed" });
    await git(directory, "add", ".gaia/knowledge/a.md");
    await git(directory, "commit", "-qm", "m");
    expect(await accepted()).toEqual(["a"]);
    await knowledge.begins()(false);
    await git(directory, "pack-refs", "--all");
    await write("c", says("accepted", "As pulled."));
    await git(directory, "add", ".gaia/knowledge/c.md");
    await git(directory, "commit", "-qm", "m");
    expect(await accepted()).toEqual(["a", "c"]);
    await git(directory, "switch", "-qc", "other", "HEAD~1");
    expect(await accepted()).toEqual(["a"]);
    start();
    expect(await accepted()).toEqual(["a"]);
  });

  it("does not count when an agent's call commits it", async () => {
    await write("old", says("accepted", "Known before."));
    await commit();
    start();
    await call(async () => {
      await write("a", says("accepted"));
      await commit();
    });
    expect(await standings()).toEqual({ a: "unconfirmed", old: "accepted" });
    // What a person commits on top of it makes it no more than it was.
    await writeFile(join(directory, "a.ts"), "2");
    await commit();
    expect(await standings()).toEqual({ a: "unconfirmed", old: "accepted" });
    start();
    expect(await standings()).toEqual({ a: "unconfirmed", old: "accepted" });
    // The one who reads it can still say yes to it.
    await accept("a");
    expect(await accepted()).toEqual(["a", "old"]);
  });

  it("counts though an agent commits on top of what a person committed, or pulled, after something may have gone on", async () => {
    await write("old", says("accepted", "Known before."));
    await commit();
    start();
    await standings();
    knowledge.doubt();
    await write("a", says("accepted"));
    await commit();
    await call(async () => {
      await git(directory, "switch", "-qc", "feature");
      await write("b", says("accepted", "An agent's."));
      await commit();
    });
    start();
    expect(await standings()).toEqual({ a: "accepted", b: "unconfirmed", old: "accepted" });
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
      async () => {
        await rename(join(root, "made before"), join(directory, ".gaia/knowledge/http"));
      },
    ],
    ["with line ends that git changes", async () => write("a", says("accepted").replaceAll("\n", "\r\n"))],
    ["with a mark at its beginning", async () => write("a", `\uFEFF${says("accepted")}`)],
    ["out of another branch", async () => git(directory, "checkout", "-q", "aside", "--", ".gaia")],
    [
      "by a command of the host's that nothing contains",
      async () => knowledge.freely(async () => write("a", says("accepted"))),
    ],
  ])(
    "does not count when an agent's call wrote it %s, whoever commits it with all that lies about",
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
      await call(writes);
      await commit();
      expect(await accepted()).toEqual([]);
      start();
      expect(await accepted()).toEqual([]);
      expect(Object.values(await standings())).toContain("unconfirmed");
      // By another name it is the same.
      await git(directory, "mv", ".gaia/knowledge", ".gaia/moved");
      await mkdir(join(directory, ".gaia/knowledge"));
      await git(directory, "mv", ".gaia/moved", ".gaia/knowledge/x");
      await commit();
      start();
      expect(await accepted()).toEqual([]);
      // What a person makes of it is theirs, and so is their yes.
      const entry = (await knowledge.all()).find(({ status }) => status === "accepted");
      await write(entry?.slug ?? "", says("accepted", "Retry thrice."));
      await commit();
      start();
      expect(await accepted()).toHaveLength(1);
    },
  );

  it.runIf(process.platform === "linux")(
    "does not count when something wrote it that a call had left at work",
    async () => {
      await call(async () => {
        const script =
          'sleep 0.3; mkdir -p .gaia/knowledge; printf %s "$TEXT" > .gaia/knowledge/a.md; sleep 0.1';
        const env = { ...process.env, ...knowledge.doubt(), TEXT: says("accepted") };
        spawn("sh", ["-c", script], { cwd: directory, env, detached: true, stdio: "ignore" }).unref();
      });
      expect(await standings()).toEqual({});
      await expect.poll(standings, { timeout: 10_000 }).toEqual({ a: "unconfirmed" });
      await pause(2 * FOLLOW_MS);
      await write("b", says("accepted", "A person's, once nothing is left."));
      await commit();
      start();
      expect(await standings()).toEqual({ a: "unconfirmed", b: "accepted" });
    },
  );

  it("counts where a call only put back what people had committed, or brought what others had pushed", async () => {
    const path = await write("a", says("accepted"));
    await commit();
    await git(directory, "switch", "-qc", "other");
    await write("b", says("accepted", "Theirs."));
    await commit();
    await git(directory, "update-ref", "refs/remotes/origin/main", "other");
    await write("c", says("accepted", "Nobody has pushed it."));
    await commit();
    await git(directory, "switch", "-q", "main");
    start();
    await call(async () => rm(path));
    await call(async () => git(directory, "checkout", "-q", "--", "."));
    expect(await accepted()).toEqual(["a"]);
    await call(async () => git(directory, "merge", "-q", "--ff-only", "origin/main"));
    expect(await accepted()).toEqual(["a", "b"]);
    await call(async () => git(directory, "merge", "-q", "--ff-only", "other"));
    start();
    expect(await standings()).toEqual({ a: "accepted", b: "accepted", c: "unconfirmed" });
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
    expect(made).toMatchObject({ id: expect.stringMatching(/^retry-twice-[0-9a-f]{8}$/), duplicates: [] });
    const text = await readFile(made.path, "utf8");
    expect(text).not.toContain("s3cr3tvalue");
    const [entry] = await knowledge.all();
    expect(entry).toMatchObject({
      standing: "proposed",
      kind: "note",
      supersedes: ["old"],
      source: "auth",
      about: ["src/[id].ts"],
    });
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
});
