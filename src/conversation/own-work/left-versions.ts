import type { FileVersion } from "../../vcs/tree/state.ts";

/** Versions that are remembered; the oldest go. */
const MAX_LEFT = 2_000;

/** What calls left of files, in a commit or not. */
export interface LeftVersions {
  add(path: string, version: FileVersion): void;
  /** Whether a call left the file like this. @param since of {@link count} */
  has(path: string, version: FileVersion, since?: number): boolean;
  /** How often calls have left files. */
  count(): number;
}

export function createLeftVersions(): LeftVersions {
  const left = new Map<string, number>();
  let count = 0;
  return {
    add(path, version) {
      left.set(nameOf(path, version), (count += 1));
      const [oldest] = left.keys();
      if (left.size > MAX_LEFT && oldest !== undefined) left.delete(oldest);
    },
    has: (path, version, since = 0) => (left.get(nameOf(path, version)) ?? 0) > since,
    count: () => count,
  };
}

function nameOf(path: string, { id, stored = id }: FileVersion): string {
  return `${path}\n${stored}`;
}
