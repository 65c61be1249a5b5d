import { excerpt } from "../../lib/text.ts";
import type { PlanCondition, PlanTask } from "../../plan/task.ts";
import { wavesOf } from "../../plan/waves.ts";
import type { Before, Evidence } from "./evidence.ts";
import type { ChangedCheck } from "./own-files.ts";

/** How much of a condition's text stands in its name, in characters. */
const MAX_TEXT = 60;

export interface Claim {
  /** `task 2` or `condition 1`. */
  readonly id: string;
  readonly kind: "task" | "condition";
  readonly text: string;
  readonly wave: string | null;
  readonly isTicked: boolean;
  /** The command that shows it; null where there is none. */
  readonly command: string | null;
  readonly files: readonly string[];
  /** Whose task it is. */
  readonly agent?: string | undefined;
}

/**
 * Where a claim stands (SPEC 11): `claimed`: someone says so, the host ran nothing; `failed`: the host saw it fail on these
 * files; `stale`: files changed since it was seen; `passes`: green on these files; `proven`: and red before the work.
 */
export type ClaimStanding = "open" | "claimed" | "failed" | "stale" | "passes" | "proven";

export interface JudgedClaim extends Claim {
  readonly standing: ClaimStanding;
  /** Why it is no better, in a few words; empty for what is proven or open. */
  readonly why: string;
  /** The host ran its command on these very files, and it failed. */
  readonly isRefuted: boolean;
  /** The end of what its command said, where the host ran it just now and it did not pass. */
  readonly output?: string;
}

export interface Known {
  readonly evidence: Evidence | null;
  /** How it ended before the work of its wave; null where it was not run then. */
  readonly before: Omit<Before, "key" | "wave"> | null;
  /** Its own files, where they are not what they were when the work began. */
  readonly changed: ChangedCheck | null;
  /** Why it did not run when it last should have. */
  readonly objection: string | null;
}

export const UNKNOWN: Known = { evidence: null, before: null, changed: null, objection: null };

export function claimsOf(tasks: readonly PlanTask[], conditions: readonly PlanCondition[]): Claim[] {
  // A plan that names no waves is carried out in waves all the same.
  const waves = new Map(
    wavesOf(tasks).flatMap(({ id, tasks: own }) => own.map(({ number }) => [number, id] as const)),
  );
  const all = tasks.flatMap(({ files = [] }) => files);
  return [
    ...tasks.map(({ number, text, done, verify: command = null, files = [], agent }): Claim => {
      const wave = waves.get(number) ?? null;
      return { id: `task ${number}`, kind: "task", text, wave, isTicked: done, command, files, agent };
    }),
    ...conditions.map(({ number, text, done, command }): Claim => {
      // What no command shows is said with the work to be done, whether or not someone ticks it.
      const isTicked = done || (command === null && tasks.every((task) => task.done));
      const id = `condition ${number}`;
      return { id, kind: "condition", text, wave: null, isTicked, command, files: all };
    }),
  ];
}

/** A command that no plan names, as something that is said to be done. */
export function checkClaim(id: string, command: string, text = ""): Claim {
  return { id, kind: "task", text, wave: null, isTicked: true, files: [], command };
}

/** As a person reads it: conditions have no number in the plan. */
export function claimName({ id, kind, text }: Pick<Claim, "id" | "kind" | "text">): string {
  return kind === "task" ? id : `${id} (${excerpt(text, MAX_TEXT)})`;
}

/**
 * Where a claim stands, by what the host measured: never by what its command's text looks like (SPEC 11). A condition with a
 * command needs no tick, for nobody is asked to set one.
 * @param tree fingerprint of the files as they are now; null where it could not be taken, which proves nothing
 */
export function judgeClaim(claim: Claim, known: Known, tree: string | null): JudgedClaim {
  const { evidence, changed, objection } = known;
  const judged = (standing: ClaimStanding, why = "", isRefuted = false): JudgedClaim => {
    return { ...claim, standing, why, isRefuted };
  };
  const shown = `\`${excerpt(claim.command ?? "", 60)}\``;
  const isNow = tree !== null && evidence?.tree === tree;
  const isOpen = !claim.isTicked;
  if (isOpen && (claim.kind === "task" || claim.command === null)) {
    const isRefuted = isNow && evidence.status !== "passed";
    return judged("open", isRefuted ? `${shown} fails (${describeEnding(evidence)})` : "", isRefuted);
  }
  if (claim.command === null) return judged("claimed", "no command shows it");
  if (isUndeclared(claim, changed))
    return judged("stale", `${shown}: ${changed?.how} since the work began; a person lets it count`);
  if (objection !== null) return judged("claimed", `${shown} was not run: ${objection}`);
  if (evidence === null) return isOpen ? judged("open") : judged("claimed", `${shown} was not run`);
  if (evidence.status === "passed") {
    if (!isNow) {
      const when = evidence.tree === null ? `while ${shown} ran` : `since ${shown} passed`;
      return judged("stale", `files changed ${when}`);
    }
    const doubt = doubtOf(known);
    return judged(doubt === "" ? "proven" : "passes", doubt === "" ? "" : `${shown} ${doubt}`);
  }
  const code = describeEnding(evidence);
  if (isNow) return judged(isOpen ? "open" : "failed", `${shown} fails (${code})`, true);
  return judged(isOpen ? "open" : "stale", `${shown} failed before the last change (${code})`);
}

