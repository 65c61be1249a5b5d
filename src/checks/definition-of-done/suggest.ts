import { join } from "node:path";
import type { WrittenDefinition } from "../../config/definition-of-done.ts";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import { listFolder, readTextSync } from "../../lib/read-source.ts";

/** What a check proves; a project needs each kind once. */
type CheckKind = "test" | "lint" | "types" | "format" | "build" | "check";

/** A check that the project already seems to have, for the user to accept; nothing was run to find it. */
export interface CheckSuggestion {
  id: string;
  command: string;
  kind: CheckKind;
  source: string;
  cwd?: string;
}

/** One folder of the project: the names in it, and what a file in it says; "" for one that is not there or cannot be read. */
interface ProjectFolder {
  readonly names: readonly string[];
  textOf(name: string): string;
}

const MAX_TEXT_BYTES = 200_000;
/** Folders directly below the project that are looked into; enough for `frontend` and `backend`. */
const MAX_FOLDERS = 12;
const NEVER = new Set(["node_modules", "vendor", "target", "dist", "build"]);

/**
 * Proposes checks for a project that has no Definition of Done (SPEC 11): of the project itself and, where nothing there names a
 * check, of the folders directly below it. Nothing is run, and nothing counts until the user accepts it. What the project's
 * authors wrote comes first; a tool's default is proposed only for a kind of proof that their recipes do not offer.
 */
export async function suggestChecks(directory: string): Promise<CheckSuggestion[]> {
  const root = await readFolder(directory);
  const own = suggestIn(root, root);
  if (own.length > 0) return own;
  const entries = (await listFolder(directory)) ?? [];
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !NEVER.has(entry.name))
    .map(({ name }) => name)
    .toSorted();
  const below = names.slice(0, MAX_FOLDERS).map(async (cwd) => {
    const found = suggestIn(await readFolder(join(directory, cwd)), root);
    return found.map((each) => ({ ...each, id: `${cwd}-${each.id}`, source: `${cwd}/${each.source}`, cwd }));
  });
  return (await Promise.all(below)).flat();
}

/** The suggestions as a definition that can be written into the config as it stands. */
export function definitionFrom(suggestions: readonly CheckSuggestion[]): WrittenDefinition {
  return { checks: suggestions.map(({ id, command, cwd }) => ({ id, command, ...(cwd ? { cwd } : {}) })) };
}

async function readFolder(folder: string): Promise<ProjectFolder> {
  const names = ((await listFolder(folder)) ?? []).map(({ name }) => name);
  // Windows' editors begin with a byte order mark.
  const read = (name: string): string =>
    readTextSync(join(folder, name), MAX_TEXT_BYTES).replace("\uFEFF", "");
  return { names, textOf: (name) => (names.includes(name) ? read(name) : "") };
}

/** @param root where a workspace keeps its lock file */
function suggestIn(folder: ProjectFolder, root: ProjectFolder): CheckSuggestion[] {
  const recipes = suggestRecipes(folder);
  const tools = suggestTools(folder).filter(({ kind }) => recipes.every((recipe) => recipe.kind !== kind));
  const found = [...suggestScripts(folder, root), ...recipes, ...tools];
  return found.filter(({ id }, at) => found.findIndex((each) => each.id === id) === at);
}

/** Names of scripts and recipes that prove something, in small letters and without `-`, `_` and `:`. */
const KINDS: readonly [kind: CheckKind, ...names: string[]][] = [
  ["test", "test", "tests"],
  ["lint", "lint"],
  ["types", "typecheck", "types", "tsc"],
  ["format", "formatcheck", "fmtcheck"],
  ["build", "build"],
  ["check", "check"],
];

function kindOf(name: string): CheckKind | undefined {
  const wanted = name.toLowerCase().replaceAll(/[_:-]/g, "");
  return KINDS.find(([, ...names]) => names.includes(wanted))?.[0];
}

/** Lock file → package manager; the first that is there decides. */
const LOCK_FILES: readonly [file: string, manager: string][] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];
const PLACEHOLDER = "no test specified";

/**
 * Checks from the scripts of `package.json`, by their names: what one of them does is the user's to judge, who says yes to it.
 * Without npm's placeholder, and without those that another one runs.
 */
function suggestScripts(folder: ProjectFolder, root: ProjectFolder): CheckSuggestion[] {
  const source = "package.json";
  const { scripts, packageManager } = recordOf(parseJson(folder.textOf(source)));
  const declared = textOf(packageManager)?.split("@")[0];
  const lock = LOCK_FILES.find(([file]) => [...folder.names, ...root.names].includes(file));
  const manager = declared ?? lock?.[1] ?? "npm";
  const usable = Object.entries(recordOf(scripts)).flatMap(([name, script]) => {
    const kind = kindOf(name);
    const isUsable = kind !== undefined && typeof script === "string" && !script.includes(PLACEHOLDER);
    return isUsable ? [{ name, kind, words: script.split(" ") }] : [];
  });
  const isRun = (name: string): boolean =>
    usable.some(
      (other) =>
        other.name !== name &&
        other.words.some((word, at) => word === name && ["run", manager].includes(other.words[at - 1] ?? "")),
    );
  return usable.flatMap(({ name, kind }) => {
    const command = `${manager} run ${name}`;
    return isRun(name) ? [] : [{ id: name.replaceAll(":", "-"), command, kind, source }];
  });
}

