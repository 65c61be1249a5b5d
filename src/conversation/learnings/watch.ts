import { headlineOf } from "../../process/output.ts";
import { excerpt, wordsIn } from "../../lib/text.ts";
import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import type { Trees } from "../../snapshot/vcs.ts";
import type { EntryDraft } from "../../record/knowledge.ts";
import { createUnwanted, forgetOldest, type WatchOthers } from "./unwanted.ts";

const MAX_FAILURES = 20;
const MAX_FILES = 5;
const MAX_COMMAND = 100;
const MAX_ERROR = 140;
const MAX_TEXT = 160;
const MAX_NAMED = 5;
const MAX_TRAILS = 24;

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
  readonly watchOthers: WatchOthers;
  /** Decisions of the record that share words with a question, each as `question → answer`. */
  decidedBefore(question: string): Promise<readonly string[]>;
  propose(seen: Observation): void;
}

/** Sees what the user refused or took back, a failed command that passes after a change, and an answer given again. */
export type LearningWatch = ReturnType<typeof createLearningWatch>;

export function createLearningWatch({ trees, watchOthers, decidedBefore, propose }: WatchInput) {
  /** By worktree; empty for the project. */
  const trails = new Map<string, Failures>();

  const unwanted = createUnwanted(trees, watchOthers, (paths, body) => {
    const about = paths.slice(0, MAX_NAMED);
    const reason = "said where a change was refused or taken back";
    propose({ kind: "correction", body, evidence: "", about, reason, isOwnWords: true });
  });

  /** A command that failed and passes after files were changed. Without a change it was flaky. */
  const ran = (failures: Failures, command: string, exit: number, output: string): void => {
    if (ASKING.has(command.split(" ")[0] ?? "")) return;
    const { error = "", files = [] } = failures.get(command) ?? {};
    failures.delete(command);
    if (exit !== 0) {
      failures.set(command, { error: excerpt(headlineOf(output), MAX_ERROR), files });
      forgetOldest(failures, MAX_FAILURES);
    } else if (files.length > 0)
      propose({
        kind: "insight",
        body: `\`${command}\` failed${error === "" ? "" : ` with "${error}"`} and passed after changes to ${files.join(", ")}.`,
        evidence: `exit code 0 of ${command}`,
        about: files,
        reason: "seen while it was worked on",
        isOwnWords: false,
      });
  };

  return {
    unwanted,
    /** @param inProject makes a path relative @param apart the worktree of the call; empty for the project */
    called(
      effect: ToolEffect,
      { exitCode, text }: ToolOutcome,
      inProject: (path: string) => string,
      apart = "",
    ): void {
      const failures: Failures = trails.get(apart) ?? new Map();
      trails.set(apart, failures);
      forgetOldest(trails, MAX_TRAILS);
      if (effect.kind === "command" && effect.command !== "" && exitCode !== null)
        ran(failures, excerpt(effect.command, MAX_COMMAND), exitCode, text ?? "");
      if (effect.kind !== "edit") return;
      for (const { path } of effect.edits) {
        const file = inProject(path).replaceAll("\\", "/");
        unwanted.changed([file]);
        for (const [command, { error, files }] of failures)
          if (!files.includes(file))
            failures.set(command, { error, files: [...files, file].slice(-MAX_FILES) });
      }
    },
    /** A question that was answered just so before is a preference; behind ` · ` stands what else is known of it. */
    async decided(question: string, answer: string): Promise<void> {
      const asked = flat(`${question} → ${answer}`);
      const before = await decidedBefore(question);
      const same = before.filter((each) => flat(each.split(" · ")[0] ?? "") === asked);
      if (same.length === 0 || flat(answer) === "") return;
      propose({
        kind: "preference",
        body: `Asked "${excerpt(question, MAX_TEXT)}", the user chooses: ${excerpt(answer, MAX_TEXT)}.`,
        evidence: `answered so ${same.length + 1} times`,
        about: [],
        reason: "answered the same way before",
        isOwnWords: false,
      });
    },
  };
}

function flat(text: string): string {
  return wordsIn(text).join(" ");
}
