/**
 * Where a version lies to a range such as `>=1.18.33 <2`. A pre-release counts as the version that it leads to.
 * @returns null where the version cannot be read
 */
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
