import { isRecord } from "../lib/json.ts";

/** How arguments are called that hold a path or an address. */
const PLACE = /(?:path|file|filename|folder|dir|directory|destination|dest|target|source|uri|url)s?$/i;
const MAX_DEPTH = 8;
const MAX_TEXTS = 200;

/** What the arguments of a tool that is not known call a path or an address, as far as their names tell. */
export function readPlaces(args: unknown): { paths: string[]; addresses: string[] } {
  const found: string[] = [];
  const collect = (value: unknown, isPlace: boolean, depth: number): void => {
    if (found.length >= MAX_TEXTS || depth > MAX_DEPTH) return;
    if (typeof value === "string" && isPlace) found.push(value);
    else if (Array.isArray(value)) for (const item of value) collect(item, isPlace, depth + 1);
    else if (isRecord(value))
      for (const [key, item] of Object.entries(value)) collect(item, PLACE.test(key), depth + 1);
  };
  collect(args, false, 0);
  const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text) && !/^file:/i.test(text);
  return {
    paths: found
      .filter((text) => !isAddress(text))
      .map((text) => text.replace(/^file:\/\/(?:localhost)?/i, "")),
    addresses: found.filter(isAddress),
  };
}
