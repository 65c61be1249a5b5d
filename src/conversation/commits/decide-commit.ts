import type { ProofStanding } from "../../checks/verifier.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { type Decision, refuse, type Refusal } from "../../lib/refusal.ts";
import type { HistoryPart, Recording, Taken } from "../../policy/history/history.ts";
import type { UncommittedFile } from "../../vcs/port.ts";

/** What is true when something is to be recorded in the history. */
export interface CommitFacts {
  readonly history: HistoryPart;
  readonly standing: ProofStanding;
  /** A verdict of a reviewer's that nothing has answered yet, in words; null for none. */
  readonly objection: string | null;
  /** null where that cannot be told. */
  readonly uncommitted: readonly UncommittedFile[] | null;
  /** Files that are the user's own, and need not be in what is recorded. */
  isUsers(path: string): boolean;
  /** How many other calls may be changing files right now. */
  readonly othersRunning: number;
}

/** Files of a refusal that are named. */
const SHOWN = 3;
const PROVE = "Run plan_gaia verify (or ask the user for /gaia-check), then do it again.";
const UNPROVEN: Readonly<Record<Exclude<ProofStanding, "passed" | "unconfigured">, string>> = {
  failed: "the Definition of Done does not pass",
  stale: "files changed after the checks last passed",
  never: "the Definition of Done was not run on these files yet",
};

/**
 * Whether a call may record something in the history, or send it on (SPEC 9, 11): nothing past the checks, the reviewers or a
 * hook, and nothing other than what was proven. The user's own word is asked for elsewhere.
 */
export function decideCommit(facts: CommitFacts): Decision {
  return refuseCommit(facts) ?? { kind: "allowed" };
}

/** What is recorded, as a person would name it. */
export function nameRecordings(recordings: readonly Recording[]): string {
  return recordings.map(({ text }) => `\`${excerpt(text, 60)}\``).join(", ");
}

function refuseCommit(facts: CommitFacts): Refusal | null {
  const { history, standing, objection, othersRunning } = facts;
  const { unhooked, recordings, beside } = history;
  if (unhooked !== null) {
    const does = recordings.length === 0 ? "switches off" : "may switch off";
    return refuse(
      `\`${excerpt(unhooked, 80)}\` ${does} what looks at a commit, which no agent does.`,
      "Write the command without it, its options spelled out; if a hook fails, fix what it finds or tell the user.",
    );
  }
  if (recordings.length === 0) return null;
  const what = nameRecordings(recordings);
  if (objection !== null) {
    return refuse(
      `${what}: a reviewer has objected, and nothing has answered it (${excerpt(objection, 200)}).`,
      "Have it fixed and reviewed again, or let the user overrule it.",
    );
  }
  if (standing === "unconfigured") return null;
  if (standing !== "passed") return refuse(`${what} needs proof first: ${UNPROVEN[standing]}.`, PROVE);
  if (othersRunning > 0) {
    return refuse(
      `${what}: other calls may be changing files at this moment, so what was proven may be gone.`,
      "Do it again once they have ended.",
    );
  }
  if (beside !== null) {
    return refuse(
      `${what} stands in one line with something that may change files (${excerpt(beside, 100)}), so what it records is not what was proven.`,
      `Do that in a call of its own. ${PROVE}`,
    );
  }
  return refuseContent(facts, what);
}

function refuseContent({ history, uncommitted, isUsers }: CommitFacts, what: string): Refusal | null {
  if (uncommitted === null)
    return refuse(
      `${what}: version control did not say what would be recorded.`,
      "Try again; else tell the user.",
    );
  if (history.taken?.isOpen === true)
    return refuse(
      `${what} takes what is only known while it runs.`,
      "Stage by path with git add, then commit.",
    );
  const left = leftOut(uncommitted, history).filter((path) => !isUsers(path));
  if (left.length === 0) return null;
  const more = left.length > SHOWN ? ` and ${left.length - SHOWN} more` : "";
  const unread = history.taken?.unread ?? null;
  if (unread !== null)
    return refuse(
      `${what}: what \`${excerpt(unread, 60)}\` takes could not be told beforehand, and ${left.slice(0, SHOWN).join(", ")}${more} must be in it.`,
      "Stage in a call of its own, then commit; or name the files.",
    );
  return refuse(
    `${what} would record something other than what was proven: as it is on disk it leaves out ${left.slice(0, SHOWN).join(", ")}${more}.`,
    "Stage everything that was proven, by path, or have what does not belong to it set aside, verify again, and commit.",
  );
}

/** Files whose content on disk is not in what would be recorded. */
export function leftOut(
  uncommitted: readonly UncommittedFile[],
  { taken, recordings }: HistoryPart,
): string[] {
  // A tag, and what is pushed, hold what is committed already.
  const isLate = recordings.every(({ kind }) => kind === "tag" || kind === "push");
  const isTaken = (file: UncommittedFile): boolean => {
    if (taken === null) return !isLate && file.isStaged;
    if (file.isStaged && !taken.only) return true;
    return file.canStage && takes(taken, file);
  };
  return uncommitted.filter((file) => !isTaken(file)).map(({ path }) => path);
}

function takes({ everything, tracked, paths }: Taken, { path, isTracked }: UncommittedFile): boolean {
  if (everything || (tracked && isTracked)) return true;
  return paths.some((taken) => path === taken || path.startsWith(`${taken}/`));
}
