import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { renderProjectContext } from "../../src/context/project-context.ts";
import { systemClock } from "../../src/lib/clock.ts";

let root: string;
let project: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "gaia-context-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  project = join(root, "project");
  await mkdir(join(project, ".git"), { recursive: true });
  await writeFile(join(root, "diary.txt"), "SECRET");
  await writeFile(join(project, ".env"), "SECRET");
  await writeFile(join(project, ".git", "config"), "SECRET");
  await writeFile(join(project, "plain.md"), "PLAIN");
});
const render = async (extraContextFiles: string[]): Promise<string> =>
  renderProjectContext(project, { ...defaultConfig().gaiaContext, extraContextFiles }, systemClock);

describe("a file of GAIA's context", () => {
  it("is followed inside of the project", async () => {
    await symlink(join(project, "plain.md"), join(project, "link.md"));
    expect(await render(["link.md"])).toContain("PLAIN");
  });

  it.each([
    ["out of the project", "../diary.txt"],
    ["to a file with secrets", ".env"],
    ["to git's settings", ".git/config"],
  ])("is no link %s", async (_name, target) => {
    await symlink(target, join(project, "notes.md"));
    await symlink(target, join(project, "GAIA.md"));
    expect(await render(["notes.md"])).not.toContain("SECRET");
  });

  it("may be from elsewhere where it is written so, for then the user has said yes", async () => {
    expect(await render([join(root, "diary.txt")])).toContain("SECRET");
  });
});
