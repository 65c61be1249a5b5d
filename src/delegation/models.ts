import type { ModelCatalog, ModelFacts, ModelId } from "../host/port.ts";
import { mayFallBack, type FailureClass } from "./failure.ts";
import { providerOf } from "./queue.ts";

/** What an agent's work asks of a model: to judge and plan, to write code, or to look around and run things cheaply. */
export type Capability = "strong" | "coding" | "fast";

export interface ModelPreference {
  /** By name, in order; empty when it is to run on the session's model or on what its capability finds. */
  readonly models: readonly ModelId[];
  /** Absent where someone named the models, and no other is to be used. */
  readonly capability?: Capability | undefined;
}

interface Demand {
  /** Dollars for a million tokens of output, at most. */
  readonly price: number;
  /** What a model costs at least, as a share of the dearest at this price. */
  readonly share: number;
  readonly reasoning: boolean;
}

const DEMANDS: Readonly<Record<Capability, Demand>> = {
  strong: { price: 25, share: 1 / 3, reasoning: true },
  coding: { price: 15, share: 1 / 3, reasoning: true },
  fast: { price: 5, share: 0, reasoning: false },
};
/** A brief, the files of a task and what is found in them. */
const MIN_CONTEXT = 150_000;
/** Models that came out so long before a provider's newest are not compared with it, in milliseconds. */
const GENERATION_MS = 183 * 24 * 60 * 60_000;
/** One model of each provider is enough to fall back on, and of so many providers. */
const MAX_CHOSEN = 3;

/** The chain of an agent: the models that are named, then what its capability finds among those that can do its work. */
export function chainOf(
  { models, capability }: ModelPreference,
  { facts }: Pick<ModelCatalog, "facts">,
  sessionModel: ModelId | null,
): readonly ModelId[] {
  if (capability === undefined) return models;
  return [...new Set([...models, ...chooseModels(capability, facts, sessionModel)])];
}

/**
 * Chooses among the models of connected providers (SPEC 6) by what OpenCode knows of them; names say nothing. The
 * session's own provider comes first, because it is the one that the user chose to pay; where nothing of it fits, as with
 * local models and those that have no price, it is the session's own model: no other provider is sent anything unasked.
 * @returns at most three models, one of each provider; none where nothing is known of any
 */
export function chooseModels(
  capability: Capability,
  facts: readonly ModelFacts[],
  sessionModel: ModelId | null,
): readonly ModelId[] {
  const own = sessionModel === null ? null : makerOf(sessionModel);
  const makers = new Map<string, ModelFacts[]>();
  for (const each of facts) {
    const maker = makerOf(each.model);
    makers.set(maker, [...(makers.get(maker) ?? []), each]);
  }
  const best = [...makers].flatMap(([maker, models]) => {
    // Of a gateway's many makers only the user's is taken.
    const isOpen = maker === own || maker === providerOf(`${maker}/`);
    return (isOpen ? pick(DEMANDS[capability], models) : null) ?? [];
  });
  if (best.length === 0) return [];
  const isOwn = ({ model }: ModelFacts): boolean => makerOf(model) === own;
  const others = best.filter((each) => !isOwn(each)).toSorted(byAge);
  const first = best.find(isOwn)?.model ?? sessionModel;
  return [...(first === null ? [] : [first]), ...others.map(({ model }) => model)].slice(0, MAX_CHOSEN);
}

/** The newest of those that cost about as much as the dearest that may be paid; of several the cheapest. */
function pick({ price, share, reasoning }: Demand, models: readonly ModelFacts[]): ModelFacts | null {
  const fit = models.filter(
    (each) =>
      each.price > 0 && each.price <= price && each.context >= MIN_CONTEXT && (each.reasoning || !reasoning),
  );
  const newest = Math.max(...fit.map(({ released }) => released));
  const recent = fit.filter(({ released }) => released >= newest - GENERATION_MS);
  const dearest = Math.max(...recent.map((each) => each.price));
  return recent.filter((each) => each.price >= dearest * share).toSorted(byAge)[0] ?? null;
}

function byAge(a: ModelFacts, b: ModelFacts): number {
  return (
    b.released - a.released ||
    a.price - b.price ||
    // Of two names for one model, the shorter is the one without a date.
    a.model.length - b.model.length ||
    a.model.localeCompare(b.model)
  );
}

/** The provider, and of a gateway also whose model it is: all of a name but its last part. */
function makerOf(model: ModelId): string {
  return model.slice(0, Math.max(0, model.lastIndexOf("/")));
}

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
 * @param cooling whether a provider is in its cool-down
 */
export function resolveCandidates(
  preference: ModelPreference,
  catalog: ModelCatalog,
  sessionModel: ModelId | null,
  cooling: (provider: string) => boolean,
): Candidates {
  const chain = chainOf(preference, catalog, sessionModel);
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
