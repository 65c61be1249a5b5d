import type { CheckSuggestion, ProjectFolder } from "./suggestion.ts";

/** Lock file → what starts a program inside the project's Python environment. */
const PYTHON_RUNNERS: readonly [file: string, prefix: string][] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
];

/** pytest, ruff and mypy, each only when `pyproject.toml` configures or requires it. */
export function suggestPython(folder: ProjectFolder): CheckSuggestion[] {
  const text = folder.texts["pyproject.toml"];
  if (text === undefined) return [];
  const prefix = PYTHON_RUNNERS.find(([file]) => folder.names.includes(file))?.[1] ?? "";
  const uses = (tool: string): boolean =>
    new RegExp(`^\\s*\\[tool\\.${tool}[.\\]]`, "m").test(text) ||
    new RegExp(`["']${tool}\\s*(\\[[^\\]]*\\])?\\s*([<>=!~;"']|$)`, "m").test(text);
  const source = "pyproject.toml";
  const suggestions: CheckSuggestion[] = [];
  if (uses("pytest") || folder.names.includes("pytest.ini")) {
    suggestions.push({ id: "pytest", command: `${prefix}pytest`, kind: "test", source });
  }
  if (uses("ruff")) suggestions.push({ id: "ruff", command: `${prefix}ruff check`, kind: "lint", source });
  if (uses("mypy")) suggestions.push({ id: "mypy", command: `${prefix}mypy .`, kind: "types", source });
  return suggestions;
}

/** What every Go module has: its tests and `go vet`. */
export function suggestGo(folder: ProjectFolder): CheckSuggestion[] {
  if (folder.texts["go.mod"] === undefined) return [];
  return [
    { id: "go-test", command: "go test ./...", kind: "test", source: "go.mod" },
    { id: "go-vet", command: "go vet ./...", kind: "lint", source: "go.mod" },
  ];
}

/** What every Rust package has: its tests and rustfmt; clippy when the project configures it. */
export function suggestRust(folder: ProjectFolder): CheckSuggestion[] {
  const text = folder.texts["Cargo.toml"];
  if (text === undefined) return [];
  const source = "Cargo.toml";
  const suggestions: CheckSuggestion[] = [
    { id: "cargo-test", command: "cargo test", kind: "test", source },
    { id: "cargo-fmt", command: "cargo fmt --check", kind: "format", source },
  ];
  if (folder.names.includes("clippy.toml") || /^\s*\[(workspace\.)?lints\.clippy\]/m.test(text)) {
    suggestions.push({ id: "cargo-clippy", command: "cargo clippy", kind: "lint", source });
  }
  return suggestions;
}
