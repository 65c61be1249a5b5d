import { describe, expect, it } from "vitest";
import { isDocumentationOnly } from "../../src/checks/completion.ts";

describe("isDocumentationOnly", () => {
  it.each<[string[], boolean]>([
    [[], false],
    [["README.md", "docs/guide.rst", "LICENSE"], true],
    [["docs/img/a.png", "doc/notes.txt", "pkg/docs/b.svg"], true],
    [["README.md", "src/a.ts"], false],
    [["requirements.txt"], false],
    [["CMakeLists.txt"], false],
    [["docs/conf.py"], false],
    [["src/icon.png"], false],
    [["src/README.md.ts"], false],
  ])("%j is %s", (paths, expected) => {
    expect(isDocumentationOnly(paths)).toBe(expected);
  });
});
