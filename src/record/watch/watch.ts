import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Trees } from "../../vcs/trees.ts";
import { errorLine, followDeed, isAsking, readDeeds, type Observed, type OpenFailures } from "./fix.ts";
import { followCommand, forgetFailed, type Misspelt, NOTHING_MISSPELT } from "./corrected-command.ts";
import { describeReplaced } from "./replaced.ts";
import { createUnwanted, type Whose } from "./unwanted.ts";

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
  propose(kind: "correction" | "insight", text: string): void;
}

/**
 * Follows one conversation by facts of the host's: fixes, commands that had to be spelt otherwise, what the user refused or
 * took back.
 */
export type LearningWatch = ReturnType<typeof createLearningWatch>;

export function createLearningWatch({ trees, whose, clock, propose }: WatchInput) {
  const trails = new Map<string, Trail>();

  const unwanted = createUnwanted(trees, whose, clock, {
    found(paths, words) {
      if (words !== "") propose("correction", `${words} (${paths.slice(0, MAX_NAMED).join(", ")})`);
    },
    replaced(refused, instead) {
      const text = describeReplaced(refused, instead);
      if (text !== null) propose("correction", text);
    },
    overwrote(how) {
      if (how !== null) propose("correction", how);
    },
  });

  const spell = (trail: Trail, { command, exit, output }: Extract<Observed, { type: "command" }>): void => {
    if (isAsking(command)) return;
    const error = exit === 0 ? "" : errorLine(output);
    const next = followCommand(trail.misspelt, { command: command.trim(), exit, error });
    trail.misspelt = next.misspelt;
    if (next.corrected !== null) propose("insight", next.corrected);
  };
  const fix = (trail: Trail, deed: Observed): void => {
    const next = followDeed(trail.failures, deed);
    trail.failures = next.open;
    if (next.fix !== null) propose("insight", next.fix);
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
        }
        fix(trail, deed);
      }
    },
  };
}
