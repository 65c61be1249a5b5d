import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { gaiaPr } from "../../../src/commands/reviews.ts";
import type { ToolCall } from "../../../src/host/port.ts";
import { isRefusal } from "../../../src/lib/error.ts";
import type { JsonRecord } from "../../../src/lib/json.ts";
import { type Clock, steadyClock } from "../../../src/lib/async.ts";
import { type Opened, openPullRequest } from "../../../src/extras/pull-requests/open.ts";
import type { Open } from "../../../src/extras/pull-requests/way.ts";
import { compose, ROOT, type Composition, planCalls, type PlanCalls } from "../../support/composition.ts";
import { sessionOf, keyed } from "../../support/fake-host.ts";
import { replyOf, typed } from "../../support/typed.ts";
const SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123";
const PLAN = `## Goal

Limits for @alice, with key ${SECRET}. Fixes #7.

## Tasks

- [ ] 1. Write the limiter
  - agent: hephaestus
  - files: limit.ts
  - verify: \`test -f limit.ts\`

## Done When

- [ ] \`test -s limit.ts\`
`;
/** Answers as the files beside it say, and writes down how it was called. */
const GH = readFileSync(join(import.meta.dirname, "fixtures/gh.sh"), "utf8");

const run = promisify(execFile);
let root: string;
let work: string;
let remote: string;
let composition: Composition;
let calls: PlanCalls;
let notes: string[];

const git = async (...args: string[]): Promise<string> => {
  const { stdout } = await run("git", ["-C", work, ...args]);
  return stdout.trim();
};
const gh = async (name: string, text: string): Promise<void> => writeFile(join(root, "bin", name), text);
const ghCalls = async (): Promise<string[][]> => {
  const text = await readFile(join(root, "bin/calls"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\u001F").filter(Boolean));
};
const body = async (): Promise<string> => readFile(join(root, "bin/body"), "utf8");
const pushed = async (branch = "feature"): Promise<string> => {
  const { stdout } = await run("git", [
    "-C",
    remote,
    "rev-parse",
    "--verify",
    "-q",
    `refs/heads/${branch}`,
  ]).catch(() => ({ stdout: "" }));
  return stdout.trim();
};
const wayOf = async (): Promise<Open> => ({
  kind: "open",
  program: join(root, "bin/gh"),
  branch: "feature",
  base: { host: "github.com", path: "acme/app" },
  commit: await git("rev-parse", "HEAD"),
  remote: "origin",
  fork: "",
  where: "github.com/acme/app",
  commands: [],
});
/** Opens the request past everything that asks. */
const push = async (clock: Clock): Promise<Opened> => {
  const way = await wayOf();
  const bodyFile = join(work, ".gaia/.local/pull-requests/limits.md");
  const at = { directory: work, clock, redact: (text: string) => text };
  return openPullRequest(way, { title: "T", bodyFile, isDraft: false }, at, new AbortController().signal);
};
const refused = (error: string | RegExp) => ({ ok: false, error: expect.stringMatching(error) });
/** A minute of waiting is over in a second and a half. */
const inHaste: Clock = { now: steadyClock.now, after: (ms, run) => steadyClock.after(ms / 40, run) };
const command = async (args = "") =>
  replyOf(
    await gaiaPr(
      args,
      typed({ conversation: await composition.conversation(), runtime: composition.runtime }),
    ),
  );
const request = async (): Promise<JsonRecord> => calls.plan("request_pr");
const setMode = async (value: "autopilot" | "locked" | "supervised"): Promise<void> =>
  (await composition.conversation()).dispatch({ type: "command", change: { knob: "mode", value } });

/** GAIA's call, with a dialog of another kind. */
async function gaiaCalls(call: ToolCall): Promise<object> {
  const conversation = await composition.conversation();
  const { extrasOf, supervision } = composition.runtime;
  return extrasOf(conversation).pullRequests.request(conversation, supervision.dialogs, call);
}

/** Types the command, and GAIA calls as she is told. */
async function open(args = ""): Promise<JsonRecord> {
  const { forModel } = await command(args);
  expect(forModel).toContain("request_pr");
  return request();
}

async function commit(file: string, text = "x\n"): Promise<void> {
  await writeFile(join(work, file), text);
  await git("add", file);
  await git("commit", "-qm", file);
}

/** The plan's work is done and shown by the host. */
async function prove(): Promise<void> {
  const { parts } = await composition.conversation();
  await calls.plan("update_plan", { slug: "limits", tick: ["1"] });
  // A person has approved its commands, so that they run where no sandbox is.
  await composition.runtime.workspace.approvePlan({ slug: "limits", base: null, by: "user" });
  const claims = await parts.checks.prove("limits", () => true, new AbortController().signal);
  expect(claims.map(({ standing }) => standing)).toEqual(["passes", "passes"]);
}

/** A repository and its remote as every test begins with, made once. */
let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), "gaia pr template "));
  root = template;
  [work, remote] = [join(root, "the work"), join(root, "the remote.git")];
  await mkdir(join(root, "bin"));
  await mkdir(work);
  await writeFile(join(root, "bin/gh"), GH);
  await chmod(join(root, "bin/gh"), 0o755);
  await gh("create.out", "https://github.com/acme/app/pull/1\n");
  await run("git", ["init", "-q", "--bare", "-b", "main", remote]);
  await git("init", "-q", "-b", "main");
  await git("config", "user.name", "T");
  await git("config", "user.email", "t@example.com");
  await commit("README.md");
  await git("remote", "add", "origin", "../the remote.git");
  await git("push", "-q", "origin", "main");
  await git("switch", "-qc", "feature");
  await commit("limit.ts", "export const limit = 1;\n");
});
afterAll(async () => rm(template, { recursive: true, force: true, maxRetries: 3 }));

