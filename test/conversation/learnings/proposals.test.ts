import { expect, it } from "vitest";
import { noticeProposals, type ToldProposals } from "../../../src/conversation/learnings/learnings.ts";

type Entry = Parameters<typeof noticeProposals>[1][number];
const proposal = (slug: string, rest: Partial<Entry> = {}): Entry => ({
  slug,
  scope: "project",
  kind: "correction",
  body: `use ${slug}`,
  standing: "proposed",
  ...rest,
});

it("tells a few proposals, each text once, and what all of them wait for", () => {
  const told: ToldProposals = new Map();
  const [a, b] = [proposal("a"), proposal("b")];
  expect(noticeProposals(told, [a, b, proposal("c", { standing: "accepted" })])).toEqual({
    lines: [
      "Noticed: correction: use a · ctrl+x k keeps it",
      "Noticed: correction: use b · ctrl+x k keeps it",
    ],
    waits: "2 proposals wait: ctrl+x k",
  });
  expect(noticeProposals(told, [a]).lines).toEqual([]);
  expect(noticeProposals(told, [proposal("a", { body: "use z" })]).lines).toHaveLength(1);
  expect(noticeProposals(told, []).waits).toBe("");
});

it.each([
  ["a text of several lines", proposal("a", { body: "one\ntwo" })],
  ["a long one", proposal("a", { body: "x".repeat(301) })],
  ["the user's own folder", proposal("a", { scope: "user" })],
  ["one that nobody is known to have accepted", proposal("a", { standing: "unconfirmed" })],
])("has the user look at %s elsewhere", (_what, entry) => {
  const told: ToldProposals = new Map();
  expect(noticeProposals(told, [entry])).toEqual({ lines: [], waits: "1 proposal waits: /gaia-init" });
  expect([...told.values()]).toEqual([false]);
});

it("shows three at most, and says where the others are", () => {
  const told: ToldProposals = new Map();
  const found = noticeProposals(
    told,
    ["a", "b", "c", "d"].map((slug) => proposal(slug)),
  );
  expect([found.lines.length, found.waits]).toEqual([3, "4 proposals wait: /gaia-init"]);
});
