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

/** One folder of the project: the names in it, and the text of the files that {@link READ_FILES} lists. */
export interface ProjectFolder {
  /** Relative to the project; empty for the project itself. */
  path: string;
  names: readonly string[];
  texts: Readonly<Record<string, string | undefined>>;
  /** The packages of a workspace of which this is the root. */
  members?: readonly ProjectFolder[];
}

/** The files whose text the suggestions are made from; of all others only the name is of interest. */
export const READ_FILES: readonly string[] = [
  "package.json",
  "pnpm-workspace.yaml",
  "GNUmakefile",
  "makefile",
  "Makefile",
  "justfile",
  "Justfile",
  ".justfile",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  ".pre-commit-config.yaml",
  "go.mod",
  "go.work",
  "Cargo.toml",
  "CMakeLists.txt",
];

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
