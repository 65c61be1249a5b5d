import { isUnreadable } from "./read-result.ts";
import { listed } from "../lib/figures.ts";
import type { Specialist } from "./specialist.ts";
import type { TaskOutcome } from "./task.ts";

/** Who kept a call from doing anything: a person, a rule of the host's, the plugin; or nobody was there to be asked. */
export type DeniedBy = "user" | "nobody" | "rule" | "plugin";

/** What became of a call that was to change or to run something. */
export type Deed =
  | { readonly kind: "done" }
  /** A change was refused because a check-in is due; `passed`: one was let pass. */
  | { readonly kind: "held-up" | "passed" }
  /** `what` as it reads behind "rejected"; `words`: what the user said with it, empty for nothing. */
  | { readonly kind: "denied"; readonly what: string; readonly by: DeniedBy; readonly words: string };

export interface Deeds {
  readonly denied: readonly Extract<Deed, { kind: "denied" }>[];
  /** Whether anything was done at all, and since the last refusal. */
  readonly done: boolean;
  readonly doneSince: boolean;
  readonly isHeldUp: boolean;
}

export const NO_DEEDS: Deeds = { denied: [], done: false, doneSince: false, isHeldUp: false };

const HELD_UP = "A check-in was due before it was done. Resume this session once the user has answered.";
const MAX_NAMED = 3;
const MAX_KEPT = 20;

export function addDeed(deeds: Deeds, deed: Deed): Deeds {
  if (deed.kind === "done") return { ...deeds, done: true, doneSince: true };
  if (deed.kind !== "denied") return { ...deeds, isHeldUp: deed.kind === "held-up" };
  const others = deeds.denied.filter(({ what }) => what !== deed.what);
  return { ...deeds, denied: [...others, deed].slice(-MAX_KEPT), doneSince: false };
}

/**
 * The outcome with what its specialist was not allowed to do, which weighs more than what it says of itself: one that was to
 * change or to run something and did nothing has failed. Pure.
 */
export function weigh(
  outcome: TaskOutcome,
  { denied, done, doneSince, isHeldUp }: Deeds,
  { mutates, role }: Pick<Specialist, "mutates" | "role">,
): TaskOutcome {
  if (isHeldUp && outcome.status === "completed") return { ...outcome, status: "partial", message: HELD_UP };
  const isClaim = outcome.status === "completed" && outcome.envelope?.ok !== false;
  const said = describeDenied(denied);
  if (denied.length === 0 || !(isClaim || isUnreadable(outcome))) {
    const message = [outcome.message, `${said}.`].filter(Boolean).join(" ");
    return denied.some(({ words }) => words !== "") ? { ...outcome, message } : outcome;
  }
  // What a historian may not write itself, the plugin writes for it.
  const acts = role === "checker" || (mutates && role !== "historian");
  if (acts && !done) {
    const message = `${said}, and nothing was done. What it says of itself does not hold. Find out what is wanted instead before you give it again.`;
    return { ...outcome, status: "failed", message, denied: said };
  }
  if (!isClaim) return { ...outcome, denied: said };
  if (!acts || doneSince) return { ...outcome, message: `${said}.`, denied: said };
  return { ...outcome, message: `${said}, and nothing was done after that.`, isShort: true, denied: said };
}

/** Who denied, before what was denied; those that a person said no to before all others. */
const SAID: readonly (readonly [DeniedBy, string])[] = [
  ["user", "The user rejected"],
  ["nobody", "Nobody was there to allow"],
  ["rule", "OpenCode's permissions deny"],
  ["plugin", "The plugin refused"],
];

function describeDenied(denied: Deeds["denied"]): string {
  const [by, said] = SAID.find(([each]) => denied.some((one) => one.by === each)) ?? [];
  const own = denied
    .filter((one) => one.by === by)
    .map(({ what, words }) => (words === "" ? what : `${what} ("${words}")`));
  return `${said} ${listed(own, MAX_NAMED)}`;
}
