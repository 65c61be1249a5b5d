import { recordOf, type JsonRecord } from "../../../src/lib/json.ts";

export interface Rule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: string;
}

const DEFAULTS: JsonRecord = { "*": "allow", doom_loop: "ask", external_directory: "ask", question: "deny" };

const known = new WeakMap<JsonRecord, Map<string, readonly Rule[]>>();

/** An agent's rules in the order in which OpenCode reads them: its own defaults, the user's for all, the agent's. */
export function rulesOf(config: JsonRecord, agent: string): readonly Rule[] {
  const agents = recordOf(config["agent"]);
  if (agents[agent] === undefined) return [];
  const ofConfig = known.get(config) ?? new Map<string, readonly Rule[]>();
  known.set(config, ofConfig);
  const own = recordOf(agents[agent])["permission"];
  const rules =
    ofConfig.get(agent) ?? [DEFAULTS, recordOf(config["permission"]), recordOf(own)].flatMap(flatten);
  ofConfig.set(agent, rules);
  return rules;
}

function flatten(permission: JsonRecord): Rule[] {
  return Object.entries(permission).flatMap(([name, value]) =>
    typeof value === "string"
      ? [{ permission: name, pattern: "*", action: value }]
      : Object.entries(recordOf(value)).map(([pattern, action]) => ({
          permission: name,
          pattern,
          action: String(action),
        })),
  );
}

/** The last rule that fits decides. */
export function evaluate(rules: readonly Rule[], permission: string, pattern: string): Rule | undefined {
  return rules.findLast((rule) => fits(rule.permission, permission) && fits(rule.pattern, pattern));
}

/** Whether a model never gets to see a tool. */
export function isHidden(rules: readonly Rule[], tool: string): boolean {
  const name = ["write", "apply_patch"].includes(tool) ? "edit" : tool;
  const rule = rules.findLast((each) => fits(each.permission, name));
  return rule?.pattern === "*" && rule.action === "deny";
}

const compiled = new Map<string, RegExp>();

function fits(pattern: string, text: string): boolean {
  if (pattern === "*" || pattern === text) return true;
  if (!pattern.includes("*") && !pattern.includes("?")) return false;
  let regex = compiled.get(pattern);
  if (regex === undefined) {
    const source = pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    // A blank and a star at the end are optional.
    regex = new RegExp(`^${source.replace(/ \.\*$/, "( .*)?")}$`, "s");
    compiled.set(pattern, regex);
  }
  return regex.test(text);
}
