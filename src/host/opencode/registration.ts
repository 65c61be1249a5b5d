import {
  userDenies,
  isSeveral,
  permissionObject,
  respelled,
  withUserDenies,
} from "../../config/user-denies.ts";
import { isRecord, numberOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { Registered, Registration } from "../hook-events.ts";
import { PERMISSION_NAMES } from "./tool-call.ts";

/** `task` under a name that no user writes: the last matching rule wins, so it stands behind the user's own and replaces none. */
const TASK_RULE = "task*";

/** Where the plugin's own worktrees lie: a path in one is no path of the user's worktree, and their rules hold there too. */
const OWN_TREES = "*opencode-gaia/worktree/*/";

/** What an agent of ours needs to speak at all; a rule for several tools does not mean it. */
const SPEECH = new Set(["question", PERMISSION_NAMES.malformed, PERMISSION_NAMES.repetition]);

/**
 * Writes our agents and commands into OpenCode's configuration, inside its `config` hook. Whatever the user wrote
 * wins key by key, what they deny to everybody is denied to our agents too, and no other agent comes to see any of it (SPEC 2.1, 3): our tools are denied to all, and our
 * agents are taken out of the native `task` tool's list. Mutates `config`, because OpenCode ignores a new object.
 */
export function registerInConfig(config: JsonRecord, registration: Registration): Registered {
  const everywhere = rulesPaths(config["permission"]);
  const commands = usersCommands(recordOf(config["command"]), registration);
  const users = recordOf(config["agent"]);
  const hidden = hiddenRules(registration);
  const others = Object.entries(users)
    .filter(([name]) => registration.agents[name] === undefined)
    .map(([name, entry]) => [name, hideFrom(entry, hidden)]);
  const isOurs = (tool: string): boolean => tool.startsWith("gaia_") || registration.tools.includes(tool);
  // An earlier pass has left rules of ours.
  const denies = Object.fromEntries(
    Object.entries(permissionObject(config["permission"])).filter(
      ([tool]) => !isOurs(tool) && tool !== TASK_RULE,
    ),
  );
  const ours = Object.entries(registration.agents).map(([name, entry]) => [
    name,
    mergeAgent(entry, users[name], denies, (tool) => isOurs(tool) || SPEECH.has(tool)),
  ]);
  config["agent"] = { ...Object.fromEntries(others), ...Object.fromEntries(ours) };
  config["permission"] = { ...permissionObject(config["permission"]), ...hidden };
  config["command"] = { ...registration.commands, ...recordOf(config["command"]) };
  const agents = Object.entries(recordOf(config["agent"])).map(([name, entry]) => {
    return {
      name,
      model: textOf(recordOf(users[name])["model"]) ?? null,
      steps: stepsOf(users[name], registration.agents[name]),
      rulesPaths: everywhere || rulesPaths(recordOf(entry)["permission"]),
      prompt: textOf(recordOf(entry)["prompt"]) ?? "",
    };
  });
  return { commands, agents, denied: userDenies(denies) };
}

/** What the user set; an earlier pass has left ours. */
function stepsOf(entry: unknown, ours: unknown): number | null {
  const steps = numberOf(recordOf(entry)["steps"]);
  return steps === undefined || steps < 1 || steps === recordOf(ours)["steps"] ? null : steps;
}

/** Commands that stand in the configuration already, and are not ours from an earlier pass. */
function usersCommands(configured: JsonRecord, { commands }: Registration): string[] {
  return Object.keys(configured).filter(
    (name) => recordOf(configured[name])["template"] !== commands[name]?.template,
  );
}

/** What rules of these are about has a name or an address, and no path. */
const PATHLESS = /^(?:bash$|task|skill$|web)/u;

/** Whether rules hold for some files only, and not by the ends of their names. */
function rulesPaths(permission: unknown): boolean {
  return Object.entries(recordOf(permission)).some(
    ([tool, rules]) =>
      !PATHLESS.test(tool) && Object.keys(recordOf(rules)).some((rule) => /^[^*]|\//u.test(rule)),
  );
}

function hiddenRules({ agents, tools }: Registration): JsonRecord {
  const denied = (names: readonly string[]): JsonRecord =>
    Object.fromEntries(names.map((name) => [name, "deny"]));
  return { ...denied(tools), [TASK_RULE]: denied(Object.keys(agents)) };
}

/** An agent with permissions of its own overrides the global ones, so the same rules are repeated behind its own. */
function hideFrom(entry: unknown, hidden: JsonRecord): unknown {
  if (!isRecord(entry) || entry["permission"] === undefined) return entry;
  return { ...entry, permission: { ...permissionObject(entry["permission"]), ...hidden } };
}

/** Ours, what the user denies to everybody, and behind both what they say of this agent, key by key. */
function mergeAgent(
  ours: object,
  users: unknown,
  denies: JsonRecord,
  isExempt: (tool: string) => boolean,
): JsonRecord {
  const own: JsonRecord = { ...ours };
  const theirs = permissionObject(recordOf(users)["permission"]);
  const others = Object.entries(denies).filter(([tool]) => !(tool in theirs) && !(respelled(tool) in theirs));
  const rules = withUserDenies(permissionObject(own["permission"]), inOwnTrees(others), isExempt);
  for (const [tool, rule] of Object.entries(theirs)) {
    // What holds for several tools stays in front of what is said of one.
    if (!isSeveral(tool)) delete rules[tool];
    rules[tool] = rule;
  }
  return { ...own, ...recordOf(users), permission: rules };
}

/** With each rule for a file of the project once more, for the same file in a worktree of ours. */
function inOwnTrees(rules: readonly (readonly [tool: string, rule: unknown])[]): JsonRecord {
  const twice = ([pattern, action]: [string, unknown]): [string, unknown][] =>
    ["*", "/", "~", "$"].some((mark) => pattern.startsWith(mark))
      ? [[pattern, action]]
      : [
          [pattern, action],
          [OWN_TREES + pattern, action],
        ];
  return Object.fromEntries(
    rules.map(([tool, rule]) => [
      tool,
      (tool === "read" || tool === "edit") && isRecord(rule)
        ? Object.fromEntries(Object.entries(rule).flatMap(twice))
        : rule,
    ]),
  );
}
