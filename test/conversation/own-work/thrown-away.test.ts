import { expect, it } from "vitest";
import { type Ledger, thrownAway } from "../../../src/conversation/own-work/ledger.ts";
import { NO_FILE } from "../../../src/snapshot/version.ts";
import type { TreeState } from "../../../src/snapshot/uncommitted.ts";

const version = (id: string) => ({ id, mode: "100644" });
const state = (head: string, dirty: Readonly<Record<string, readonly [now: string, committed: string]>>) =>
  ({
    id: head,
    heads: new Map([["", head]]),
    dirty: new Map(
      Object.entries(dirty).map(([path, [now, committed]]) => [
        path,
        {
          now: now === "" ? NO_FILE : version(now),
          committed: committed === "" ? NO_FILE : version(committed),
        },
      ]),
    ),
  }) satisfies TreeState;
const deleted = (path: string, id: string) => ({ path, before: version(id), after: NO_FILE });
const made = { before: NO_FILE, after: version("2"), wasClean: true, isShared: false };

it.each<[what: string, paths: readonly string[], head: string, ledger: Ledger]>([
  ["nothing of what a commit holds", [], "c0ffee", new Map()],
  ["every file where there is no commit", ["old"], "", new Map()],
])("is %s", (_what, paths, head, ledger) => {
  const from = state(head, {});
  const to = state(head, { old: ["", "1"] });
  expect(thrownAway([deleted("old", "1")], from, to, ledger).map(({ path }) => path)).toEqual(paths);
});

it("is nothing that GAIA made, and nothing that stands elsewhere now", () => {
  const from = state("", { made: ["2", ""], mine: ["3", ""], moved: ["4", ""] });
  const to = state("", { elsewhere: ["4", ""] });
  const changes = [deleted("made", "2"), deleted("mine", "3"), deleted("moved", "4")];
  expect(thrownAway(changes, from, to, new Map([["made", made]])).map(({ path }) => path)).toEqual(["mine"]);
});
