/** Names in `.gaia/` with a meaning of their own, and the device names that no Windows folder can have. */
const RESERVED = new Set(
  "archive config knowledge learnings agents gaia-init plans con prn aux nul"
    .split(" ")
    .concat(Array.from({ length: 10 }, (_, digit) => [`com${digit}`, `lpt${digit}`]).flat()),
);

/** Why a text cannot name a work unit, or null when it can: `[a-z0-9][a-z0-9-]{0,63}` and not reserved (SPEC 10). */
export function refuseSlug(slug: string): string | null {
  // `$` would accept a trailing line break, hence the length check on what really matched.
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.exec(slug)?.[0] !== slug) {
    return "A work unit's slug is 1 to 64 of a-z, 0-9 and -, and begins with a letter or digit.";
  }
  return RESERVED.has(slug) ? `"${slug}" is a reserved name; add a word to it.` : null;
}
