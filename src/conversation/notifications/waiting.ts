import type { CollaborationState } from "../collaboration/state.ts";
import { excerpt } from "../../lib/excerpt.ts";

/** What a person may be told of away from the terminal. */
export type Occasion = "approval" | "question" | "check-in" | "blocked" | "budget" | "finished" | "failed";

/** What a conversation waits for. */
export interface Waiting {
  /** The same for as long as it is the same thing that waits. */
  readonly key: string;
  readonly occasion: Occasion;
  /** One sentence for a person, as long and as open as what it is made of. */
  readonly text: string;
}

/**
 * What a conversation waits for its user for now; null while it works, or when there is nothing to come back for. Pure.
 * @param worked how many delegations ended since the user spoke last
 * @param isBusy whether a specialist still works
 * @param failure by which her last request ended; empty for none
 */
export function waitingFor(
  { pending, pause, idle, workUnit }: Pick<CollaborationState, "pending" | "pause" | "idle" | "workUnit">,
  worked: number,
  isBusy: boolean,
  failure: string,
): Waiting | null {
  const [asked] = pending;
  if (asked?.kind === "question")
    return { key: asked.requestId, occasion: "question", text: asked.questions[0] ?? "" };
  if (asked !== undefined) {
    const { approval, tool, requestId } = asked;
    const text = approval === null ? `May ${tool} run?` : `Approve ${approval.kind} of ${approval.workUnit}?`;
    const occasion = approval?.kind === "budget" ? "budget" : "approval";
    return { key: requestId, occasion, text };
  }
  if (!idle || isBusy) return null;
  const what = workUnit === null ? "the work" : workUnit;
  if (pause !== null) {
    if (pause.reason === "abort") return null;
    return {
      key: `pause ${pause.reason} ${pause.detail} ${worked}`,
      occasion: pause.reason === "blocked" || pause.reason === "budget" ? pause.reason : "check-in",
      text: pause.detail === "" ? `A check-in of ${what} waits for you.` : pause.detail,
    };
  }
  if (failure !== "")
    return { key: `failed ${worked} ${failure}`, occasion: "failed", text: `GAIA has stopped: ${failure}` };
  return worked === 0
    ? null
    : {
        key: `finished ${worked}`,
        occasion: "finished",
        text: `GAIA has finished with ${excerpt(what, 80)}.`,
      };
}
