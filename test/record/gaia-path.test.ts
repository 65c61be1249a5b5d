import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refuseSlug, resolveInsideGaia } from "../../src/record/gaia-path.ts";
import { readCases } from "../support/cases.ts";

let base: string;
let project: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "gaia-path-")));
  project = join(base, "project");
  await mkdir(join(project, ".gaia", "unit"), { recursive: true });
  await mkdir(join(base, "outside"));
  await writeFile(join(base, "outside", "secret.md"), "secret");
  await writeFile(join(project, ".gaia", "unit", "log.md"), "# Log\n");
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe("inside", () => {
  it.each([
    [".gaia/unit/log.md", "unit/log.md"],
    ["./.gaia/unit//log.md", "unit/log.md"],
    [".gaia/new-unit/deep/log.md", "new-unit/deep/log.md"],
    [".gaia/..name", "..name"],
  ])("%s", async (candidate, inside) => {
    expect(await resolveInsideGaia(project, candidate)).toEqual({
      ok: true,
      path: join(project, ".gaia", inside),
      inside,
    });
  });

  it("takes an absolute path into the folder, as editing tools pass it", async () => {
    const found = await resolveInsideGaia(project, join(project, ".gaia/unit/new.md"));
    expect(found).toMatchObject({ ok: true, inside: "unit/new.md" });
  });

  it("works before the folder exists", async () => {
    await rm(join(project, ".gaia"), { recursive: true });
    expect(await resolveInsideGaia(project, ".gaia/unit/log.md")).toMatchObject({ ok: true });
  });

  it("sees through a link to the project itself", async () => {
    await symlink(project, join(base, "link"));
    const found = await resolveInsideGaia(join(base, "link"), join(base, "link", ".gaia", "x.md"));
    expect(found).toMatchObject({ ok: true, path: join(project, ".gaia", "x.md") });
  });
});

describe("refused", () => {
  it.each(readCases<[string, string]>("record/gaia-path.refused"))("%s", async (_name, candidate) => {
    expect(await resolveInsideGaia(project, candidate)).toMatchObject({ ok: false });
  });

  it("a linked file", async () => {
    await symlink(join(base, "outside", "secret.md"), join(project, ".gaia", "unit", "plan.md"));
    const found = await resolveInsideGaia(project, ".gaia/unit/plan.md");
    expect(found).toMatchObject({ ok: false, reason: expect.stringContaining("outside") });
  });

  it("a link to a file that does not exist yet, which a write would create", async () => {
    await symlink(join(base, "outside", "new.md"), join(project, ".gaia", "unit", "plan.md"));
    expect(await resolveInsideGaia(project, ".gaia/unit/plan.md")).toMatchObject({ ok: false });
  });

  it("anything below a linked folder", async () => {
    await symlink(join(base, "outside"), join(project, ".gaia", "linked"));
    expect(await resolveInsideGaia(project, ".gaia/linked/new.md")).toMatchObject({ ok: false });
  });

  it("everything when the folder itself is a link", async () => {
    await rm(join(project, ".gaia"), { recursive: true });
    await symlink(join(base, "outside"), join(project, ".gaia"));
    expect(await resolveInsideGaia(project, ".gaia/secret.md")).toMatchObject({ ok: false });
  });

  it("a link that leads to itself", async () => {
    await symlink(join(project, ".gaia", "loop"), join(project, ".gaia", "loop"));
    expect(await resolveInsideGaia(project, ".gaia/loop/x.md")).toMatchObject({ ok: false });
  });
});

it.each<[string, readonly string[], RegExp | null]>([
  ["taken", ["a", "0", "auth-refactor", "a--b-", "x".repeat(64), "com10", "archive-2"], null],
  ["none", ["", "-a", "A", "a_b", "a.b", "a/b", "..", "a\n", "a\0", "ä", " a", "x".repeat(65)], /1 to 64/],
  ["reserved", ["archive", "config", "learnings", "agents", "plans", "con", "com1", "lpt9"], /reserved/],
])("a unit's name is %s", (_what, slugs, refusal) => {
  for (const slug of slugs)
    if (refusal === null) expect(refuseSlug(slug)).toBeNull();
    else expect(refuseSlug(slug)).toMatch(refusal);
});

it("follows a folder that another makes meanwhile", async () => {
  for (let round = 0; round < 100; round++) {
    const path = join(project, ".gaia", `new-${round}`, "below");
    const making = mkdir(path, { recursive: true });
    const found = await Promise.all(
      Array.from({ length: 20 }, async () => resolveInsideGaia(project, join(path, "x.md"))),
    );
    await making;
    expect(found.filter(({ ok }) => !ok)).toEqual([]);
  }
});
