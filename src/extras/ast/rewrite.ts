import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import type { FileChange } from "../changes/change.ts";
import { lineEndOf } from "../changes/lines.ts";
import type { Located } from "../changes/locate.ts";
import type { Match } from "./search.ts";

export interface Rewrite {
  readonly changes: readonly FileChange[];
  readonly places: number;
  /** Matches inside of others, which the same call cannot change as well. */
  readonly nested: number;
}

/** Works out a rewrite in the files as they are now. @param find tells where a file lies, or why it is left alone */
export async function workOut(
  matches: readonly Match[],
  find: (file: string) => Located | Refusal,
): Promise<Rewrite | Refusal> {
  const changes: FileChange[] = [];
  let [places, nested] = [0, 0];
  for (const file of new Set(matches.map((match) => match.file))) {
    const located = find(file);
    if (isRefusal(located)) return located;
    const before = await readRegular(located.path, MAX_SOURCE_BYTES);
    if (before === null) return refuse(`${file} cannot be read any more.`, "Call again.");
    const lineEnd = lineEndOf(before);
    const parts: (Buffer | string)[] = [];
    let at = 0;
    for (const { start, end, text, replacement } of matches.filter((match) => match.file === file)) {
      if (start < at) nested += 1;
      if (start < at) continue;
      if (before.toString("utf8", start, end) !== text)
        return refuse(`${file} changed while it was searched.`, "Nothing was changed; call again.");
      const fresh = replacement === null ? text : replacement.replaceAll(/\r?\n/gu, lineEnd);
      if (replacement !== text && fresh !== text) places += 1;
      parts.push(before.subarray(at, start), replacement === text ? text : fresh);
      at = end;
    }
    const after = Buffer.concat([...parts, before.subarray(at)].map((part) => Buffer.from(part)));
    if (!after.equals(before)) changes.push({ ...located, before, after });
  }
  return { changes, places, nested };
}
