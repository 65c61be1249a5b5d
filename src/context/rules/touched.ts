import { matchesPattern } from "../../lib/path-pattern.ts";
import type { Rule, TouchedDocument } from "./rule.ts";

const NAMED = /[\w@.-]+(?:\/[\w@.*-]+)*/g;
const MAX_NAMED = 2_000;

/**
 * Documents that name a changed file, or whose words are in its path; not those that were changed themselves. Pure.
 * @param changed paths relative to the project
 */
export function touchedDocuments(rules: readonly Rule[], changed: readonly string[]): TouchedDocument[] {
  return rules
    .filter(({ isDocument, source }) => isDocument && !changed.includes(source))
    .map((rule) => {
      const names = namesIn(rule.text);
      const isMeant = (path: string): boolean =>
        (!rule.always && rule.matcher.meetsPath(path)) || names.some((name) => means(name, path));
      return { source: rule.source, files: changed.filter(isMeant) };
    })
    .filter(({ files }) => files.length > 0);
}

/** What may be the name of a file or a folder: it has a slash, or an ending. */
function namesIn(text: string): string[] {
  const names = new Set<string>();
  for (const [word] of text.matchAll(NAMED)) {
    const name = word.replace(/^\.\/|[.]+$/g, "");
    if (/\/|\w\.\w/.test(name)) names.add(name);
    if (names.size === MAX_NAMED) break;
  }
  return [...names];
}

function means(name: string, path: string): boolean {
  if (name.includes("*")) return matchesPattern(path, name);
  return path === name || path.startsWith(`${name}/`) || path.endsWith(`/${name}`);
}
