import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../config/json-value.ts";
import { isSamePower, shown, type PowerRequest } from "./power.ts";
import { MAX_PARTS, wholly, type PowerRule } from "./rule.ts";

const SEVERAL = /[*?]/;

interface Part {
  readonly tool: string;
  /** null for a rule that holds for the whole tool. */
  readonly pattern: string | null;
  readonly action: JsonValue;
  /** null for a denial that loosens nothing. */
  readonly asked: PowerRequest | null;
}

/**
 * An agent's permissions: a denial is harmless, everything else is a power, `ask` too, for a specialist is denied what it
 * is not given. What is denied for some patterns leaves the rest of the tool as it is below.
 */
export const permissionRule: PowerRule = (value, base, { agent }) => {
  const rules = partsOf(value, base);
  if (rules.length > MAX_PARTS) return wholly(value, `${agent} may use ${shown(value)}`);
  const parts = rules.map((part) => ({ ...part, asked: askedBy(part, agent) }));
  return {
    asked: parts.flatMap(({ asked }) => asked ?? []),
    apply(isGranted) {
      const rules: JsonObject = {};
      for (const { tool, pattern, action, asked } of parts) {
        if (asked === null ? pattern !== null && isOvertaken(base, tool) : !isGranted(asked)) continue;
        if (pattern === null) rules[tool] = action;
        else rules[tool] = { ...patternsSoFar(rules[tool], ownValue(base, tool)), [pattern]: action };
      }
      return rules;
    },
  };
};

/** Without what holds below already: written again it would move to the end, where it overrules what came after it. */
function partsOf(value: JsonValue, base: JsonValue | undefined): Omit<Part, "asked">[] {
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([tool, rule]): Omit<Part, "asked">[] => {
    const below = ownValue(base, tool);
    if (!isJsonObject(rule)) return isSamePower(below, rule) ? [] : [{ tool, pattern: null, action: rule }];
    return Object.entries(rule)
      .filter(([pattern, action]) => !isSamePower(ownValue(below, pattern), action))
      .map(([pattern, action]) => ({ tool, pattern, action }));
  });
}

function askedBy({ tool, pattern, action }: Omit<Part, "asked">, agent: string): PowerRequest | null {
  const value = { tool, pattern, action };
  const on = pattern === null ? "" : ` on ${shown(pattern)}`;
  if (action !== "deny") return { what: `${agent} may use ${shown(tool)}${on}: ${shown(action)}`, value };
  // In the place of a rule that denies every tool there is, it would be one that denies next to nothing.
  if (pattern === null || !SEVERAL.test(tool)) return null;
  return { what: `${agent} is denied ${shown(tool)} only${on}`, value };
}

/**
 * Whether a denial of some patterns would uncover a rule of the user's for several tools: one that stands behind this tool's,
 * as a merged key moves to the end; or any, where the plugin's own rule for the tool would be replaced.
 */
function isOvertaken(base: JsonValue | undefined, tool: string): boolean {
  const tools = Object.keys(isJsonObject(base) ? base : {});
  return tools.slice(tools.indexOf(tool) + 1).some((each) => SEVERAL.test(each));
}

/** A rule for the whole tool would be lost where one for some patterns takes its place. */
function patternsSoFar(written: JsonValue | undefined, below: JsonValue | undefined): JsonObject {
  if (isJsonObject(written)) return written;
  return typeof below === "string" ? { "*": below } : {};
}