async function begin(canAsk = true): Promise<void> {
  composition = await compose({}, { directory: work, project: work, worktree: work });
  composition.host.stored.set(ROOT, sessionOf(ROOT, { canAsk }));
  notes = [];
  composition.host.sessions.note = async (_id, _speaker, text) => void notes.push(text);
  calls = planCalls(composition);
}
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "gaia pr "));
  await cp(template, root, { recursive: true });
  [work, remote] = [join(root, "the work"), join(root, "the remote.git")];
  vi.stubEnv("PATH", `${join(root, "bin")}${delimiter}${process.env["PATH"] ?? ""}`);
  await begin();
  await calls.plan("create_work_unit", {
    slug: "limits",
    title: "Limits per user",
    content: { markdown: PLAN },
  });
});
afterEach(async () => rm(root, { recursive: true, force: true, maxRetries: 3 }));

describe("/gaia-pr", () => {
  it("pushes the branch and opens a request with what the record knows, once the user allows it", async () => {
    await prove();
    // Written by hand, past everything that takes secrets out.
    const parts = "## How\n```sh\n# count first\n```\nWhy\n===\n";
    const spec = `# Limits\n\n${parts}For @alice, with key ${SECRET}. Fixes #7.\nCloses gh-8, and resolves acme/app#9.\n${"x".repeat(5_820)} ${SECRET}\n`;
    await writeFile(join(work, ".gaia/limits/spec.md"), spec);
    const { forUser } = await command();
    expect(forUser).toMatch(/^As a pull request, limits: Limits per user\n\/.*limits\.md\n/);
    expect(await ghCalls()).toEqual([]);
    expect(await pushed()).toBe("");
    const result = await request();
    expect(calls.asked).toEqual([
      expect.stringMatching(
        /^gaia_approval: push feature \(1 commit\) to .*the remote\.git, outside of the project, and open or update its pull request$/,
      ),
    ]);
    expect(result).toEqual({
      ok: true,
      pull_request: "The pull request is open: https://github.com/acme/app/pull/1",
    });
    expect(await pushed()).toBe(await git("rev-parse", "HEAD"));
    const [list, create] = await ghCalls();
    expect(list?.slice(0, 3)).toEqual(["pr", "list", "--head=feature"]);
    expect(create?.slice(0, 4)).toEqual(["pr", "create", "--title=Limits per user", "--head=feature"]);
    const text = await body();
    expect(text).toContain("| 1. Write the limiter | limit.ts | limit.ts (+1 −0) | delivered |");
    expect(text).toMatch(/0 proven, 2 passes, 0 claimed on commit [0-9a-f]{12}, files [0-9a-f]{12}\./);
    expect(text).toContain(
      "| task 1: Write the limiter | passes | `test -f limit.ts` was not run before the work |",
    );
    expect(text).not.toContain(SECRET.slice(0, 12));
    expect(text).toContain("[REDACTED:key…0123]");
    expect(text).toContain("#### How\n```sh\n# count first\n```\nWhy\n===\nFor ");
    // Nobody is called, and nothing is closed, by words of a model.
    expect(text).not.toMatch(/@alice|Fixes #7|Closes gh|resolves acme/);
    expect(await readFile(join(work, ".gaia/limits/log.md"), "utf8")).toContain(
      "https://github.com/acme/app/pull/1",
    );
    // The same call again is nobody's wish.
    expect(await request()).toMatchObject({
      ok: false,
      error: "Only the user asks for this, with /gaia-pr.",
    });
  });

  it("makes a draft while something is not proven, says what, and what is left where the forge does not take it", async () => {
    const { forUser } = await command();
    expect(forUser).toMatch(/^As a draft pull request, limits[^]*- Not proven: task 1 is open\n/);
    await gh("create.code", "1");
    await gh("create.words", `No commits between main and feature, says ${SECRET}`);
    const result = await request();
    expect(calls.asked[0]).toContain("open or update its draft pull request");
    const { outbox } = await composition.conversation();
    expect(result).toMatchObject(
      refused(/^The branch is pushed, its request is not as it should be\. gh says: No commits between/),
    );
    expect(JSON.stringify(result)).not.toContain(SECRET);
    await outbox.flush();
    expect(notes.at(-1)).toContain("gh pr create --draft --title='Limits per user'");
    await rm(join(root, "bin/create.code"));
    expect(await open()).toMatchObject({ ok: true });
    expect((await ghCalls()).at(-1)).toContain("--draft");
    expect(await body()).toContain("- Not proven: task 1 is open");
  });

  it("ends a forge that never answers, and says that nobody knows what came of it", async () => {
    await command();
    await gh("hangs", "list");
    expect(await push(inHaste)).toMatchObject({
      ok: false,
      commands: [],
      text: "Nothing was pushed. gh says: gh did not answer within 60 s",
    });
    expect(await pushed()).toBe("");
    await gh("hangs", "create");
    expect(await push(inHaste)).toMatchObject({
      commands: [],
      text: "The branch is pushed, its request is not as it should be, or is on its way. gh says: gh did not answer within 60 s",
    });
    expect(await pushed()).toBe(await git("rev-parse", "HEAD"));
  });
});

describe("nothing is pushed", () => {
  const nothing = async (): Promise<void> => {
    expect(await pushed()).toBe("");
    expect((await ghCalls()).filter(([, verb]) => verb !== "list")).toEqual([]);
  };

  it("in a locked session, without the user's wish, on their no or by a rule, in autopilot as little", async () => {
    const conversation = await composition.conversation();
    await setMode("locked");
    expect((await command()).forModel).toContain("The session is locked.");
    expect(existsSync(join(work, ".gaia/.local/pull-requests"))).toBe(false);
    await setMode("supervised");
    expect(await request()).toMatchObject({ ok: false });
    await command();
    // They have said something else since.
    conversation.userSpoke("message");
    expect(await request()).toMatchObject({ ok: false });
    expect(calls.asked).toEqual([]);
    calls.answer = "no";
    const error = "Nothing was pushed. The user said no.";
    expect(await open()).toMatchObject({ ok: false, error });
    // It takes nothing back that they allowed.
    expect(conversation.state.rejection).toBeNull();
    await conversation.outbox.flush();
    expect(notes.join("\n")).toMatch(
      /You can:\n {4}git push -- origin refs\/heads\/feature\n {4}gh pr create --draft/,
    );
    calls.answer = null;
    expect(await open()).toMatchObject({
      error: "Nothing was pushed. No human was asked, so nothing is approved.",
    });
    await setMode("autopilot");
    calls.answer = "no";
    expect(await open()).toMatchObject({ ok: false });
    expect(calls.asked).toHaveLength(3);
    await nothing();
  });

  it("when the dialog fails, hangs past Esc, or something is committed while it stands open", async () => {
    const stop = new AbortController();
    let yes: (answer: { approved: true }) => void = () => undefined;
    const made = async (ask: ToolCall["ask"], { signal: abort } = new AbortController()) => {
      await command();
      const callId = keyed("c");
      return gaiaCalls({ sessionId: ROOT, messageId: "m", callId, agent: "gaia", abort, ask });
    };
    expect(isRefusal(await made(async () => ({ approved: false, feedback: null })))).toBe(true);
    const thrown = made(async () => Promise.reject(new Error("gone")));
    expect(await thrown.then(isRefusal, () => true)).toBe(true);
    const hanging = async () =>
      new Promise<{ approved: true }>((resolve) => {
        yes = resolve;
        stop.abort();
      });
    expect(await made(hanging, stop)).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/^Nothing was pushed\..* stopped /),
    });
    // A yes comes later.
    yes({ approved: true });
    await nothing();
    await command();
    Object.defineProperty(calls, "answer", {
      get() {
        execFileSync("git", ["-C", work, "commit", "-q", "--allow-empty", "-m", "Late"]);
        return "yes";
      },
    });
    expect(await request()).toMatchObject(refused("something changed"));
    await nothing();
  });

  it("past a hook of the user's or a rule of the remote, or over commits of others", async () => {
    const [hook, rule] = [join(work, ".git/hooks/pre-push"), join(remote, "hooks/pre-receive")];
    await writeFile(hook, "#!/bin/sh\necho not on Fridays >&2\nexit 1\n", { mode: 0o755 });
    expect(await open()).toMatchObject(refused("not on Fridays"));
    expect(calls.asked[0]).toContain("pre-push runs as it is, outside of the sandbox");
    await rm(hook);
    const refusal = "#!/bin/sh\necho GH006: Protected branch update failed >&2\nexit 1\n";
    await writeFile(rule, refusal, { mode: 0o755 });
    expect(await open()).toMatchObject(refused("GH006"));
    await nothing();
    await rm(rule);
    await git("push", "-q", "origin", "feature");
    await git("commit", "-q", "--amend", "-m", "Rewritten");
    const before = await pushed();
    expect(await open()).toMatchObject(refused("rejected"));
    expect(await pushed()).toBe(before);
  });
});

