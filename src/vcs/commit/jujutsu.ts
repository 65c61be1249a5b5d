import { runBoundedProcess } from "../../process/bounded-process.ts";
import { cutRecord } from "../exclusions.ts";
import { parseUnifiedDiff } from "../unified-diff.ts";
import type { Draft } from "./draft.ts";
import { firstLine, problem, type CommitProblem } from "./repository.ts";
import type { GitAnswer, GitPlace } from "./users-git.ts";

const LIMIT_MS = 60_000;
const GRACE_MS = 2_000;
const MAX_BYTES = 8_000_000;
const PARENT = ["log", "--revisions=@-", "--no-graph", "--limit=1", "--template=commit_id"];

/** Jujutsu has no hooks and no index: it commits files by name and leaves the others in the working copy. */
export async function openJujutsuDraft(place: GitPlace): Promise<Draft | CommitProblem> {
  const diff = await jj(place, ["diff", "--git"]);
  if (!diff.ok) return problem(`jj refuses: ${firstLine(diff.said)}`);
  const parent = async (): Promise<string | null> => {
    const { ok, out } = await jj(place, PARENT);
    return ok ? out.trim() : null;
  };
  const from = await parent();
  let taken: readonly string[] = [];
  return {
    changed: parseUnifiedDiff(cutRecord(diff.out)).map(({ path }) => ({ path, isNested: false })),
    unfinished: null,
    branch: "@-",
    from,
    async stage(paths) {
      taken = paths;
      return null;
    },
    staged: () => null,
    newest: async () => null,
    async make(message, made) {
      const files = taken.map((path) => `root-file:${JSON.stringify(path)}`);
      const { ok, said } = await jj(place, ["commit", `--message=${message}`, "--", ...files]);
      const id = await parent();
      if (!ok || id === null || id === from) return problem(`jj refuses: ${firstLine(said)}`);
      await made(id);
      return { kind: "made", id };
    },
    dispose: async () => undefined,
  };
}

async function jj({ directory, clock, signal }: GitPlace, args: readonly string[]): Promise<GitAnswer> {
  const [out, said]: [Buffer[], Buffer[]] = [[], []];
  const ending = await runBoundedProcess({
    command: ["jj", "--no-pager", "--color=never", ...args],
    cwd: directory,
    env: process.env,
    timeoutMs: LIMIT_MS,
    graceMs: GRACE_MS,
    signal,
    clock,
    output: {
      maxBytes: MAX_BYTES,
      write: (source, chunk) => void (source === "stdout" ? out : said).push(chunk),
    },
  });
  return {
    ok: ending.kind === "exited" && ending.code === 0,
    out: Buffer.concat(out).toString("utf8"),
    said: ending.kind === "unstartable" ? ending.problem : Buffer.concat(said).toString("utf8").trim(),
  };
}
