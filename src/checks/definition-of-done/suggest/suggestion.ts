import { join } from "node:path";
import { listFolder, readTextSync } from "../../../lib/read-source.ts";

const MAX_TEXT_BYTES = 200_000;

/** What a check proves; a project needs each kind once. */
export type CheckKind = "test" | "lint" | "types" | "format" | "build" | "check";

/** A check that the project already seems to have, for the user to accept; nothing was run to find it. */
export interface CheckSuggestion {
  id: string;
  command: string;
  kind: CheckKind;
  source: string;
  cwd?: string;
}

/** One folder of the project: the names in it, and what a file in it says; "" for one that is not there or cannot be read. */
export interface ProjectFolder {
  readonly names: readonly string[];
  textOf(name: string): string;
}

export async function readFolder(folder: string): Promise<ProjectFolder> {
  const names = ((await listFolder(folder)) ?? []).map(({ name }) => name);
  const textOf = (name: string): string =>
    names.includes(name) ? readTextSync(join(folder, name), MAX_TEXT_BYTES) : "";
  return { names, textOf };
}

/** The kind that a script or target of this name proves, or null when its name says nothing about proof. */
export function kindOfName(name: string): CheckKind | null {
  return KINDS[name.toLowerCase().replaceAll(/[_:-]/g, "")] ?? null;
}

const KINDS: Record<string, CheckKind | undefined> = {
  test: "test",
  tests: "test",
  lint: "lint",
  typecheck: "types",
  types: "types",
  tsc: "types",
  formatcheck: "format",
  fmtcheck: "format",
  build: "build",
  check: "check",
};
