import { type ChangedFile, type Changes, MAX_CHANGED_FILES } from "./port.ts";

/** Where nothing can be told. */
export const UNKNOWN_CHANGES: Changes = { files: [], base: null, known: false };

/**
 * The changes since a base; since the newest revision where the base was rewritten away and tells nothing any more.
 * @param compare lists the files that differ from a base, or from the newest revision; a text says why that failed
 */
export async function changesSince(
  base: string | null,
  compare: (base: string | null) => Promise<ChangedFile[] | string>,
): Promise<Changes> {
  const since = await compare(base);
  const isSince = typeof since !== "string";
  const found = isSince || base === null ? since : await compare(null);
  if (typeof found === "string") return { ...UNKNOWN_CHANGES, failed: found };
  return { files: found.slice(0, MAX_CHANGED_FILES), base: isSince ? base : null, known: true };
}
