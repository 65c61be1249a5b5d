type Version = readonly [number, number, number];

/**
 * Whether a version lies in a range as package.json's `engines` has it: comparators such as `>=1.18.33 <2`, all of
 * which must hold. A pre-release counts as the version that it leads to.
 * @returns null when the version cannot be read
 */
export function isInRange(version: string, range: string): boolean | null {
  const parsed = parseVersion(version);
  if (parsed === null) return null;
  return range.split(/\s+/).every((comparator) => holds(parsed, comparator));
}

/** Whether `version` is lower than everything in `range`, so that an update is what helps. */
export function isBelow(version: string, range: string): boolean {
  const parsed = parseVersion(version);
  const lowest = range.split(/\s+/).filter((comparator) => comparator.startsWith(">"));
  return parsed !== null && lowest.some((comparator) => !holds(parsed, comparator));
}

function holds(version: Version, comparator: string): boolean {
  const match = /^(>=|<=|>|<|=)?(.+)$/.exec(comparator);
  const bound = parseVersion(match?.[2] ?? "");
  if (bound === null) return true; // `*`, or nothing.
  const order = compare(version, bound);
  switch (match?.[1]) {
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    default:
      return order === 0;
  }
}

function parseVersion(text: string): Version | null {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text.trim());
  return match === null ? null : [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
