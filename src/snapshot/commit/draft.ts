import type { VcsType } from "../../contracts/contract.ts";
import { isMadeOf, makeCommit, type CommitEnd } from "./make.ts";
import { openPrivateIndex } from "./private-index.ts";
import { findUnfinished, openForCommit, type CommitProblem, firstLine, problem } from "./repository.ts";
import type { HookSandbox } from "./hooks.ts";
import type { UsersGitPlace } from "./users-git.ts";
import type { ProgramEnd } from "../../process/run-program.ts";
import { askJj, PARENT } from "../uncommitted.ts";
import { RECORD } from "../uncommitted.ts";
import { parseUnifiedDiff } from "../unified-diff.ts";

/** A file that no commit holds as it is. */
export interface UncommittedPath {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** A repository of its own that is no submodule: a commit would hold none of its files. */
  readonly isNested: boolean;
}

export interface Draft {
  readonly changed: readonly UncommittedPath[];
  /** What the user has begun and not ended: a rebase, a merge, a conflict; null for nothing. */
  readonly unfinished: string | null;
  /** What moves, and from where; for a person. */
  readonly branch: string;
  readonly from: string | null;
  /** Takes these files as they are on disk now. @returns why it cannot */
  stage(paths: readonly string[]): Promise<CommitProblem | null>;
  /** The tree of what it took; null before, and in Jujutsu, which has no hooks that outlive it. */
  staged(): string | null;
  /** The newest commit, where it holds this tree and follows that one alone; null for any other. */
  newest(of: { readonly from: string | null; readonly tree: string }): Promise<string | null>;
  /** @param made told as soon as it is there, before hooks that follow */
  make(message: string, made: (id: string) => Promise<void>): Promise<CommitEnd>;
  dispose(): Promise<void>;
}

export async function openDraft(
  kind: Exclude<VcsType, "none">,
  place: UsersGitPlace,
  hooks: HookSandbox,
): Promise<Draft | CommitProblem> {
  return kind === "jj" ? openJujutsuDraft(place) : openGitDraft(place, hooks);
}

async function openGitDraft(place: UsersGitPlace, hooks: HookSandbox): Promise<Draft | CommitProblem> {
  const repository = await openForCommit(place);
  if ("kind" in repository) return repository;
  const { prefix, head, ref } = repository;
  const unfinished = await findUnfinished(repository);
  const index = await openPrivateIndex(repository, hooks);
  if ("kind" in index) return index;
  let tree: string | null = null;
  return {
    changed: index.changed.map(({ path }) => {
      const isNested = path.endsWith("/");
      return { path: path.slice(prefix.length, isNested ? -1 : undefined), isNested };
    }),
    unfinished,
    branch: ref.replace(/^refs\/heads\//u, ""),
    from: head,
    async stage(paths) {
      const staged = await index.stage(paths.map((path) => `${prefix}${path}`));
      if (typeof staged !== "string") return staged;
      tree = staged;
      return null;
    },
    staged: () => tree,
    newest: async (of) => ((await isMadeOf(repository, head, of)) ? head : null),
    async make(message, made) {
      if (tree === null) throw new Error("Nothing was staged.");
      return makeCommit(index, tree, message, { made, hooks });
    },
    dispose: index.dispose,
  };
}

/** Who signs may be asked for a password. */
const LIMIT_MS = 60_000;
const MAX_BYTES = 8_000_000;

/** Jujutsu has no hooks and no index: it commits files by name and leaves the others in the working copy. */
async function openJujutsuDraft(place: UsersGitPlace): Promise<Draft | CommitProblem> {
  const diff = await jj(place, ["diff", "--git"]);
  if (!diff.ok) return problem(`jj refuses: ${firstLine(diff.words)}`);
  const parent = async (): Promise<string | null> => {
    const { ok, text } = await jj(place, PARENT);
    return ok ? text.trim() : null;
  };
  const from = await parent();
  let taken: readonly string[] = [];
  const changed = parseUnifiedDiff(diff.text).filter(({ path }) => !`/${path}`.includes(`/${RECORD}/`));
  return {
    changed: changed.map(({ path }) => ({ path, isNested: false })),
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
      const { ok, words } = await jj(place, ["commit", `--message=${message}`, "--", ...files]);
      const id = await parent();
      if (!ok || id === null || id === from) return problem(`jj refuses: ${firstLine(words)}`);
      await made(id);
      return { kind: "made", id };
    },
    dispose: async () => undefined,
  };
}

const jj = async (place: UsersGitPlace, args: readonly string[]): Promise<ProgramEnd> =>
  askJj(place.directory, args, { timeoutMs: LIMIT_MS, signal: place.signal, maxBytes: MAX_BYTES });