/** Files of recipes, and the program that runs one. */
const RECIPES: readonly [program: string, files: readonly string[]][] = [
  ["make", ["GNUmakefile", "makefile", "Makefile"]],
  ["just", ["justfile", "Justfile", ".justfile"]],
];
/** The head of a recipe that wants to be told nothing. */
const HEAD = /^@?([\w-]+)[ \t]*::?(?!=)/;

function suggestRecipes(folder: ProjectFolder): CheckSuggestion[] {
  return RECIPES.flatMap(([program, files]) => {
    const source = files.find((name) => folder.names.includes(name));
    if (source === undefined) return [];
    const lines = folder.textOf(source).split("\n");
    return lines.flatMap((line): CheckSuggestion[] => {
      const name = HEAD.exec(line)?.[1] ?? "";
      const kind = kindOf(name);
      return kind === undefined ? [] : [{ id: name, command: `${program} ${name}`, kind, source }];
    });
  });
}

interface Tool extends Pick<CheckSuggestion, "id" | "kind" | "command"> {
  /** Files of which one is enough: a name or `*` and its ending, and where a file may say other things what it must say, as {@link plain}. */
  readonly signs: readonly Sign[];
  /** What starts it, where that lies in the folder. */
  readonly wrapper?: string;
  /** Runs in the project's Python environment. */
  readonly isPython?: true;
}

type Sign = readonly [file: string, ...says: string[]];

const tool = (id: string, kind: CheckKind, command: string, ...signs: readonly Sign[]): Tool => {
  return { id, kind, command, signs };
};

/** A tool of Python is used where the project configures or requires it. */
function python(id: string, kind: CheckKind, command: string, ...own: string[]): Tool {
  const says = [`[tool.${id}`, `"${id}`, `'${id}`, `[${id}]`, `[tool:${id}]`, `\n${id}=`];
  const shared = ["pyproject.toml", "setup.cfg", "tox.ini"].map((file): Sign => [file, ...says]);
  return { ...tool(id, kind, command, ...own.map((file): Sign => [file]), ...shared), isPython: true };
}

const CTEST = "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure";
const GRADLE = ["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"];

/** What needs no configuration comes first; of the others only what the project has set up. */
const TOOLS: readonly Tool[] = [
  python("pytest", "test", "pytest", "pytest.ini"),
  python("tox", "test", "tox"),
  python("ruff", "lint", "ruff check", "ruff.toml", ".ruff.toml"),
  python("flake8", "lint", "flake8", ".flake8"),
  python("mypy", "types", "mypy .", "mypy.ini", ".mypy.ini"),
  tool("go-test", "test", "go test ./...", ["go.mod"]),
  tool("go-vet", "lint", "go vet ./...", ["go.mod"]),
  tool("cargo-test", "test", "cargo test --workspace", ["Cargo.toml"]),
  tool("cargo-fmt", "format", "cargo fmt --all --check", ["Cargo.toml"]),
  tool("cargo-clippy", "lint", "cargo clippy --workspace", ["clippy.toml"], ["Cargo.toml", "lints.clippy]"]),
  // Only in a project's top folder, and where its own tests can be found from there.
  tool("ctest", "test", CTEST, ["CMakeLists.txt", "enable_testing(&project(", "include(ctest&project("]),
  tool("dotnet-test", "test", "dotnet test", ["*.sln"], ["*.slnx"], ["*.csproj"], ["*.fsproj"]),
  {
    ...tool("gradle-test", "test", "gradle test", ...GRADLE.map((file): Sign => [file])),
    wrapper: "gradlew",
  },
  { ...tool("maven-test", "test", "mvn test", ["pom.xml"]), wrapper: "mvnw" },
  tool("swift-test", "test", "swift test", ["Package.swift"]),
  // It fails where a hook changes a file, and that is put back.
  tool("pre-commit", "lint", "pre-commit run --all-files", [".pre-commit-config.yaml", "id:"]),
];

/** A text in small letters without blanks: CMake and TOML read it as the same. */
function plain(text: string): string {
  return `\n${text}`.toLowerCase().replaceAll(" ", "").replaceAll("\t", "");
}

/** Lock file → what starts a program inside the project's Python environment. */
const PYTHON_RUNNERS: readonly [file: string, prefix: string][] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
];

/** The checks that a folder's language and build tools have by themselves, by their wrapper where the project has one. */
function suggestTools({ names, textOf: read }: ProjectFolder): CheckSuggestion[] {
  const isNamed = (name: string, file: string): boolean =>
    file.startsWith("*") ? name.endsWith(file.slice(1)) : name === file;
  const runner = PYTHON_RUNNERS.find(([file]) => names.includes(file))?.[1] ?? "";
  const found = TOOLS.flatMap(({ id, kind, command, signs, wrapper, isPython }): CheckSuggestion[] => {
    const [source] = signs.flatMap(([file, ...says]) => {
      const there = names.find((name) => isNamed(name, file)) ?? "";
      const isSaid = (texts: string): boolean =>
        texts.split("&").every((text) => plain(read(there)).includes(text));
      return there !== "" && (says.length === 0 || says.some(isSaid)) ? [there] : [];
    });
    if (source === undefined) return [];
    const hasWrapper = wrapper !== undefined && names.includes(wrapper);
    const own = hasWrapper ? command.replace(/^\w+/, `./${wrapper}`) : command;
    return [{ id, kind, source, command: isPython === true ? runner + own : own }];
  });
  // Tox runs pytest: where that is set up itself, it alone is proposed.
  return found.some(({ id }) => id === "pytest") ? found.filter(({ id }) => id !== "tox") : found;
}
