import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createHostRuns } from "../../src/checks/host-runs.ts";
import { systemClock } from "../../src/lib/async.ts";
import { describeError } from "../../src/lib/error.ts";
import { createContainment, type Containment } from "../../src/sandbox/containment.ts";
import { explainFailure } from "../../src/sandbox/explain-failure.ts";
import type { ContainmentInput } from "../../src/sandbox/port.ts";
import type { ContainmentProfile } from "../../src/sandbox/profile.ts";
import { type CommitEnd, type Draft, openDraft } from "../../src/commit/commit.ts";

export const WRITE: ContainmentProfile = { project: "write", network: false, caches: true };
export const READ: ContainmentProfile = { project: "read", network: false, caches: false };

/** What a command printed, and how it ended. */
export interface Ran {
  readonly status: number | null;
  readonly output: string;
  readonly finished: ReturnType<Containment["finish"]>;
}

/** A home, a project with a repository, and a folder beside it, in which anything may happen. */
export type World = ReturnType<typeof openWorld>;

/** Makes a world, not below a temporary folder, which a containment replaces. */
export function openWorld(given: Partial<ContainmentInput> = {}) {
  const base = /^\/(?:var\/)?tmp\//u.test(realpathSync(".")) ? homedir() : "node_modules";
  const root = realpathSync(mkdtempSync(join(base, ".world-")));
  const [home, project, outside] = [join(root, "home"), join(root, "project"), join(root, "outside")];
  const files = {
    [join(home, ".ssh/id_ed25519")]: "KEY-OF-THE-USER\n",
    [join(home, ".npmrc")]: "//registry/:_authToken=TOKEN-OF-THE-USER\n",
    [join(home, ".npm/_cacache/index")]: "index\n",
    [join(home, ".bashrc")]: "# the user's\n",
    [join(outside, "file")]: "as it was\n",
    [join(project, "a.txt")]: "one\n",
    [join(project, ".env")]: "PASSWORD=hunter2-hunter2\n",
    [join(project, ".gaia/config.jsonc")]: "{}\n",
  };
  /** Puts a file into the project, or at an absolute path; what begins as a script may be run. */
  const write = (path: string, text: string) => {
    const file = resolve(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, text.startsWith("#!") ? 0o755 : 0o644);
    return file;
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const environment: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    OUTSIDE: outside,
    PROJECT: project,
    API_TOKEN: "TOKEN-OF-THE-ENVIRONMENT",
    GIT_CONFIG_NOSYSTEM: "1",
    // Where a project has lost its repository, git would find the one around it: this one.
    GIT_CEILING_DIRECTORIES: root,
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  /** Runs git in the project as the user would. */
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: project, env: environment, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("add", "a.txt");
  git("commit", "-q", "-m", "One");
  const shell = given.shell?.() ?? "/bin/bash";
  const containment = createContainment({
    platform: "linux",
    architecture: process.arch,
    environment,
    home,
    project,
    clock: systemClock,
    shell: () => shell,
    writable: [],
    allowSensitive: [],
    // Those of tests that run beside this one come and go.
    hides: (path) => path.startsWith(`${root}/`),
    ...given,
  });
  let calls = 0;
  return {
    root,
    home,
    project,
    outside,
    environment,
    containment,
    git,
    write,
    read: (path: string) => readFileSync(resolve(project, path), "utf8"),
    /** Runs a command as OpenCode does. @param profile null for one that nothing contains */
    async run(command: string, profile: ContainmentProfile | null, folder = project): Promise<Ran> {
      const callId = `call_${(calls += 1)}`;
      if (profile !== null) await containment.ready();
      const variables = profile === null ? {} : await containment.wrap({ callId, folder, profile });
      const env = { ...environment, ...variables };
      const child = spawn(shell, ["-c", command], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk) => (output += String(chunk)));
      const [status] = (await once(child, "exit")) as [number | null];
      await new Promise((done) => setTimeout(done, 30));
      return { status, output, finished: containment.finish(callId) };
    },
    /** What GAIA would say of a command that failed. */
    explain: ({ output, finished }: Ran) =>
      finished === null ? null : explainFailure(output, finished.profile, true),
    close() {
      containment.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Makes a commit as the host does, of these files or of all that differs. */
export async function hostCommit(
  { git, project, containment }: World,
  hooks: "contained" | "uncontained" = "contained",
  { directory = project, paths }: { readonly directory?: string; readonly paths?: readonly string[] } = {},
): Promise<CommitEnd | { readonly kind: "problem"; readonly why: string }> {
  git("config", "user.name", "T");
  git("config", "user.email", "t@example.com");
  const runs = createHostRuns(
    { mode: "auto", hooks },
    async () => containment,
    async () => Promise.reject(new Error("hooks are not examined")),
  );
  let draft: Draft | null = null;
  try {
    draft = await openDraft("git", { directory }, runs.hooks);
    await draft.stage(paths ?? draft.changed.map(({ path }) => path));
    return await draft.make("Work", async () => undefined);
  } catch (error) {
    return { kind: "problem", why: describeError(error) };
  } finally {
    await draft?.dispose();
  }
}

/** Whether there is a program of this name. */
export function has(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}
