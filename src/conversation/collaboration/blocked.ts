import { excerpt } from "../../lib/excerpt.ts";
import { withNext } from "../../lib/sentence.ts";
import type { CollaborationDefaults } from "./defaults.ts";
import type { Outcome } from "./outcome.ts";
import { inOrder, outcome } from "./outcome.ts";
import { pauseWork } from "./pause.ts";
import type { CollaborationState } from "./state.ts";

const MAX_REASON = 500;
const MAX_NEXT_STEP = 300;

/**
 * The pipeline ends: a reviewer said BLOCKED, rejected twice, or nothing moves (SPEC 12). It takes the place of any other
 * pause but the user's own stop, and is told once.
 */
export function blockWork(
  state: CollaborationState,
  given: { readonly reason: string; readonly nextStep: string },
  defaults: CollaborationDefaults,
): Outcome {
  const held = state.pause?.reason;
  if (held === "blocked" || held === "abort") return outcome(state);
  const reason = excerpt(given.reason, MAX_REASON);
  const nextStep = excerpt(given.nextStep, MAX_NEXT_STEP);
  const detail = withNext(reason, nextStep);
  const record = [`- Reason: ${reason}`, `- Next: ${nextStep}`, "- Nothing changes until the user answers."];
  return inOrder(
    state,
    (now) =>
      outcome(
        now,
        { type: "toast", variant: "error", message: `BLOCKED: ${detail}` },
        { type: "log", workUnit: now.workUnit, title: "BLOCKED", markdown: record.join("\n") },
      ),
    (now) => pauseWork(now, { reason: "blocked", detail, sessionId: null }, defaults),
  );
}
