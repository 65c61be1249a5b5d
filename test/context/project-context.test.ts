import { symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { renderProjectContext } from "../../src/context/project-context.ts";
import { systemClock } from "../../src/lib/async.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import { createProject } from "../checks/project.ts";

const TOKEN = `ghp_${"a1".repeat(18)}`;
let directory: string;
let outside: string;
beforeEach(async () => {
  directory = await createProject({ "inside.md": `fine ${TOKEN}`, ".env": "PASS=hunter2" });
  outside = await createProject({ "notes.md": "private" });
});

const render = async (gaiaInstructionFile: string, extraContextFiles: string[] = []): Promise<string> => {
  const files = { gaiaInstructionFile, initFile: "none.md", extraContextFiles };
  const given = { ...files, accountFor: [], avoid: [], useLearnings: false };
  return renderProjectContext(directory, given, systemClock, createRedactor({}));
};

it("tells of files in the project, redacted", async () => {
  const text = await render("inside.md");
  expect(text).toContain("fine [REDACTED:key");
  expect(text).not.toContain(TOKEN);
});

it("leaves no half of a secret where a long file is cut", async () => {
  await writeFile(join(directory, "long.md"), `${"x ".repeat(8_182)}${TOKEN}`);
  expect(await render("long.md")).not.toContain("ghp_");
});

it("follows a link within the project", async () => {
  await symlink("inside.md", join(directory, "GAIA.md"));
  expect(await render("GAIA.md")).toContain("fine");
});

it.each(["link", "absolute", "dots"])("reads nothing outside of it: %s", async (how) => {
  await symlink(join(outside, "notes.md"), join(directory, "GAIA.md"));
  const absolute = join(outside, "notes.md");
  const path = { link: "GAIA.md", absolute, dots: relative(directory, absolute) }[how] ?? "";
  for (const text of [await render(path), await render("none", [path])]) {
    expect(text).toContain("outside of the project");
    expect(text).not.toContain("private");
  }
});

it("reads nothing that may hold secrets", async () => {
  await symlink(".env", join(directory, "GAIA.md"));
  for (const path of [".env", "GAIA.md"]) expect(await render(path, [path])).not.toContain("hunter2");
});