/** With the tasks of reviewers, which no command shows: an approval proves them. @param approvers who approve now */
export function withApprovals(claims: readonly JudgedClaim[], approvers: ReadonlySet<string>): JudgedClaim[] {
  return claims.map((claim) => {
    const isShown = claim.command === null && claim.isTicked && approvers.has(claim.agent ?? "");
    return isShown ? { ...claim, standing: "proven", why: "" } : claim;
  });
}

/** Whether a check's own files were changed by someone whom no plan had told to. */
export function isUndeclared({ files }: Pick<Claim, "files">, changed: ChangedCheck | null): boolean {
  return changed?.names.some((name) => !files.includes(name)) === true;
}

/** Why a pass shows nothing about the work; empty where the same command was seen failing before it. */
function doubtOf({ before, changed }: Known): string {
  if (before === null) return "was not run before the work";
  if (before.status === "passed") return "passed before the work as well: shows nothing about it";
  if (before.status !== "failed" && before.status !== "missing")
    return `came to no end before the work (${before.status})`;
  return changed === null ? "" : `passes, and the work changed its own ${changed.names.join(", ")}`;
}

export function describeEnding({ exit_code, status, duration_ms }: Evidence): string {
  if (status === "timeout") return `ended after ${Math.round(duration_ms / 1_000)} s`;
  return exit_code === null ? status : `exit code ${exit_code}`;
}

/** What keeps a plan from being complete: everything in it that is not green on the files as they are. */
export function unproven<C extends Pick<JudgedClaim, "standing">>(claims: readonly C[]): C[] {
  return claims.filter(({ standing }) => standing !== "proven" && standing !== "passes");
}

const TOLD = ["proven", "passes", "claimed", "failed", "stale"] as const;

export type Tally = Readonly<Record<(typeof TOLD)[number], number>>;

export function tally(claims: readonly Pick<JudgedClaim, "standing">[]): Tally {
  const count = (wanted: ClaimStanding): number =>
    claims.filter(({ standing }) => standing === wanted).length;
  return Object.fromEntries(TOLD.map((standing) => [standing, count(standing)])) as Tally;
}

/** `2 proven, 1 passes`; proven and claimed stand there always, the rest where there is some. Empty where nothing is told. */
export function renderTally(claims: readonly Pick<JudgedClaim, "standing">[]): string {
  const counts = tally(claims);
  const shown = TOLD.filter((each) => counts[each] > 0 || each === "proven" || each === "claimed");
  const isEmpty = TOLD.every((each) => counts[each] === 0);
  return isEmpty ? "" : shown.map((each) => `${counts[each]} ${each}`).join(", ");
}

const MAX_NAMED = 6;
const MAX_WHY = 140;

/** The tally with what is not proven and why; empty where a plan claims nothing yet. */
export function renderEvidence(claims: readonly JudgedClaim[]): string {
  return [renderTally(claims), ...renderDoubts(claims)].filter(Boolean).join("; ");
}

/** What is said to be done and not proven: a line for each reason. */
export function renderDoubts(claims: readonly JudgedClaim[]): string[] {
  const doubtful = claims.filter(({ standing }) => standing !== "proven" && standing !== "open");
  const names = new Map<string, string[]>();
  for (const claim of doubtful) {
    const reason = `${claim.standing}: ${excerpt(claim.why, MAX_WHY)}`;
    names.set(reason, [...(names.get(reason) ?? []), claimName(claim)]);
  }
  const lines = [...names].map(([reason, named]) => `${named.join(", ")} ${reason}`);
  const more = lines.length - MAX_NAMED;
  return more > 0 ? [...lines.slice(0, MAX_NAMED), `and ${more} more`] : lines;
}

/** What a model is told of claims, those that are not proven with the reason. */
export function evidenceView(claims: readonly JudgedClaim[]): object {
  const told = claims.filter(({ standing }) => standing !== "open");
  const reasons = (wanted: (claim: JudgedClaim) => boolean): string[] =>
    told
      .filter(wanted)
      .slice(0, 30)
      .map(({ id, standing, why }) => `${id} ${standing}: ${excerpt(why, MAX_WHY)}`);
  const passes = reasons(({ standing }) => standing === "passes");
  return {
    proven: told.filter(({ standing }) => standing === "proven").map(({ id }) => id),
    ...(passes.length === 0 ? {} : { passes }),
    not_proven: reasons(({ standing }) => standing !== "proven" && standing !== "passes"),
  };
}
