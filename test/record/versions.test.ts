import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import { nextNames, versionIn } from "../../src/record/operations/versions.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { readCases } from "../support/cases.ts";

const NOW = Date.parse("2026-03-04T05:06:07.089Z");

describe("the next name", () => {
  it.each(readCases<[names: string[], next: string[]]>("record/versions.next"))(
    "after %j is %j",
    (names, next) => {
      expect(nextNames(names, [], "x", NOW)?.names).toEqual(next);
    },
  );

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
