import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { renderProjectContext } from "../../src/context/project-context.ts";
import { systemClock } from "../../src/lib/async.ts";
import { createRedactor } from "../../src/lib/redaction.ts";

const TOKEN = `ghp_${"a1".repeat(18)}`;
let directory: string;
let outside: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-context-"));
  outside = await mkdtemp(join(tmpdir(), "gaia-outside-"));
  await writeFile(join(outside, "notes.md"), "private");
  await writeFile(join(directory, "inside.md"), `fine ${TOKEN}`);
  await writeFile(join(directory, ".env"), "PASS=hunter2");
});
afterEach(async () => {
  await rm(directory, { recursive: true });
  await rm(outside, { recursive: true });
});

const render = async (gaiaInstructionFile: string, extraContextFiles: string[] = []): Promise<string> =>
  renderProjectContext(
    directory,
    {
      gaiaInstructionFile,
      initFile: "none.md",
      extraContextFiles,
      accountFor: [],
      avoid: [],
      useLearnings: false,
    },
    systemClock,
    createRedactor({}),
  );

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
  const path = { link: "GAIA.md", absolute, dots: `..${absolute.slice(tmpdir().length)}` }[how] ?? "";
  for (const text of [await render(path), await render("none", [path])]) {
    expect(text).toContain("outside of the project");
    expect(text).not.toContain("private");
  }
});

it("reads nothing that may hold secrets", async () => {
  await symlink(".env", join(directory, "GAIA.md"));
  for (const path of [".env", "GAIA.md"]) expect(await render(path, [path])).not.toContain("hunter2");
});
