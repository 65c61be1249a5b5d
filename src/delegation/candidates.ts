import type { ModelCatalog, ModelId } from "../host/port.ts";
import { mayFallBack, type FailureClass } from "./failure.ts";
import { providerOf } from "./queue.ts";

/** A task ends when it has fallen silent so often, or when so many models refused it: what it says is refused then. */
const MOST = { stalled: 2, refused: 2 };

export interface Candidates {
  /** Never empty; a null entry leaves the choice to OpenCode. */
  readonly models: readonly [ModelId | null, ...(ModelId | null)[]];
  /** Whether nothing of the agent's own chain could be used, so that it runs on the session's model (SPEC 6). */
  readonly inherited: boolean;
}

/**
 * Resolves an agent's chain against what is available now (SPEC 6): configured model, default, fallbacks, then the
 * session's model, then OpenCode's default. Providers that failed a short while ago go to the end, not away: a
 * cooling provider is still better than none.
 * @param chain the agent's models in order of preference; empty when it is to inherit
 * @param cooling whether a provider is in its cool-down
 */
export function resolveCandidates(
  chain: readonly ModelId[],
  catalog: ModelCatalog,
  sessionModel: ModelId | null,
  cooling: (provider: string) => boolean,
): Candidates {
  const own = [...new Set(chain)].filter((model) => catalog.available.has(model));
  const last = [sessionModel, catalog.fallback].filter((model) => model !== null && !own.includes(model));
  const all: (ModelId | null)[] = [...own, ...new Set(last)];
  const isCooling = (model: ModelId | null): boolean => model !== null && cooling(providerOf(model));
  const [first = null, ...rest] = [...all.filter((model) => !isCooling(model)), ...all.filter(isCooling)];
  return { models: [first, ...rest], inherited: own.length === 0 && chain.length > 0 };
}

/**
 * Which model to try next after the attempts so far, or undefined when the chain is used up (SPEC 6).
 * The last one gets one more try after its first stall. A second stall of the same task is its end: silence costs the user
 * minutes each time.
 */
export function nextCandidate(
  candidates: Candidates,
  attempts: readonly { model: ModelId | null; failure: FailureClass | null }[],
): ModelId | null | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return candidates.models[0];
  if (last.failure === null || !mayFallBack(last.failure)) return undefined;
  if (last.failure === "stalled" || last.failure === "refused") {
    const same = attempts.filter((attempt) => attempt.failure === last.failure).length;
    if (same >= MOST[last.failure]) return undefined;
  }
  const next = candidates.models.find((model) => attempts.every((attempt) => attempt.model !== model));
  if (next !== undefined) return next;
  return last.failure === "stalled" ? last.model : undefined;
}