describe("by hand, with the text written", () => {
  const program = async (path: string): Promise<void> => {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, GH, { mode: 0o755 });
  };
  const HAND: readonly (readonly [string, () => Promise<unknown>, RegExp])[] = [
    [
      "without gh",
      async () => rm(join(root, "bin/gh")),
      /gh is not installed[^]*git push -- origin refs\/heads\/feature\n/,
    ],
    [
      "with a gh that the project brought along",
      async () => {
        await program(join(work, "bin/gh"));
        vi.stubEnv("PATH", `${join(work, "bin")}${delimiter}${process.env["PATH"] ?? ""}`);
      },
      /gh is not installed/,
    ],
    [
      "on the default branch",
      async () => {
        await program(join(root, "bin/gh"));
        await git("switch", "-q", "main");
      },
      /others begin at main, which is never pushed[^]*git switch -c gaia\/limits\n/,
    ],
    [
      "on no branch",
      async () => git("switch", "-q", "--detach", "feature"),
      /HEAD is on no branch[^]*git switch -c gaia\/limits\n/,
    ],
    [
      "with several remotes and no word",
      async () => {
        await git("switch", "-q", "feature");
        await git("remote", "rename", "origin", "one");
        await git("remote", "add", "two", remote);
        await git("config", "--unset-all", "branch.feature.remote").catch(() => null);
      },
      /to which remote it goes[^]*git config remote\.pushDefault <name>/,
    ],
    [
      "without a remote",
      async () => {
        for (const name of ["one", "two"]) await git("remote", "remove", name);
      },
      /there is no remote[^]*git remote add origin <url>\n[^]*gh pr create --draft --title='Limits per user' --head=feature --body-file='.*limits\.md'/,
    ],
  ];

  it("where it cannot be pushed, or nobody says where to; and it says which units there are", async () => {
    const bodyFile = join(work, ".gaia/.local/pull-requests/limits.md");
    for (const [where, prepare, words] of HAND) {
      await prepare();
      await rm(bodyFile, { force: true });
      const { forUser, forModel } = await command();
      expect(forUser, where).toMatch(words);
      expect(forModel, where).not.toContain("request_pr");
      expect(await readFile(bodyFile, "utf8")).toContain("## Evidence");
      expect(await request(), where).toMatchObject({ ok: false });
      expect(await pushed()).toBe("");
    }
    expect((await command("nothing")).forModel).toContain(
      'There is no work unit "nothing". There are: limits.',
    );
  });
});
