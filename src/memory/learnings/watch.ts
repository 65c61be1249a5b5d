import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import type { Clock } from "../../lib/clock.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { LEARNING_KINDS } from "../../workspace/documents/learning.ts";
import type { SeenOfLearnings } from "../../workspace/operations/learnings.ts";
import type { Trees } from "../../vcs/trees.ts";
import { errorLine, followDeed, isAsking, readDeeds, type Deed, type OpenFailures } from "../capture/fix.ts";
import { followCommand, forgetFailed, type Misspelt, NOTHING_MISSPELT } from "./corrected-command.ts";
import { beginFollowing, follow, type Fact, type Followed } from "./follow.ts";
import { describeReplaced } from "./replaced.ts";
import { createUnwanted, type Whose } from "./unwanted.ts";

/** Told learnings that are followed; what was told first is let go of. */
const MAX_FOLLOWED = 24;
/** A longer one is not followed, for it is kept with the session. */
const MAX_TEXT = 240;
/** Files that a correction names. */
const MAX_NAMED = 3;

/** Worktrees that are followed. */
const MAX_TRAILS = 24;

/** What failed in one tree, and was not understood there. */
interface Trail {
  failures: OpenFailures;
  misspelt: Misspelt;
}

export interface WatchInput {
  readonly trees: Pick<Trees, "versionNow" | "bytes">;
  readonly whose: Whose;
  /** The time of day. */
  readonly clock: Pick<Clock, "now">;
  /** What {@link LearningWatch.snapshot} gave to an earlier process, or anything at all. */
  readonly saved: unknown;
  propose(kind: "correction" | "insight", text: string): void;
}

/**
 * Follows one conversation by facts of the host's: fixes, commands that had to be spelt otherwise, what the user refused or
 * took back, and what becomes of the learnings that were told.
 */
export type LearningWatch = ReturnType<typeof createLearningWatch>;

export function createLearningWatch({ trees, whose, clock, saved, propose }: WatchInput) {
  const raw = recordOf(saved);
  let followed = listOf(raw["followed"]).flatMap(readFollowed).slice(-MAX_FOLLOWED);
  let confirmed = texts(raw["confirmed"]);
  let contradicted = texts(raw["contradicted"]);
  const trails = new Map<string, Trail>();

  const saw = (fact: Fact): void => {
    const next = followed.map((each) => follow(each, fact));
    const fresh = (what: "confirmed" | "contradicted"): string[] =>
      next.flatMap((each, at) => (each[what] && followed[at]?.[what] === false ? [each.text] : []));
    confirmed = [...confirmed, ...fresh("confirmed")];
    contradicted = [...contradicted, ...fresh("contradicted")];
    followed = next;
  };
  const unwanted = createUnwanted(trees, whose, clock, {
    found(paths, words) {
      saw({ type: "taken-back", paths });
      if (words !== "") propose("correction", `${words} (${paths.slice(0, MAX_NAMED).join(", ")})`);
    },
    replaced(refused, instead) {
      const text = describeReplaced(refused, instead);
      if (text !== null) propose("correction", text);
    },
    overwrote(path, how) {
      saw({ type: "taken-back", paths: [path] });
      if (how !== null) propose("correction", how);
    },
  });

  const spell = (trail: Trail, { command, exit, output }: Extract<Deed, { type: "command" }>): void => {
    saw({ type: "command", command, passed: exit === 0 });
    if (isAsking(command)) return;
    const error = exit === 0 ? "" : errorLine(output);
    const next = followCommand(trail.misspelt, { command: command.trim(), exit, error });
    trail.misspelt = next.misspelt;
    if (next.corrected === null) return;
    propose("insight", next.corrected.text);
    saw({ type: "corrected", command: next.corrected.command });
  };
  const fix = (trail: Trail, deed: Deed): void => {
    const next = followDeed(trail.failures, deed);
    trail.failures = next.open;
    if (next.fix === null) return;
    propose("insight", next.fix);
    saw({ type: "green" });
  };
  const trailOf = (apart: string): Trail => {
    const trail = trails.get(apart) ?? { failures: new Map(), misspelt: NOTHING_MISSPELT };
    trails.set(apart, trail);
    const [oldest] = trails.keys();
    if (trails.size > MAX_TRAILS && oldest !== undefined) trails.delete(oldest);
    return trail;
  };

  return {
    unwanted,
    saw,
    told(learnings: readonly Pick<Followed, "kind" | "text">[]): void {
      const known = new Set(followed.map(({ text }) => text));
      const fresh = learnings.filter(({ text }) => text.length <= MAX_TEXT && !known.has(text));
      followed = [...followed, ...fresh.map(beginFollowing)].slice(-MAX_FOLLOWED);
    },
    /**
     * @param inProject makes a path relative to the project
     * @param apart the worktree in which it was made, whose files become the project's when it lands; empty for the project
     */
    called(effect: ToolEffect, outcome: ToolOutcome, inProject: (path: string) => string, apart = ""): void {
      const trail = trailOf(apart);
      for (const deed of readDeeds(effect, outcome, inProject)) {
        if (deed.type === "command") spell(trail, deed);
        else {
          trail.misspelt = forgetFailed(trail.misspelt);
          unwanted.edited(deed.file, deed.after);
          if (apart === "") saw({ type: "changed", paths: [deed.file] });
        }
        fix(trail, deed);
      }
    },
    /** What was seen and nobody has taken yet; null for nothing. */
    take(): SeenOfLearnings | null {
      if (confirmed.length + contradicted.length === 0) return null;
      const seen = { confirmed, contradicted };
      confirmed = [];
      contradicted = [];
      return seen;
    },
    snapshot: () => (followed.length === 0 ? undefined : { followed, confirmed, contradicted }),
  };
}

function texts(value: unknown): readonly string[] {
  return listOf(value)
    .flatMap((each) => textOf(each) ?? [])
    .slice(-MAX_FOLLOWED);
}

function readFollowed(value: unknown): Followed[] {
  const { kind: named, text: said, isTouched, confirmed, contradicted } = recordOf(value);
  const text = textOf(said);
  const kind = LEARNING_KINDS.find((each) => each === named);
  if (text === undefined || kind === undefined) return [];
  const flags = { isTouched: isTouched === true, confirmed: confirmed === true };
  return [{ kind, text, ...flags, contradicted: contradicted === true }];
}
