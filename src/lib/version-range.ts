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

/** What the order of a version and its bound must be. */
const COMPARATORS: Readonly<Record<string, (order: number) => boolean>> = {
  ">=": (order) => order >= 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  "<": (order) => order < 0,
  "=": (order) => order === 0,
};

function holds(version: Version, comparator: string): boolean {
  const [, sign = "=", rest = ""] = /^(>=|<=|>|<|=)?(.+)$/.exec(comparator) ?? [];
  const bound = parseVersion(rest);
  if (bound === null) return true; // `*`, or nothing.
  const order = version.map((part, at) => part - (bound[at] ?? 0)).find((gap) => gap !== 0) ?? 0;
  return COMPARATORS[sign]?.(order) === true;
}

function parseVersion(text: string): Version | null {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text.trim());
  return match === null ? null : [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
}
