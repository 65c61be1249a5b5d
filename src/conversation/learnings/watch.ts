import { headlineOf } from "../../process/output.ts";
import { excerpt, wordsIn } from "../../lib/text.ts";
import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import type { Trees } from "../../snapshot/vcs.ts";
import { type FileVersion, isSame, type TreeChange } from "../../snapshot/version.ts";
import type { EntryDraft } from "../../record/knowledge.ts";

const MAX_KEPT = 24;
const MAX_FILES = 5;
/** Files of a turn that are looked at; what the user does with more of them is not seen. */
const MAX_CHANGES = 100;
const MAX_COMMAND = 100;
const MAX_ERROR = 140;
const MAX_TEXT = 160;
const MAX_WORDS = 180;

/** For these a non-zero exit is an answer, not an error. */
const ASKING = new Set("grep rg egrep fgrep ls cat find test [ diff cmp which command git jj".split(" "));

/** By command, what failed last, and which files were changed since. */
type Failures = Map<string, { readonly error: string; readonly files: readonly string[] }>;

export interface Observation extends Required<
  Pick<EntryDraft, "kind" | "body" | "evidence" | "about" | "reason">
> {
  readonly isOwnWords: boolean;
}

interface WatchInput {
  readonly trees: Pick<Trees, "versionNow">;
  /** From now on: whether a file is as it is by any call, or because another branch is checked out. */
  watchOthers(): (path: string, now: FileVersion) => boolean;
  /** Decisions of the record that share words with a question, each as `question → answer`. */
  decidedBefore(question: string): Promise<readonly string[]>;
  propose(seen: Observation): void;
}

/**
 * Sees what the user refused or took back, a failed command that passes after a change, and an answer given again. Paths are
 * relative to the project.
 */
export type LearningWatch = ReturnType<typeof createLearningWatch>;

export function createLearningWatch({ trees, watchOthers, decidedBefore, propose }: WatchInput) {
  /** By worktree; empty for the project. */
  const trails = new Map<string, Failures>();
  /** The files of an edit, by its call and by the dialog about it. */
  const edits = new Map<string, readonly string[]>();
  /** Files of the newest rejection, until the user explains it. */
  let unexplained: readonly string[] = [];
  /** What the last turn left, and what calls have touched since. */
  let left: readonly TreeChange[] = [];
  let isOthers = watchOthers();
  const touched = new Set<string>();
  /** Changes that were taken back: each is told once. */
  const judged = new Set<string>();

  const seen = (
    kind: string,
    body: string,
    reason: string,
    { evidence = "", about = [], isOwnWords = false }: Partial<Observation>,
  ): void => propose({ kind, body, reason, evidence, about, isOwnWords });
  const unwanted = (paths: readonly string[], words: string): void => {
    if (paths.length === 0 || words === "") return;
    const about = paths.slice(0, MAX_FILES);
    const reason = "said where a change was refused or taken back";
    seen("correction", excerpt(words, MAX_WORDS), reason, { about, isOwnWords: true });
  };
  const changed = (paths: readonly string[]): void => {
    for (const path of paths) touched.add(path);
  };
  /** A command that failed and passes after files were changed. Without a change it was flaky. */
  const ran = (failures: Failures, command: string, exit: number, output: string): void => {
    if (ASKING.has(command.split(" ")[0] ?? "")) return;
    const { error = "", files = [] } = failures.get(command) ?? {};
    failures.delete(command);
    if (exit !== 0) put(failures, command, { error: excerpt(headlineOf(output), MAX_ERROR), files });
    else if (files.length > 0) {
      const failed = `failed${error === "" ? "" : ` with "${error}"`}`;
      const body = `\`${command}\` ${failed} and passed after changes to ${files.join(", ")}.`;
      const evidence = `exit code 0 of ${command}`;
      seen("insight", body, "seen while it was worked on", { evidence, about: files });
    }
  };

  return {
    /** @param inProject makes a path relative @param apart the worktree of the call; empty for the project */
    called(
      effect: ToolEffect,
      { exitCode, text }: ToolOutcome,
      inProject: (path: string) => string,
      apart = "",
    ): void {
      const failures: Failures = trails.get(apart) ?? new Map();
      put(trails, apart, failures);
      if (effect.kind === "command" && effect.command !== "" && exitCode !== null)
        ran(failures, excerpt(effect.command, MAX_COMMAND), exitCode, text ?? "");
      if (effect.kind !== "edit") return;
      const paths = effect.edits.map(({ path }) => inProject(path).replaceAll("\\", "/"));
      changed(paths);
      for (const [command, { error, files }] of failures)
        failures.set(command, { error, files: [...new Set([...files, ...paths])].slice(-MAX_FILES) });
    },
    /** A call is about to edit these. */
    begins(callId: string, paths: readonly string[]): void {
      put(edits, callId, paths);
    },
    asked(requestId: string, callId: string): void {
      put(edits, requestId, edits.get(callId) ?? []);
    },
    rejected(requestId: string): void {
      unexplained = edits.get(requestId) ?? [];
    },
    explained(words: string): void {
      unwanted(unexplained, words);
      unexplained = [];
    },
    changed,
    /** Looks whether untouched files are as they were before. @param words what the user writes; empty for nothing */
    async look(words: string): Promise<void> {
      const back: string[] = [];
      for (const change of left) {
        const { path, before, after } = change;
        if (touched.has(path) || judged.has(keyOf(change)) || before.id === after.id) continue;
        const now = await trees.versionNow(path);
        if (!isSame({ ...now, mode: "" }, { ...before, mode: "" }) || isOthers(path, now)) continue;
        judged.add(keyOf(change));
        back.push(path);
      }
      unwanted(back, words);
    },
    remember(changes: readonly TreeChange[]): void {
      touched.clear();
      isOthers = watchOthers();
      left = changes.slice(0, MAX_CHANGES);
      const keys = new Set(left.map(keyOf));
      for (const key of judged) if (!keys.has(key)) judged.delete(key);
    },
    /** A question that was answered just so before is a preference; behind ` · ` stands what else is known of it. */
    async decided(question: string, answer: string): Promise<void> {
      const asked = flat(`${question} → ${answer}`);
      const before = await decidedBefore(question);
      const same = before.filter((each) => flat(each.split(" · ")[0] ?? "") === asked);
      if (same.length === 0 || flat(answer) === "") return;
      const body = `Asked "${excerpt(question, MAX_TEXT)}", the user chooses: ${excerpt(answer, MAX_TEXT)}.`;
      const evidence = `answered so ${same.length + 1} times`;
      seen("preference", body, "answered the same way before", { evidence });
    },
  };
}

function keyOf({ path, after }: TreeChange): string {
  return `${path}\n${after.id}`;
}

/** Keeps the newest. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}

function flat(text: string): string {
  return wordsIn(text).join(" ");
}
