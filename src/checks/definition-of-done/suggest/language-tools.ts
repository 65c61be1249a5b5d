import type { CheckSuggestion, ProjectFolder } from "./suggestion.ts";

/** Lock file → what starts a program inside the project's Python environment. */
const PYTHON_RUNNERS: readonly [file: string, prefix: string][] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
];

/** pytest, ruff, flake8, mypy and tox, each only where the project configures or requires it. */
export function suggestPython(folder: ProjectFolder): CheckSuggestion[] {
  const prefix = PYTHON_RUNNERS.find(([file]) => folder.names.includes(file))?.[1] ?? "";
  const project = folder.texts["pyproject.toml"] ?? "";
  const { "setup.cfg": setup = "", "tox.ini": tox = "" } = folder.texts;
  const sections = `${setup}\n${tox}`;
  /** Where a tool is set up: in its own file, in a section, or as a requirement. */
  const sourceOf = (tool: string, ...files: string[]): string | undefined => {
    if (
      new RegExp(`^\\s*\\[tool\\.${tool}[.\\]]|["']${tool}\\s*(\\[[^\\]]*\\])?\\s*([<>=!~;"']|$)`, "m").test(
        project,
      )
    )
      return "pyproject.toml";
    if (new RegExp(`^\\[(?:tool:)?${tool}\\]`, "m").test(sections))
      return setup.includes(`${tool}]`) ? "setup.cfg" : "tox.ini";
    return files.find((file) => folder.names.includes(file));
  };
  const offer = (id: string, command: string, kind: CheckSuggestion["kind"], source: string | undefined) =>
    source === undefined ? [] : [{ id, command: `${prefix}${command}`, kind, source }];
  const pytest = offer("pytest", "pytest", "test", sourceOf("pytest", "pytest.ini"));
  return [
    ...(pytest.length > 0
      ? pytest
      : offer(
          "tox",
          "tox",
          "test",
          sourceOf("tox") ?? (/^\[tox:tox\]/m.test(setup) ? "setup.cfg" : undefined),
        )),
    ...offer("ruff", "ruff check", "lint", sourceOf("ruff", "ruff.toml", ".ruff.toml")),
    ...offer("flake8", "flake8", "lint", sourceOf("flake8", ".flake8")),
    ...offer("mypy", "mypy .", "types", sourceOf("mypy", "mypy.ini", ".mypy.ini")),
  ];
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
