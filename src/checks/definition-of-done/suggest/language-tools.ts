import { join } from "node:path";
import { listFolder, readTextSync } from "../../../lib/read-source.ts";

/** A file by its name, or `*` and its ending, with what it says where the tool is used; any text by default. */
type Sign = string | readonly [file: string, says: RegExp];

interface Tool {
  readonly id: string;
  readonly kind: CheckKind;
  /** What stands in braces is filled in by {@link wordsOf}. */
  readonly command: string;
  /** Any of these is enough; the first that is there is told. */
  readonly signs: readonly Sign[];
  /** What starts it, where that lies in the folder. */
  readonly wrapper?: string;
}

/** A tool of Python is used where the project configures or requires it. */
function python(id: string, kind: CheckKind, command: string, ...own: string[]): Tool {
  const required = new RegExp(
    `^\\s*\\[tool\\.${id}[.\\]]|["']${id}\\s*(\\[[^\\]]*\\])?\\s*([<>=!~;"']|$)`,
    "m",
  );
  const section = new RegExp(`^\\[(?:tool:|tox:)?${id}\\]`, "m");
  const signs: Sign[] = [["pyproject.toml", required], ["setup.cfg", section], ["tox.ini", section], ...own];
  return { id, kind, command: `{python}${command}`, signs };
}

const GO = ["go.work", "go.mod"];

/** What each needs no configuration for comes first; of the others only what the project has set up. */
const TOOLS: readonly Tool[] = [
  python("pytest", "test", "pytest", "pytest.ini"),
  python("tox", "test", "tox"),
  python("ruff", "lint", "ruff check", "ruff.toml", ".ruff.toml"),
  python("flake8", "lint", "flake8", ".flake8"),
  python("mypy", "types", "mypy .", "mypy.ini", ".mypy.ini"),
  { id: "go-test", kind: "test", command: "go test {packages}", signs: GO },
  { id: "go-vet", kind: "lint", command: "go vet {packages}", signs: GO },
  { id: "cargo-test", kind: "test", command: "cargo test{workspace}", signs: ["Cargo.toml"] },
  { id: "cargo-fmt", kind: "format", command: "cargo fmt{all} --check", signs: ["Cargo.toml"] },
  {
    id: "cargo-clippy",
    kind: "lint",
    command: "cargo clippy{workspace}",
    signs: ["clippy.toml", ["Cargo.toml", /^\s*\[(workspace\.)?lints\.clippy\]/m]],
  },
  {
    id: "ctest",
    kind: "test",
    command: "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    signs: [["CMakeLists.txt", /^\s*(?:enable_testing|include\s*\(\s*CTest)\b/im]],
  },
  {
    id: "dotnet-test",
    kind: "test",
    command: "dotnet test",
    signs: ["*.sln", "*.slnx", "*.csproj", "*.fsproj"],
  },
  {
    id: "gradle-test",
    kind: "test",
    command: "gradle test",
    signs: ["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"],
    wrapper: "gradlew",
  },
  { id: "maven-test", kind: "test", command: "mvn test", signs: ["pom.xml"], wrapper: "mvnw" },
  { id: "swift-test", kind: "test", command: "swift test", signs: ["Package.swift"] },
  // It fails where a hook changes a file, and that is put back.
  {
    id: "pre-commit",
    kind: "lint",
    command: "pre-commit run --all-files",
    signs: [[".pre-commit-config.yaml", /id:/]],
  },
];

/** Lock file → what starts a program inside the project's Python environment. */
const PYTHON_RUNNERS: readonly [file: string, prefix: string][] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
];

function wordsOf({ names, textOf }: ProjectFolder): Readonly<Record<string, string>> {
  const used = textOf("go.work").matchAll(/^\s*(?:use\s+)?(\.\/[\w./-]+)\s*$/gm);
  const packages = Array.from(used, ([, path = ""]) => `${path.replace(/\/$/, "")}/...`);
  const isWorkspace = /^\[workspace\]/m.test(textOf("Cargo.toml"));
  return {
    python: PYTHON_RUNNERS.find(([file]) => names.includes(file))?.[1] ?? "",
    packages: packages.join(" ") || "./...",
    workspace: isWorkspace ? " --workspace" : "",
    all: isWorkspace ? " --all" : "",
  };
}

/** The checks that a folder's language and build tools have by themselves, by their wrapper where the project has one. */
export function suggestTools(folder: ProjectFolder): CheckSuggestion[] {
  const { names, textOf } = folder;
  const words = wordsOf(folder);
  const found = TOOLS.flatMap(({ id, kind, command, signs, wrapper }): CheckSuggestion[] => {
    const source = signs.flatMap((sign) => {
      const [file, says = null] = typeof sign === "string" ? [sign] : sign;
      const isIt = (name: string): boolean =>
        file.startsWith("*") ? name.endsWith(file.slice(1)) : name === file;
      const there = names.find(isIt);
      return there !== undefined && says?.test(textOf(there)) !== false ? [there] : [];
    })[0];
    if (source === undefined) return [];
    const filled = command.replaceAll(/\{(\w+)\}/g, (_braces, word: string) => words[word] ?? "");
    const hasWrapper = wrapper !== undefined && names.includes(wrapper);
    return [{ id, kind, source, command: hasWrapper ? filled.replace(/^\w+/, `./${wrapper}`) : filled }];
  });
  // Tox runs pytest: where that is set up itself, it alone is proposed.
  return found.some(({ id }) => id === "pytest") ? found.filter(({ id }) => id !== "tox") : found;
}

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
