import { isRecord, type JsonRecord } from "../../lib/json.ts";

export interface Registration {
  /** Our agents by name, in the form of OpenCode's configuration. */
  readonly agents: Readonly<Record<string, object>>;
  readonly commands: Readonly<Record<string, { template: string; description: string; agent?: string }>>;
  /** Our tools: hidden from every agent but those of ours that are allowed them. */
  readonly tools: readonly string[];
}

/**
 * Matches OpenCode's `task` permission under a name that no user writes, so that it can stand behind the user's own
 * rules without replacing them: the last matching rule wins.
 */
const TASK_RULE = "task*";

/**
 * Writes our agents and commands into OpenCode's configuration, inside its `config` hook. Whatever the user wrote
 * wins key by key, and no other agent comes to see any of it (SPEC 2.1, 3): our tools are denied to all, and our
 * agents are taken out of the native `task` tool's list. Mutates `config`, because OpenCode ignores a new object.
 */
export function registerInConfig(config: JsonRecord, registration: Registration): void {
  const users = isRecord(config["agent"]) ? config["agent"] : {};
  const hidden = hiddenRules(registration);
  const others = Object.entries(users)
    .filter(([name]) => registration.agents[name] === undefined)
    .map(([name, entry]) => [name, hideFrom(entry, hidden)]);
  const ours = Object.entries(registration.agents).map(([name, entry]) => [
    name,
    mergeAgent(entry, users[name]),
  ]);
  config["agent"] = { ...Object.fromEntries(others), ...Object.fromEntries(ours) };
  config["permission"] = { ...permissionObject(config["permission"]), ...hidden };
  config["command"] = { ...registration.commands, ...(isRecord(config["command"]) ? config["command"] : {}) };
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

function mergeAgent(ours: object, users: unknown): JsonRecord {
  const own: JsonRecord = { ...ours };
  if (!isRecord(users)) return own;
  const permission = { ...permissionObject(own["permission"]), ...permissionObject(users["permission"]) };
  return { ...own, ...users, permission };
}

/** `"allow"` is short for `{"*": "allow"}`. */
function permissionObject(permission: unknown): JsonRecord {
  if (typeof permission === "string") return { "*": permission };
  return isRecord(permission) ? permission : {};
}
