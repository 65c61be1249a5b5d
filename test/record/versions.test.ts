import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import { nextNames, versionIn } from "../../src/record/operations/versions.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";

const NOW = Date.parse("2026-03-04T05:06:07.089Z");

describe("the next name", () => {
  it.each<[names: string[], next: string[]]>([
    [["0001_a.sql", "0002_b.sql"], ["0003_x.sql"]],
    [["0009_a.py", "__init__.py"], ["0010_x.py"]],
    [["1.sql", "9.sql", "10.sql"], ["11.sql"]],
    [["001-a.js", "README.md"], ["002-x.js"]],
    [["V1__a.sql", "V12__b.sql", "U12__b.sql"], ["V13__x.sql"]],
    [["V1.2__a.sql", "V1.10__b.sql"], ["V1.11__x.sql"]],
    [["V2_1__a.sql"], ["V2_2__x.sql"]],
    [
      ["000001_a.up.sql", "000001_a.down.sql"],
      ["000002_x.up.sql", "000002_x.down.sql"],
    ],
    [["20240101120000_a.rb"], ["20260304050607_x.rb"]],
    [["20260304050607_a.rb"], ["20260304050608_x.rb"]],
    [["20261231235959_ahead.rb"], ["20261231235960_x.rb"]],
    [["20240101120000_init", "migration_lock.toml"], ["20260304050607_x"]],
    [["2024_01_01_120000_a.php"], ["2026_03_04_050607_x.php"]],
    [["202401011200_a.exs"], ["202603040506_x.exs"]],
    [["20240101-a.sql"], ["20260304-x.sql"]],
    [["1700000000000-a.ts"], [`${NOW}-x.ts`]],
    [["1700000000_a.up.sql"], [`${Math.floor(NOW / 1_000)}_x.up.sql`]],
    [["99999999999999_a.sql"], ["100000000000000_x.sql"]],
    [["0001_a.sql", "0002_b.sql", "20240101120000_odd.rb_"], ["20260304050607_x.rb_"]],
  ])("after %j is %j", (names, next) => {
    expect(nextNames(names, [], "x", NOW)?.names).toEqual(next);
  });

  it("stands behind all names and all that are taken, in the same convention, without end", () => {
    const forms = ["0001_a.sql", "V1__a.sql", "20240101120000_a.rb", "2024_01_01_120000_a.php", "1.2_a.sql"];
    fc.assert(
      fc.property(fc.constantFrom(...forms), fc.array(fc.boolean(), { maxLength: 12 }), (first, written) => {
        const names = [first];
        const taken: string[] = [];
        const { compare } = new Intl.Collator("en", { numeric: true });
        let last = versionIn(first) ?? "";
        for (const isWritten of written) {
          const next = nextNames(names, taken, "x", NOW);
          expect(compare(next?.version ?? "", last)).toBe(1);
          expect(versionIn(next?.names[0] ?? "")).toBe(next?.version);
          last = next?.version ?? "";
          if (isWritten) names.push(next?.names[0] ?? "");
          else taken.push(last);
        }
      }),
    );
  });
});

describe("a project's", () => {
  let directory: string;
  const clock = createFakeClock();
  const open = (): Workspace => createWorkspace({ directory, clock, logger: silentLogger });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "gaia-versions-"));
    await mkdir(join(directory, "db"));
    await writeFile(join(directory, "db/0001_a.sql"), "");
  });
  afterEach(async () => rm(directory, { recursive: true, force: true }));
  const version = async (workspace: Workspace): Promise<string> => {
    const given = await workspace.nextVersion({ dir: "db" });
    if (!given.ok) throw new Error(given.error);
    return given.version;
  };

  it("versions are given once, to any number of askers, over restarts, by any spelling of the folder", async () => {
    const [one, other] = [open(), open()];
    const given = await Promise.all(
      Array.from({ length: 6 }, async (_each, at) => version(at % 2 === 0 ? one : other)),
    );
    expect(given.toSorted()).toEqual(["0002", "0003", "0004", "0005", "0006", "0007"]);
    const named = await open().nextVersion({ dir: `${directory}/./db/`, title: "Add Users, fast!" });
    expect(named).toMatchObject({ ok: true, version: "0008", names: ["0008_add_users_fast.sql"] });
  });
});
