import { describe, expect, it } from "vitest";
import { namesLibraries } from "../../src/cli/libraries.ts";

const manifest = (value: object): string => JSON.stringify(value);

describe("whether a project's file names libraries", () => {
  it.each<[boolean, string, string]>([
    [true, "package.json", manifest({ dependencies: { react: "19" } })],
    [true, "package.json", manifest({ devDependencies: { vitest: "4" } })],
    [true, "package.json", manifest({ workspaces: ["packages/*"] })],
    [false, "package.json", manifest({ name: "p", scripts: { test: "node --test" } })],
    [false, "package.json", manifest({ dependencies: {}, devDependencies: { "opencode-gaia": "file:x" } })],
    [false, "package.json", manifest({ devDependencies: { "@types/node": "20" } })],
    [false, "package.json", "{"],
    [true, "requirements.txt", "# pinned\nflask==3.0\n"],
    [false, "requirements.txt", "# none yet\n\n"],
    [true, "pyproject.toml", '[project]\nname = "p"\ndependencies = [\n  # web\n  "flask>=3",\n]\n'],
    [true, "pyproject.toml", '[dependency-groups]\ndev = ["pytest"]\n'],
    [true, "pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.11"\nrequests = "*"\n'],
    [false, "pyproject.toml", '[project]\nname = "p"\ndependencies = []\n'],
    [
      false,
      "pyproject.toml",
      '[tool.poetry.dependencies]\npython = "^3.11"\n\n[tool.ruff]\nline-length = 90\n',
    ],
    [true, "Cargo.toml", '[package]\nname = "p"\n\n[dependencies]\nserde = "1"\n'],
    [true, "Cargo.toml", '[workspace]\nmembers = ["a"]\n'],
    [false, "Cargo.toml", '[package]\nname = "p"\n\n[dependencies]\n'],
    [true, "go.mod", "module p\n\nrequire github.com/a/b v1.0.0\n"],
    [false, "go.mod", "module p\n\ngo 1.23\n"],
    [true, "Gemfile", 'source "https://rubygems.org"\ngem "rails"\n'],
    [true, "pom.xml", "<dependencies><dependency><groupId>a</groupId></dependency></dependencies>"],
    [false, "Makefile", "all:\n"],
  ])("%s: %s", (named, file, text) => {
    expect(namesLibraries(file, text)).toBe(named);
  });
});
