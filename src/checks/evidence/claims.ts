import { excerpt } from "../../lib/excerpt.ts";
import type { PlanCondition } from "../../workspace/documents/plan-conditions.ts";
import type { PlanTask } from "../../workspace/documents/plan-tasks.ts";
import { isCommand } from "../../workspace/documents/task-command.ts";
import { wavesOf } from "../../workspace/documents/plan-waves.ts";
import type { ConditionCommand } from "./condition-command.ts";
import type { Evidence } from "./evidence.ts";

/** How much of a condition's text stands in its name, in characters. */
const MAX_TEXT = 60;

/** Something that a plan says is done, or is to be. */
export interface Claim {
  /** `task 2` or `condition 1`. */
  readonly id: string;
  readonly kind: "task" | "condition";
  readonly text: string;
  readonly wave: string | null;
  /** Whether the plan says that it is done. */
  readonly isTicked: boolean;
  /** The command that shows it; null where there is none. */
  readonly command: string | null;
  /** The command shows only a part of it. */
  readonly isPart?: boolean;
}

/** `claimed`: someone says so. `stale`: it was shown on other files than these. `proven`: the host saw it on these. */
export type Standing = "open" | "claimed" | "stale" | "proven";

/** A claim, held against what the host has seen. */
export interface JudgedClaim extends Claim {
  readonly standing: Standing;
  /** Why it is no better, in a few words; empty for what is proven or open. */
  readonly why: string;
  /** The host ran its command on these very files, and it failed. */
  readonly isRefuted: boolean;
}

/** What is known of a command: what the host saw, or why it proves nothing. */
export interface Known {
  readonly evidence: Evidence | null;
  /** Why its success would prove nothing, or why it does not run. */
  readonly objection: string | null;
}

export function claimsOf(
  tasks: readonly PlanTask[],
  conditions: readonly (PlanCondition & { readonly shownBy: ConditionCommand | null })[],
): Claim[] {
  // A plan that names no waves is carried out in waves all the same.
  const waves = new Map(
    wavesOf(tasks).flatMap(({ id, tasks: own }) => own.map(({ number }) => [number, id] as const)),
  );
  return [
    ...tasks.map(({ number, text, done, verify = "" }): Claim => {
      const wave = waves.get(number) ?? null;
      const command = isCommand(verify) ? verify : null;
      return { id: `task ${number}`, kind: "task", text, wave, isTicked: done, command };
    }),
    ...conditions.map(({ number, text, done, shownBy }): Claim => {
      const isPart = shownBy !== null && !shownBy.isWhole;
      const command = shownBy?.command ?? null;
      // What no command shows is said with the work to be done, whether or not someone ticks it.
      const isTicked = done || ((command === null || isPart) && tasks.every((task) => task.done));
      const id = `condition ${number}`;
      return { id, kind: "condition", text, wave: null, isTicked, command, ...(isPart ? { isPart } : {}) };
    }),
  ];
}

/** As a person reads it: conditions have no number in the plan. */
export function nameOf({ id, kind, text }: Claim): string {
  return kind === "task" ? id : `${id} (${excerpt(text, MAX_TEXT)})`;
}

/**
 * Where a claim stands. A tick is what a model wrote; only what the host saw on the files as they are now is a proof
 * (SPEC 2.9). A condition with a command needs no tick, for nobody is asked to set one.
 * @param tree fingerprint of the files as they are now; null where it could not be taken, which proves nothing
 */
export function judgeClaim(claim: Claim, { evidence, objection }: Known, tree: string | null): JudgedClaim {
  const judged = (standing: Standing, why = "", isRefuted = false): JudgedClaim => {
    return { ...claim, standing, why, isRefuted };
  };
  if (!claim.isTicked && (claim.kind === "task" || claim.command === null)) return judged("open");
  if (claim.command === null) return judged("claimed", "no command shows it");
  const shown = `\`${excerpt(claim.command, 60)}\``;
  if (objection !== null) return judged("claimed", `${shown} proves nothing: ${objection}`);
  const isOpen = claim.kind === "condition" && !claim.isTicked;
  if (evidence === null) return isOpen ? judged("open") : judged("claimed", `${shown} was not run`);
  const isNow = tree !== null && evidence.tree === tree;
  if (evidence.status === "passed") {
    if (isNow && claim.isPart !== true) return judged("proven");
    if (isNow)
      return isOpen ? judged("open") : judged("claimed", `${shown} passes, which shows only a part of it`);
    return judged(
      "stale",
      evidence.tree === null ? `files changed while ${shown} ran` : `files changed since ${shown} passed`,
    );
  }
  const code = endOf(evidence);
  const fails = isNow ? `${shown} fails (${code})` : `${shown} failed before the last change (${code})`;
  return judged(isOpen ? "open" : "claimed", fails, isNow);
}

/** How a command ended that did not pass, in a few words. */
export function endOf({ exit_code, status, duration_ms }: Evidence): string {
  if (status === "timeout") return `ended after ${Math.round(duration_ms / 1_000)} s`;
  return exit_code === null ? status : `exit code ${exit_code}`;
}

/** What keeps a plan from being proven: everything in it that is not. */
export function unproven(claims: readonly JudgedClaim[]): JudgedClaim[] {
  return claims.filter(({ standing }) => standing !== "proven");
}

/** How many of a plan's claims stand where. */
export type Tally = Readonly<Record<Standing, number>>;

export function tally(claims: readonly JudgedClaim[]): Tally {
  const count = (standing: Standing): number => claims.filter((claim) => claim.standing === standing).length;
  return { open: count("open"), claimed: count("claimed"), stale: count("stale"), proven: count("proven") };
}
