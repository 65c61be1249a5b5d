import { type ChangedFile, type Changes, MAX_CHANGED_FILES } from "./port.ts";

/** Where nothing can be told. */
export const UNKNOWN_CHANGES: Changes = { files: [], base: null, known: false };

/**
 * The changes since a base; since the newest revision where the base was rewritten away and tells nothing any more.
 * @param compare lists the files that differ from a base, or from the newest revision; null when that failed
 */
export async function changesSince(
  base: string | null,
  compare: (base: string | null) => Promise<ChangedFile[] | null>,
): Promise<Changes> {
  const since = await compare(base);
  const found = since ?? (base === null ? null : await compare(null));
  if (found === null) return UNKNOWN_CHANGES;
  return { files: found.slice(0, MAX_CHANGED_FILES), base: since === null ? null : base, known: true };
}
