import { headlineOf } from "../../process/excerpt.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { wordsIn } from "../../lib/words.ts";
import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import type { Trees } from "../../snapshot/vcs.ts";
import type { EntryDraft, Knowledge } from "../../record/knowledge.ts";
import { describeReplaced, createUnwanted, forgetOldest, type WatchOthers } from "./unwanted.ts";
import type { ResolvedConfig } from "../../config/schema.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import { personName } from "../../lib/person.ts";
import type { RecallKind } from "../../record/recall/entry.ts";
import type { Recall } from "../../record/memory.ts";

const MAX_FAILURES = 20;
const MAX_FILES = 5;
const MAX_COMMAND = 100;
const MAX_ERROR = 140;

/** For these a non-zero exit is an answer, not an error. */
const ASKING = new Set("grep rg egrep fgrep ls cat find test [ diff cmp which command git jj".split(" "));

type OpenFailures = ReadonlyMap<string, { readonly error: string; readonly files: readonly string[] }>;

interface Fix {
  readonly body: string;
  readonly evidence: string;
  readonly about: readonly string[];
}

type Observed =
  | { readonly type: "command"; readonly command: string; readonly exit: number; readonly output: string }
  | { readonly type: "edit"; readonly file: string; /** What was put there. */ readonly after: string };

/** What a finished call did that may belong to a fix. */
function readDeeds(
  effect: ToolEffect,
  { exitCode, text }: ToolOutcome,
  inProject: (path: string) => string,
): Observed[] {
  if (effect.kind === "edit") {
    const files = new Map(
      effect.edits.map(({ path, after }) => [inProject(path).replaceAll("\\", "/"), after]),
    );
    return [...files].map(([file, after]) => ({ type: "edit", file, after }));
  }
  if (effect.kind !== "command" || effect.command === "" || exitCode === null) return [];
  return [{ type: "command", command: effect.command, exit: exitCode, output: text ?? "" }];
}

/** A command that failed and passes after files were changed gives one sentence. Without a change it was flaky. */
function followDeed(open: OpenFailures, deed: Observed): { open: OpenFailures; fix: Fix | null } {
  if (deed.type === "edit") {
    const files = (known: readonly string[]): readonly string[] =>
      known.includes(deed.file) ? known : [...known, deed.file].slice(-MAX_FILES);
    return {
      open: new Map([...open].map(([key, failure]) => [key, { ...failure, files: files(failure.files) }])),
      fix: null,
    };
  }
  const command = excerpt(deed.command, MAX_COMMAND);
  if (ASKING.has(command.split(" ")[0] ?? "")) return { open, fix: null };
  const before = open.get(command);
  const others = [...open].filter(([key]) => key !== command);
  if (deed.exit !== 0) {
    const failure = { error: excerpt(headlineOf(deed.output), MAX_ERROR), files: before?.files ?? [] };
    return { open: new Map([...others, [command, failure] as const].slice(-MAX_FAILURES)), fix: null };
  }
  const solved = before !== undefined && before.files.length > 0;
  const fix = solved
    ? {
        body: `\`${command}\` failed${before.error === "" ? "" : ` with "${before.error}"`} and passed after changes to ${before.files.join(", ")}.`,
        evidence: `exit code 0 of ${command}`,
        about: before.files,
      }
    : null;
  return { open: new Map(others), fix };
}

const MAX_TEXT = 160;

function flat(text: string): string {
  return wordsIn(text).join(" ");
}

const MAX_NAMED = 5;
const MAX_TRAILS = 24;
const MAX_QUESTIONS = 64;

export interface Observation extends Required<
  Pick<EntryDraft, "kind" | "body" | "evidence" | "about" | "reason">
> {
  readonly isOwnWords: boolean;
}

interface WatchInput {
  readonly trees: Pick<Trees, "versionNow" | "bytes">;
  readonly watchOthers: WatchOthers;
  /** Decisions of the record that share words with a question, each as `question → answer`. */
  decidedBefore(question: string): Promise<readonly string[]>;
  propose(seen: Observation): void;
}

