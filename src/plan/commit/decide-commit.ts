import type { ProofStanding } from "../../checks/verifier.ts";
import type { Knobs } from "../../config/knobs.ts";
import { excerpt } from "../../lib/text.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import { refuseObjected, type ApprovalFacts } from "../operations/decide-approval.ts";

export interface CommitFacts extends Pick<ApprovalFacts, "objection"> {
  readonly mode: Knobs["mode"];
  readonly paused: string | null;
  readonly unfinished: string | null;
  /** Files of the work that hold changes of the user's as well, or that they are asked for by name. */
  readonly usersAlso: readonly string[];
  readonly isUnknown: boolean;
  readonly nested: readonly string[];
}

const MAX_NAMES = 300;

/** Why work is not committed as things stand, before its proof and the user's word are asked for (SPEC 9); null where it may be. */
export function decideCommit(facts: CommitFacts): Refusal | null {
  const { mode, paused, unfinished, usersAlso, isUnknown, nested } = facts;
  if (mode === "locked")
    return refuse("The session is locked.", "The user unlocks with /supervised or /autopilot.");
  if (paused !== null) return refuse(paused, "Tell the user; their answer opens the work again.");
  if (unfinished !== null) return refuseUnfinished(unfinished);
  const objected = refuseObjected(facts);
  if (objected !== null) return objected;
  if (nested.length > 0)
    return refuse(
      `${namesOf(nested)} is a repository of its own, so that a commit would hold none of its files.`,
      "Move its .git away, have it ignored, or tell the user to make it a submodule.",
    );
  if (mode !== "autopilot") return null;
  if (isUnknown)
    return refuse(
      "It cannot be told now which changes are the user's, and autopilot asks nobody.",
      "Try again; else tell the user to commit, or to say /supervised.",
    );
  if (usersAlso.length === 0) return null;
  return refuse(
    `${namesOf(usersAlso)} holds uncommitted changes of the user's own, and autopilot asks nobody.`,
    "Pass files without it, or tell the user: they commit it themselves, or say /supervised and are asked.",
  );
}

function refuseUnfinished(what: string): Refusal {
  if (what === "conflict")
    return refuse(
      "The index holds conflicts of the user's: the work stands uncommitted beside them.",
      "Tell the user: once they are resolved, commit again.",
    );
  const article = /^[aeiou]/u.test(what) ? "An" : "A";
  return refuse(
    `${what.startsWith("git ") ? what : `${article} ${what} of the user's`} is under way: the work stands uncommitted beside it.`,
    "Tell the user: once they have ended it, commit again.",
  );
}

/** A revision needs checks that passed on these very files, in every mode. */
export function refuseUnproven(proof: ProofStanding): Refusal | null {
  if (proof === "passed" || proof === "unconfigured") return null;
  const reasons = {
    failed: "The Definition of Done does not pass.",
    stale: "Files changed after the checks last passed.",
    never: "The Definition of Done was not verified yet.",
  };
  return refuse(reasons[proof], "Run plan_gaia verify; a revision is made once it passes.");
}

export function namesOf(paths: readonly string[]): string {
  return excerpt(paths.join(", "), MAX_NAMES);
}
