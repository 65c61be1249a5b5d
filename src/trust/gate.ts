import {
  isJsonObject,
  ownValue,
  renderKeyPath,
  valueAt,
  type JsonObject,
  type JsonValue,
  type KeyPath,
} from "../config/json-value.ts";
import { CONFIG_RULES } from "./config-rules.ts";
import { specialistPowers, type AskedSpecialist } from "./file-powers.ts";
import { definePower, type Power } from "./power.ts";
import { always, harmless, type PowerRule, type Scene } from "./rule.ts";

/**
 * Judges what comes with a project while it is loaded, and remembers what it asks for.
 * @param granted hashes of what the user has said yes to @param readerSteps the bound on a reader's steps
 */
export function createGate(
  granted: ReadonlySet<string>,
  defaultSteps: Scene["defaultSteps"],
  readerSteps: number,
) {
  const powers: Power[] = [];
  const notices: string[] = [];
  const areGranted = (asked: readonly Power[]): boolean => asked.every(({ hash }) => granted.has(hash));
  return {
    /**
     * What of a configuration applies: all of it but what asks for powers that are not granted.
     * @param file as powers name it, for example `.gaia/config.jsonc`
     * @param base the configuration without the project's files, defaults included
     */
    restrain(file: string, written: JsonObject, base: JsonObject): JsonObject {
      const applied: JsonObject = {};
      for (const { path, value, rule } of leavesOf(written, [])) {
        const agent = path[0] === "agents" ? String(path[1]) : "";
        const requests = rule(value, valueAt(base, path), { base, agent, defaultSteps });
        const asked = requests.map((each) => definePower(file, renderKeyPath(path), each));
        powers.push(...asked);
        const applying = areGranted(asked) ? value : requests[0]?.tighter;
        if (applying !== undefined) put(applied, path, applying);
      }
      notices.push(...replacedPrompts(file, written));
      return applied;
    },
    /** Whether a specialist of the project's own may work with all that its file asks for. */
    admits(file: string, specialist: AskedSpecialist): boolean {
      const asked = specialistPowers(file, specialist, readerSteps);
      powers.push(...asked);
      return areGranted(asked);
    },
    /** Everything that was asked for so far, in the order of the files. */
    powers: powers as readonly Power[],
    /** Those that the user has not said yes to. */
    get ungranted(): readonly Power[] {
      return powers.filter(({ hash }) => !granted.has(hash));
    },
    /** What applies without a yes, because it is only text, and is worth a look all the same. */
    notices: notices as readonly string[],
  };
}

const UNKNOWN: PowerRule = always("sets something whose meaning is not known: %");

/** The values for which there is a rule; one for which there is none, and nothing below it, is not known. */
function leavesOf(
  value: JsonObject,
  parent: KeyPath,
): { path: KeyPath; value: JsonValue; rule: PowerRule }[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...parent, key];
    const pattern = path.map((segment, at) => (path[0] === "agents" && at === 1 ? "*" : segment)).join(".");
    const rule = Object.hasOwn(CONFIG_RULES, pattern) ? CONFIG_RULES[pattern] : undefined;
    const isParent = isJsonObject(inner) && Object.keys(inner).length > 0;
    if (rule === undefined && isParent) return leavesOf(inner, path);
    return [{ path, value: inner, rule: rule ?? (isJsonObject(inner) ? harmless : UNKNOWN) }];
  });
}

function put(root: JsonObject, path: KeyPath, value: JsonValue): void {
  let object = root;
  for (const key of path.slice(0, -1)) {
    const known = object[key];
    const inner = isJsonObject(known) ? known : {};
    object[key] = inner;
    object = inner;
  }
  object[String(path.at(-1))] = value;
}

function replacedPrompts(file: string, { agents }: JsonObject): string[] {
  return Object.keys(isJsonObject(agents) ? agents : {})
    .filter((name) => ownValue(ownValue(agents, name), "prompt") !== undefined)
    .map((name) => `${file} replaces the prompt of ${name}.`);
}
