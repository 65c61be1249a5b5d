import { excerpt } from "../../lib/excerpt.ts";
import { wordsIn } from "../../lib/words.ts";
import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import type { Trees } from "../../snapshot/vcs.ts";
import type { EntryDraft } from "../entries/write.ts";
import { followDeed, readDeeds, type OpenFailures } from "./fix.ts";
import { describeReplaced, createUnwanted, forgetOldest, type WatchOthers } from "./unwanted.ts";
import type { ResolvedConfig } from "../../config/schema.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import { personName } from "../../lib/person.ts";
import type { Knowledge } from "../entries/open.ts";
import type { RecallKind } from "../recall/entry.ts";
import type { Recall } from "../recall/recall.ts";

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
