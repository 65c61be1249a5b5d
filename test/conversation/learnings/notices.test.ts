import { describe, expect, it } from "vitest";
import {
  decideNotices,
  readSeen,
  type NoticeFacts,
  type Seen,
} from "../../../src/conversation/learnings/notices.ts";

const NEW: Seen = {};
const entry = (rest: Partial<NoticeFacts["entries"][number]>): NoticeFacts["entries"][number] => ({
  slug: "retry",
  id: "retry",
  kind: "constraint",
  // Too long for one key.
  body: "Retry. ".repeat(60),
  status: "proposed",
  standing: "proposed",
  by: "ann",
  reason: "",
  ...rest,
});
const found = (rest: Partial<NoticeFacts>): NoticeFacts => ({
  entries: [],
  unread: [],
  misread: [],
  me: "bob",
  tellsVerdicts: true,
  ...rest,
});
const proposal = (id: string) => entry({ slug: id, id, kind: "correction", body: `use ${id}` });

describe("what the user is told", () => {
  it.each<[string, Partial<NoticeFacts["entries"][number]>, string]>([
    [
      "an acceptance",
      { status: "accepted", standing: "accepted" },
      "Knowledge accepted by ann: retry · models are told it from now on",
    ],
    [
      "an acceptance that counts from the next start",
      { status: "accepted", standing: "unconfirmed", by: "" },
      "Knowledge accepted: retry · /gaia-init has you confirm it; what you wrote yourself counts once you commit it, from OpenCode's next start at the latest",
    ],
    [
      "a rejection, with its reason",
      { status: "rejected", standing: "rejected", reason: "too slow" },
      "Knowledge rejected by ann: retry: too slow · propose it anew with that in mind, or delete .gaia/knowledge/retry.md",
    ],
    [
      "something that is replaced",
      { status: "replaced", standing: "replaced" },
      "Knowledge replaced by ann: retry · another one holds in its place",
    ],
  ])("is %s, once over restarts", (_what, verdict, line) => {
    const before = decideNotices(NEW, found({ entries: [entry({})] }));
    expect(before.lines).toEqual(["Knowledge proposed by ann: retry · /gaia-init asks you about it"]);
    const now = found({ entries: [entry(verdict)] });
    const told = decideNotices(before.seen, now);
    expect(told.lines).toEqual([line]);
    const later = readSeen(JSON.parse(JSON.stringify(told.seen)));
    expect(decideNotices(later, now)).toMatchObject({ lines: [], seen: told.seen });
  });

  it("is nothing of what was there before the first look, of their own verdicts, or of their own folder", () => {
    const decided = { status: "accepted", standing: "accepted" } as const;
    expect(decideNotices(readSeen(undefined), found({ entries: [entry(decided)] })).lines).toEqual([]);
    const own = [entry({ ...decided, by: "bob" })];
    expect(decideNotices(NEW, found({ entries: own })).lines).toEqual([]);
    const off = decideNotices(NEW, found({ entries: [entry(decided)], tellsVerdicts: false }));
    expect(off.lines).toEqual([]);
    expect(decideNotices(off.seen, found({ entries: [entry(decided)] })).lines).toEqual([]);
  });

  it("is the first of what a pull brings, and how much more there is", () => {
    const entries = ["a", "b", "c", "d", "e"].map((slug) => entry({ slug, id: slug }));
    const told = decideNotices(NEW, found({ entries }));
    expect(told.lines).toHaveLength(4);
    expect(told.lines[3]).toBe("Knowledge: 2 more changed · opencode-gaia knowledge lists all");
    expect(decideNotices(told.seen, found({ entries })).lines).toEqual([]);
  });

  it("is a few learnings at a time, and only those may be kept by a key", () => {
    const entries = ["a", "b", "c", "d"].map(proposal);
    const first = decideNotices(NEW, found({ entries }));
    expect(first.lines[0]).toBe("Noticed: correction: use a · ctrl+x k keeps it");
    expect(first).toMatchObject({
      shown: ["project/a", "project/b", "project/c"],
      waits: "4 proposals wait: ctrl+x k",
    });
    const second = decideNotices(first.seen, found({ entries }));
    expect(second).toMatchObject({
      lines: [expect.stringContaining("use d")],
      shown: ["a", "b", "c", "d"].map((id) => `project/${id}`),
    });
    expect(decideNotices(second.seen, found({}))).toMatchObject({ lines: [], shown: [], waits: "" });
  });

  it("is what lies among the knowledge and is not read, once", () => {
    const line = { where: ".gaia/findings.md:5", error: "not a learning.", hint: "Write it so.", count: 2 };
    const misread = decideNotices(NEW, found({ misread: [line] }));
    expect(misread.lines).toEqual([
      "Not read: .gaia/findings.md:5: not a learning. Write it so. · 2 such lines",
    ]);
    const moved = [{ ...line, where: ".gaia/findings.md:9" }];
    expect(decideNotices(misread.seen, found({ misread: moved })).lines).toEqual([]);
    const unread = [".gaia/knowledge/big.md is larger than 64000 bytes"];
    const told = decideNotices(NEW, found({ unread }));
    expect(told.lines).toEqual([`Not read as knowledge: ${unread[0]}`]);
    expect(decideNotices(told.seen, found({ unread })).lines).toEqual([]);
  });

  it("begins anew with what cannot be read", () => {
    for (const saved of [null, 3, []]) expect(readSeen(saved)).toBeNull();
  });
});
