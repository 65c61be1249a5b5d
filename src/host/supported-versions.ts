/**
 * The releases of OpenCode that `test/e2e/host-needs.test.ts` passes with; `engines.opencode` in package.json says the same.
 * Older ones run a plugin's `ask` without asking anyone: nothing could be approved there.
 */
export const SUPPORTED_OPENCODE = ">=1.15.13 <2";

/** For those with an OpenCode that is too new. */
export const HOW_TO_GET_SUPPORTED =
  "Install OpenCode 1 (npm install -g opencode-ai@1), or an opencode-gaia for your OpenCode, if there is one.";

/** What the user of an OpenCode that is not supported is told; null for one that is, or that has no release's number. */
export function describeUnsupported(version: string): { readonly what: string; readonly fix: string } | null {
  const place = placeIn(version, SUPPORTED_OPENCODE);
  const isRelease = !version.startsWith("0.0.0"); // A build of a branch.
  if (!isRelease || place === "within" || place === null) return null;
  return {
    what: `OpenCode ${version} is not supported: opencode-gaia needs ${SUPPORTED_OPENCODE}.`,
    fix:
      place === "below"
        ? "Update it: opencode upgrade, or npm install -g opencode-ai@latest"
        : HOW_TO_GET_SUPPORTED,
  };
}

/** Where a version lies to a range such as `>=1.18.33 <2`; a pre-release counts as its release. @returns null for one that is unreadable */
export function placeIn(version: string, range: string): "below" | "within" | "above" | null {
  const plain = /^v?(\d+(?:\.\d+)*)/.exec(version.trim())?.[1];
  if (plain === undefined) return null;
  const compare = (sign: string): number => {
    const bound = range
      .split(" ")
      .find((each) => each.startsWith(sign))
      ?.slice(sign.length);
    return bound === undefined ? NaN : plain.localeCompare(bound, "en", { numeric: true });
  };
  if (compare(">=") < 0) return "below";
  return compare("<") >= 0 ? "above" : "within";
}
