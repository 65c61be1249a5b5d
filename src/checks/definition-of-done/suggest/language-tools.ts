import type { CheckSuggestion, ProjectFolder } from "./suggestion.ts";

/** Lock file → what starts a program inside the project's Python environment. */
const PYTHON_RUNNERS: readonly [file: string, prefix: string][] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
];

/** Tools by their id: the command, what it proves, and the files of its own that set it up. */
const PYTHON_TOOLS: Readonly<Record<string, readonly [string, CheckSuggestion["kind"], ...string[]]>> = {
  pytest: ["pytest", "test", "pytest.ini"],
  // It runs pytest: where that is set up itself, it alone is proposed.
  tox: ["tox", "test"],
  ruff: ["ruff check", "lint", "ruff.toml", ".ruff.toml"],
  flake8: ["flake8", "lint", ".flake8"],
  mypy: ["mypy .", "types", "mypy.ini", ".mypy.ini"],
};

/** Tools of Python, each only where the project configures or requires it. */
export function suggestPython(folder: ProjectFolder): CheckSuggestion[] {
  const prefix = PYTHON_RUNNERS.find(([file]) => folder.names.includes(file))?.[1] ?? "";
  const project = folder.texts["pyproject.toml"] ?? "";
  const { "setup.cfg": setup = "", "tox.ini": tox = "" } = folder.texts;
  const isRequired = (tool: string): boolean =>
    new RegExp(`^\\s*\\[tool\\.${tool}[.\\]]|["']${tool}\\s*(\\[[^\\]]*\\])?\\s*([<>=!~;"']|$)`, "m").test(
      project,
    );
  const hasSection = (tool: string): boolean =>
    new RegExp(`^\\[(?:tool:|tox:)?${tool}\\]`, "m").test(`${setup}\n${tox}`);
  const found = Object.entries(PYTHON_TOOLS).flatMap(([id, [command, kind, ...files]]): CheckSuggestion[] => {
    const inSection = setup.includes(`${id}]`) ? "setup.cfg" : "tox.ini";
    const own = files.find((file) => folder.names.includes(file));
    const source = isRequired(id) ? "pyproject.toml" : hasSection(id) ? inSection : own;
    return source === undefined ? [] : [{ id, command: `${prefix}${command}`, kind, source }];
  });
  return found.some(({ id }) => id === "pytest") ? found.filter(({ id }) => id !== "tox") : found;
}

/** What every Go module has, and every workspace of them: tests and `go vet`. */
export function suggestGo(folder: ProjectFolder): CheckSuggestion[] {
  const source = ["go.work", "go.mod"].find((file) => folder.texts[file] !== undefined);
  if (source === undefined) return [];
  const used = [...(folder.texts["go.work"] ?? "").matchAll(/^\s*(?:use\s+)?(\.\/[\w./-]+)\s*$/gm)];
  const what =
    used.length === 0 ? "./..." : used.map(([, path = ""]) => `${path.replace(/\/$/, "")}/...`).join(" ");
  return [
    { id: "go-test", command: `go test ${what}`, kind: "test", source },
    { id: "go-vet", command: `go vet ${what}`, kind: "lint", source },
  ];
}

/** What every Rust package and workspace has: tests and rustfmt; clippy when the project configures it. */
export function suggestRust(folder: ProjectFolder): CheckSuggestion[] {
  const text = folder.texts["Cargo.toml"];
  if (text === undefined) return [];
  const source = "Cargo.toml";
  const isWorkspace = /^\[workspace\]/m.test(text);
  const all = isWorkspace ? " --workspace" : "";
  const suggestions: CheckSuggestion[] = [
    { id: "cargo-test", command: `cargo test${all}`, kind: "test", source },
    { id: "cargo-fmt", command: `cargo fmt${isWorkspace ? " --all" : ""} --check`, kind: "format", source },
  ];
  if (folder.names.includes("clippy.toml") || /^\s*\[(workspace\.)?lints\.clippy\]/m.test(text)) {
    suggestions.push({ id: "cargo-clippy", command: `cargo clippy${all}`, kind: "lint", source });
  }
  return suggestions;
}

/** A build tool whose files at a folder's top say that its tests are run in one way. */
interface BuildTool {
  readonly id: string;
  /** Names of files, or their endings from the dot on; the first that is there counts. */
  readonly files: readonly string[];
  /** What starts it, where that lies in the folder. */
  readonly wrapper?: string;
  /** What its file says where there are tests; any text by default. */
  readonly says?: RegExp;
  readonly command: string;
}

const BUILD_TOOLS: readonly BuildTool[] = [
  {
    id: "ctest",
    files: ["CMakeLists.txt"],
    says: /^\s*(?:enable_testing|include\s*\(\s*CTest)\b/im,
    command: "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
  },
  { id: "dotnet-test", files: [".sln", ".slnx", ".csproj", ".fsproj"], command: "dotnet test" },
  {
    id: "gradle-test",
    files: ["build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle"],
    wrapper: "gradlew",
    command: "gradle test",
  },
  { id: "maven-test", files: ["pom.xml"], wrapper: "mvnw", command: "mvn test" },
  { id: "swift-test", files: ["Package.swift"], command: "swift test" },
];

/** The tests of CMake, .NET, Gradle, Maven and Swift, by their wrapper where the project has one. */
export function suggestBuildTools({ names, texts }: ProjectFolder): CheckSuggestion[] {
  return BUILD_TOOLS.flatMap(({ id, files, wrapper, says, command }): CheckSuggestion[] => {
    const source = files
      .map((file) => names.find((name) => (file.startsWith(".") ? name.endsWith(file) : name === file)))
      .find((name) => name !== undefined);
    if (source === undefined || says?.test(texts[source] ?? "") === false) return [];
    const hasWrapper = wrapper !== undefined && names.includes(wrapper);
    const run = hasWrapper ? command.replace(/^\w+/, `./${wrapper}`) : command;
    return [{ id, command: run, kind: "test", source }];
  });
}
