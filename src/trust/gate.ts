import { isJsonObject, ownValue, type JsonObject } from "../config/json-value.ts";
import { listPowers, withoutPowers } from "./config-powers.ts";
import { specialistPowers, type AskedSpecialist } from "./file-powers.ts";
import type { Power } from "./power.ts";
import type { Scene } from "./rule.ts";

export type TrustGate = ReturnType<typeof createGate>;

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
  const isGranted = (hash: string): boolean => granted.has(hash);
  return {
    /** What of a configuration applies. @param base the configuration without the project's files, defaults included */
    restrain(file: string, written: JsonObject, base: JsonObject): JsonObject {
      const config = { file, written, base, defaultSteps };
      powers.push(...listPowers(config));
      notices.push(...replacedPrompts(file, written));
      return withoutPowers(config, isGranted);
    },
    /** Whether a specialist of the project's own may work with all that its file asks for. */
    admits(file: string, specialist: AskedSpecialist): boolean {
      const asked = specialistPowers(file, specialist, readerSteps);
      powers.push(...asked);
      return asked.every(({ hash }) => isGranted(hash));
    },
    /** Everything that was asked for so far, in the order of the files. */
    powers: powers as readonly Power[],
    /** Those that the user has not said yes to. */
    get ungranted(): readonly Power[] {
      return powers.filter(({ hash }) => !isGranted(hash));
    },
    /** What applies without a yes, because it is only text, and is worth a look all the same. */
    notices: notices as readonly string[],
  };
}

function replacedPrompts(file: string, { agents }: JsonObject): string[] {
  return Object.keys(isJsonObject(agents) ? agents : {})
    .filter((name) => ownValue(ownValue(agents, name), "prompt") !== undefined)
    .map((name) => `${file} replaces the prompt of ${name}.`);
}
