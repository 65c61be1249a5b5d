import { isBelow, isInRange } from "../lib/version-range.ts";

/**
 * The releases of OpenCode that pass `test/bench/compatibility.ts`; `engines.opencode` in package.json says the same.
 * Older ones run a plugin's `ask` without asking anyone: nothing could be approved there.
 */
export const SUPPORTED_OPENCODE = ">=1.15.13 <2";

/** What the user of an OpenCode that is not supported is told; null for one that is, or that has no release's number. */
export function describeUnsupported(version: string): string | null {
  const isRelease = !version.startsWith("0.0.0"); // A build of a branch.
  if (!isRelease || isInRange(version, SUPPORTED_OPENCODE) !== false) return null;
  const fix = isBelow(version, SUPPORTED_OPENCODE) ? "opencode upgrade" : "npm install opencode-gaia@latest";
  return `OpenCode ${version} is not supported: GAIA needs ${SUPPORTED_OPENCODE}, and parts of her may not work. Run: ${fix}`;
}
