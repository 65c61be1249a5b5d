import { isRecord, recordOf, type JsonRecord } from "../lib/json.ts";
import { matchesWildcard } from "../lib/path-pattern.ts";

type Patterns = readonly (readonly [pattern: string, action: unknown])[];

/** What the user's rules deny to everybody. */
export interface UserDenies {
  /** Places, as written: below the worktree, absolute or below `~/`. */
  readonly read: readonly string[];
  readonly edit: readonly string[];
  /** All rules for commands, in their order: the last that matches counts. */
  readonly commands: Patterns;
}

/** `"allow"` is short for `{"*": "allow"}`. */
export function permissionObject(permission: unknown): JsonRecord {
  return typeof permission === "string" ? { "*": permission } : recordOf(permission);
}

/**
 * An agent's rules with what the user denies for everybody behind them: OpenCode takes the last rule that matches (SPEC 9).
 * Where the user makes an exception from a denial, the agent's own rule holds again.
 * @param isExempt what the agent cannot work without, and what no rule for several tools means
 */
export function withUserDenies(
  own: JsonRecord,
  users: JsonRecord,
  isExempt: (tool: string) => boolean,
): JsonRecord {
  const rules = new Map(Object.entries(own));
  const append = (tool: string, rule: unknown): void => {
    rules.delete(tool);
    rules.set(tool, rule);
  };
  const denied: string[] = [];
  for (const [tool, rule] of Object.entries(users)) {
    const patterns = patternsOf(rule);
    const isDenied = denied.some((each) => matchesWildcard(tool, each));
    const denies = patterns.filter(([, action]) => action === "deny");
    if (!isDenied && denies.length === 0) continue;
    const named = isSeveral(tool) ? Object.keys(own).filter((each) => matchesWildcard(each, tool)) : [tool];
    if (!isSeveral(tool)) append(tool, restrict(ruleFor(own, tool), patterns, isDenied));
    else if (denies.length === 0) for (const each of named) append(each, own[each]);
    else {
      append(respelled(tool), Object.fromEntries(denies));
      for (const each of named.filter(isExempt)) append(each, own[each]);
    }
    if (actionFor(patterns, "*") === "deny") denied.push(tool);
  }
  return Object.fromEntries(rules);
}

/** The same wildcard in other letters, so that it can stand behind rules of an agent that have one of its name in front. */
export function respelled(tool: string): string {
  return tool.replaceAll("*", "**");
}

export function isSeveral(tool: string): boolean {
  return tool.includes("*") || tool.includes("?");
}

/** Of `read` and `edit` only plain places, which mounts can hold: a file, or a folder with all below it. */
export function userDenies(permission: unknown): UserDenies {
  const rules = Object.entries(permissionObject(permission));
  const rulesOf = (tool: string): Patterns =>
    rules.flatMap(([key, rule]) => (matchesWildcard(tool, key) ? patternsOf(rule) : []));
  const of = (tool: string): string[] => {
    const patterns = rulesOf(tool);
    const places = patterns.flatMap(([pattern]) =>
      actionFor(patterns, pattern) === "deny" ? (placeOf(pattern) ?? []) : [],
    );
    return [...new Set(places)];
  };
  return { read: of("read"), edit: of("edit"), commands: rulesOf("bash") };
}

/** Whether the rule that counts for a command denies it by its name; where it denies all of them OpenCode refuses. */
export function deniesCommand({ commands }: Pick<UserDenies, "commands">, command: string): boolean {
  const [pattern, action] = commands.findLast(([each]) => matchesWildcard(command, each)) ?? [];
  return action === "deny" && pattern !== "*";
}

function placeOf(pattern: string): string | null {
  const place = ["/**", "/*"].reduce(
    (text, end) => (text.endsWith(end) ? text.slice(0, -end.length) : text),
    pattern,
  );
  return place === "" || isSeveral(place) ? null : place;
}

/** An agent's rule for a tool with the user's patterns behind it, of which only denials are more than the agent's own. */
function restrict(own: unknown, users: Patterns, isDenied: boolean): unknown {
  const base = patternsOf(own);
  const patterns = new Map<string, unknown>(isDenied ? [["*", "deny"]] : base);
  let denies = isDenied;
  for (const [pattern, action] of users) {
    denies ||= action === "deny";
    if (!denies) continue;
    if (pattern === "*") patterns.clear();
    patterns.delete(pattern);
    if (action !== "deny" && pattern === "*") for (const [each, then] of base) patterns.set(each, then);
    else patterns.set(pattern, action === "deny" ? action : (actionFor(base, pattern) ?? "deny"));
  }
  return patterns.size === 1 && patterns.has("*") ? patterns.get("*") : Object.fromEntries(patterns);
}

function ruleFor(rules: JsonRecord, tool: string): unknown {
  return rules[tool] ?? Object.entries(rules).findLast(([each]) => matchesWildcard(tool, each))?.[1];
}

function patternsOf(rule: unknown): Patterns {
  if (isRecord(rule)) return Object.entries(rule);
  return rule === undefined ? [] : [["*", rule]];
}

function actionFor(patterns: Patterns, text: string): unknown {
  return patterns.findLast(([pattern]) => matchesWildcard(text, pattern))?.[1];
}
