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
  scope: "project",
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
});
