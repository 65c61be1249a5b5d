import type { ModelCatalog, ModelId } from "../host/port.ts";
import { providerOf } from "./queue.ts";

/** What an agent's work asks of a model: to judge and plan, to write code, or to look around and run things cheaply. */
export type Capability = "strong" | "coding" | "fast";

/** Which models an agent prefers before the session's own. */
export interface ModelPreference {
  /** By name, in order; empty when it is to run on the session's model or on what its capability finds. */
  readonly models: readonly ModelId[];
  /** Absent where someone named the models, and no other is to be used. */
  readonly capability?: Capability | undefined;
}

/** A version such as `4-5`, `4.5`, `41`, `k2p5` or `5`; a date behind a dash is none. */
const VERSION = String.raw`(\d{1,2})(?:[-.p](\d{1,2})(?!\d))?`;
/** What may follow: a date, a preview, the vendor's own word for the newest, and a cloud's own version. */
const RELEASE = String.raw`(?:[-@]\d{8}|-\d{4}-\d\d-\d\d|(?:-\d{4})?(?:-preview(?:-\d\d-\d{4})?)?|[-@](?:latest|default)|-\d{3})(?:-v\d+(?::\d+)?)?`;
/** A major version from here on is two digits that someone wrote without a point. */
const UNPOINTED = 20;

/** @param name with `#` for its version; before it may stand a vendor, a region, or a vendor's name in a cloud */
const family = (name: string): RegExp =>
  new RegExp(`(?:^|[/.])${name.replace("#", () => VERSION)}${RELEASE}$`, "iu");

const OPUS = family("claude-opus-#");
const SONNET = family("claude-sonnet-#");
const HAIKU = family("claude-haiku-#");
const GPT = family(String.raw`gpt-(?!4\b|4\.)#`);
const CODEX = family("gpt-#-codex(?:-max)?");
const GPT_MINI = family("gpt-#-mini");
const GEMINI_PRO = family("gemini-#-pro");
const GEMINI_FLASH = family("gemini-#-flash");
const GLM = family("glm-#");
const GLM_FAST = family("glm-#-(?:air|flash)");
const KIMI = family("(?:kimi-)?k#");
const KIMI_THINKING = family("kimi-k#-thinking");
const KIMI_FAST = family("kimi-k#-turbo");
/** Generations before these: better than nothing, and nothing that is preferred to another family of today. */
const OLDER = [family("claude-#-sonnet"), family("gpt-#")];

/**
 * Families of models by what they are good for, in order of preference within one provider. Names carry their version,
 * so that the newest of a family is found without a list that grows old.
 */
const FAMILIES: Readonly<Record<Capability, readonly RegExp[]>> = {
  strong: [OPUS, GPT, GEMINI_PRO, KIMI_THINKING, GLM, KIMI, SONNET, CODEX, ...OLDER],
  coding: [CODEX, SONNET, GEMINI_PRO, KIMI, GLM, GPT, OPUS, ...OLDER],
  fast: [
    HAIKU,
    GPT_MINI,
    GEMINI_FLASH,
    GLM_FAST,
    KIMI_FAST,
    family("claude-#-haiku"),
    GLM,
    KIMI,
    SONNET,
    CODEX,
  ],
};

/** Providers in the order in which they are looked at, behind that of the session; others come last, by name. */
const PROVIDERS = [
  "anthropic",
  "openai",
  "google",
  "zai-coding-plan",
  "zhipuai-coding-plan",
  "kimi-for-coding",
  "github-copilot",
  "opencode",
  "zai",
  "zhipuai",
  "moonshotai",
  "openrouter",
];

/** One model of each provider is enough to fall back on, and of so many providers. */
const MAX_CHOSEN = 3;

/** The chain of an agent: the models that are named, then what its capability finds among those that can do its work. */
export function chainOf(
  { models, capability }: ModelPreference,
  { available, able = available }: Pick<ModelCatalog, "available" | "able">,
  sessionModel: ModelId | null,
): readonly ModelId[] {
  if (capability === undefined) return models;
  return [...new Set([...models, ...chooseModels(capability, able, sessionModel)])];
}

/**
 * Chooses among the models of connected providers (SPEC 6): the newest of the best family that a provider has, the
 * session's own provider first, because it is the one that the user chose to pay. Where no family of that one is known,
 * as with local models, it is the session's own model that comes first: no other provider is sent anything unasked.
 * @returns at most three models, one of each provider; none where no family is known
 */
export function chooseModels(
  capability: Capability,
  available: ReadonlySet<ModelId>,
  sessionModel: ModelId | null,
): readonly ModelId[] {
  const own = sessionModel === null ? null : providerOf(sessionModel);
  const rank = (provider: string): number => {
    const at = PROVIDERS.indexOf(provider);
    return provider === own ? -1 : at === -1 ? PROVIDERS.length : at;
  };
  const providers = [...new Set([...available].map(providerOf))].toSorted(
    (left, right) => rank(left) - rank(right) || left.localeCompare(right),
  );
  const found = providers.map((provider) => ({
    provider,
    best: newest(FAMILIES[capability], provider, available),
  }));
  if (found.every(({ best }) => best === undefined)) return [];
  return found
    .flatMap(({ provider, best }) => best ?? (provider === own && sessionModel !== null ? sessionModel : []))
    .slice(0, MAX_CHOSEN);
}

function newest(
  families: readonly RegExp[],
  provider: string,
  available: ReadonlySet<ModelId>,
): ModelId | undefined {
  const models = [...available].filter((model) => providerOf(model) === provider);
  for (const known of families) {
    const found = models.flatMap((model) => {
      const [, major, minor = "0"] = known.exec(model.slice(provider.length + 1)) ?? [];
      if (major === undefined) return [];
      const whole = Number(major) < UNPOINTED ? Number(major) : Number(major) / 10;
      return [{ model, version: whole + Number(minor) / (minor.length * 10) }];
    });
    // Of two names for one version, the shorter is the one without a date.
    const [best] = found.toSorted(
      (left, right) => right.version - left.version || left.model.length - right.model.length,
    );
    if (best !== undefined) return best.model;
  }
  return undefined;
}