/** Sees what the user refused or took back, a failed command that passes after a change, and an answer given again. */
export type LearningWatch = ReturnType<typeof createLearningWatch>;

export function createLearningWatch({ trees, watchOthers, decidedBefore, propose }: WatchInput) {
  const trails = new Map<string, OpenFailures>();
  const questions = new Map<string, readonly string[]>();

  const correct = (
    body: string | null,
    about: readonly string[],
    reason: string,
    isOwnWords: boolean,
  ): void => {
    if (body === null || body === "") return;
    const named = about.slice(0, MAX_NAMED);
    propose({ kind: "correction", body, evidence: "", about: named, reason, isOwnWords });
  };
  const unwanted = createUnwanted(trees, watchOthers, {
    found: (paths, words) => correct(words, paths, "said where a change was refused or taken back", true),
    replaced: (refused, instead) =>
      correct(describeReplaced(refused, instead), [refused.path], `the user ${refused.how} it`, false),
  });

  /** A question that was answered just so before is a preference; behind ` · ` stands what else is known of it. */
  const look = async (question: string, answer: string): Promise<void> => {
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
  };

  return {
    unwanted,
    /** @param inProject makes a path relative @param apart the worktree of the call; empty for the project */
    called(effect: ToolEffect, outcome: ToolOutcome, inProject: (path: string) => string, apart = ""): void {
      for (const deed of readDeeds(effect, outcome, inProject)) {
        if (deed.type === "edit") unwanted.edited(deed.file, deed.after);
        const { open, fix } = followDeed(trails.get(apart) ?? new Map(), deed);
        trails.set(apart, open);
        if (fix !== null)
          propose({ kind: "insight", isOwnWords: false, reason: "seen while it was worked on", ...fix });
      }
      forgetOldest(trails, MAX_TRAILS);
    },
    asked(requestId: string, open: readonly string[]): void {
      questions.set(requestId, open);
      forgetOldest(questions, MAX_QUESTIONS);
    },
    /** The user has answered, each question with some of its options. */
    async answered(requestId: string, answers: readonly (readonly string[])[]): Promise<void> {
      const open = questions.get(requestId) ?? [];
      questions.delete(requestId);
      for (const [at, question] of open.entries()) await look(question, (answers[at] ?? []).join(", "));
    },
  };
}

const DECISIONS = new Set<RecallKind>(["decision"]);

/** Where a watch looks up decisions and writes what it sees; `learn` of the configuration. */
interface Keeping extends Pick<ResolvedConfig, "learn"> {
  readonly memory: { readonly recall: Pick<Recall, "search"> };
  readonly knowledge: Pick<Knowledge, "propose" | "settle">;
  readonly host: { readonly logger: Logger };
}

/** Writes what a watch sees as proposals, one after the other. @param unit the work unit that it is about */
export function keepSeen({ memory, knowledge, learn, host: { logger } }: Keeping, unit: () => string | null) {
  let writing: Promise<void> = Promise.resolve();
  const keep: Pick<WatchInput, "propose" | "decidedBefore"> = {
    propose({ isOwnWords, ...draft }) {
      const [source, by] = [unit(), isOwnWords ? personName() : "GAIA"];
      const write = async (): Promise<void> => {
        const entry = await knowledge.propose({ ...draft, by, source });
        if (isOwnWords && learn === "own-words")
          await knowledge.settle({ entry, status: "accepted", reason: "", by });
      };
      // What is known, waits or was declined is refused.
      writing = writing.then(write).catch((error: unknown) => {
        logger.log("debug", "learnings", describeError(error));
      });
    },
    async decidedBefore(question) {
      const hits = await memory.recall.search(question, { kinds: DECISIONS, prefix: false });
      return hits.filter(({ entry }) => entry.unit !== unit()).map(({ entry }) => entry.text);
    },
  };
  return { ...keep, settled: async (): Promise<void> => writing };
}
