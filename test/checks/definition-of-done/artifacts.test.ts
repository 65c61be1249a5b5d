import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findArtifacts } from "../../../src/checks/definition-of-done/run.ts";
import { define } from "../definition.ts";
import { createProject } from "../project.ts";
import { readCases } from "../../support/cases.ts";

async function find(directory: string, artifact: { path: string; optional?: boolean }) {
  const { artifacts } = define({ artifacts: [artifact] });
  return findArtifacts(directory, artifacts, new AbortController().signal);
}

describe("findArtifacts", () => {
  it.each(readCases<[string, boolean]>("checks/definition-of-done/artifacts.find-artifacts"))(
    "%s: %s",
    async (path, found) => {
      const directory = await createProject({
        "dist/main.js": "x",
        "a/b/c/deep.txt": "x",
        "node_modules/lib/index.js": "x",
        "app/[id]/page.tsx": "x",
        "docs/en/index.md": "x",
        ".cache/hidden": "x",
      });
      await mkdir(join(directory, "empty"));
      await symlink("nowhere", join(directory, "broken-link"));
      await symlink("dist", join(directory, "good-link"));
      expect(await find(directory, { path })).toEqual([{ path, optional: false, found }]);
    },
  );

  it.each(["../secret", "/etc/passwd", "a/../../x"])("refuses %s with a reason", async (path) => {
    const [artifact] = await find(await createProject(), { path, optional: true });
    expect(artifact).toEqual({
      path,
      optional: true,
      found: false,
      problem: "is not a path inside the project",
    });
  });
});
