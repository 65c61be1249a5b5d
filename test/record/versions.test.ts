import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import { nextNames, versionIn } from "../../src/record/operations/versions.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createProject } from "../checks/project.ts";
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

it("a project's versions are given once, to any number of askers, over restarts, by any spelling of the folder", async () => {
  const directory = await createProject({ "db/0001_a.sql": "" });
  const open = () => createWorkspace({ directory, clock: createFakeClock(), logger: silentLogger });
  const askers = [open(), open()].flatMap((workspace) => [workspace, workspace, workspace]);
  const given = await Promise.all(askers.map(async (asker) => asker.nextVersion({ dir: "db" })));
  const versions = given.map((each) => (each.ok ? each.version : each.error));
  expect(versions.toSorted()).toEqual(["0002", "0003", "0004", "0005", "0006", "0007"]);
  const named = await open().nextVersion({ dir: `${directory}/./db/`, title: "Add Users, fast!" });
  expect(named).toMatchObject({ ok: true, version: "0008", names: ["0008_add_users_fast.sql"] });
});
