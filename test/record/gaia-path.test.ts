import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { refuseSlug, resolveInsideGaia } from "../../src/record/gaia-path.ts";
import { readCases } from "../support/cases.ts";
import { writeIn, openFolder } from "../support/directory.ts";

let base: string;
let project: string;

beforeEach(async () => {
  base = await openFolder();
  project = join(base, "project");
  await writeIn(base, "outside/secret.md", "secret");
  await writeIn(project, ".gaia/unit/log.md", "# Log\n");
});

describe("inside", () => {
  it.each([
    [".gaia/unit/log.md", "unit/log.md"],
    ["./.gaia/unit//log.md", "unit/log.md"],
    [".gaia/new-unit/deep/log.md", "new-unit/deep/log.md"],
    [".gaia/..name", "..name"],
  ])("%s", async (candidate, inside) => {
    const path = join(project, ".gaia", inside);
    expect(await resolveInsideGaia(project, candidate)).toEqual({ ok: true, path, inside });
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

  it.each([
    ["a linked file", "outside/secret.md", "unit/plan.md", "unit/plan.md"],
    ["a link to no file yet, which a write would create", "outside/new.md", "unit/plan.md", "unit/plan.md"],
    ["anything below a linked folder", "outside", "linked", "linked/new.md"],
    ["everything when the folder itself is a link", "outside", "", "secret.md"],
    ["a link that leads to itself", "project/.gaia/loop", "loop", "loop/x.md"],
  ])("%s", async (_what, to, link, candidate) => {
    if (link === "") await rm(join(project, ".gaia"), { recursive: true });
    await symlink(join(base, to), join(project, ".gaia", link));
    expect(await resolveInsideGaia(project, `.gaia/${candidate}`)).toMatchObject({ ok: false });
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
