import { describe, expect, it, test } from "vitest";
import { type CommitFacts, decideCommit } from "../../../src/conversation/commits/decide-commit.ts";
import { isRefusal } from "../../../src/lib/refusal.ts";
import { type HistoryPart, recordingOf, type Taken } from "../../../src/policy/history/history.ts";
import type { UncommittedFile } from "../../../src/vcs/port.ts";

const COMMIT: HistoryPart = recordingOf("commit", "git commit");
const TAKEN: Taken = {
  everything: false,
  tracked: false,
  paths: [],
  pathspecs: [],
  unread: null,
  only: false,
  isOpen: false,
};
const file = (path: string, rest: Partial<UncommittedFile> = {}): UncommittedFile => ({
  path,
  isTracked: true,
  isStaged: false,
  isInIndex: false,
  canStage: true,
  ...rest,
});

function refusalOf(facts: Partial<CommitFacts>): string | null {
  const decision = decideCommit({
    history: COMMIT,
    standing: "passed",
    objection: null,
    uncommitted: [],
    isUsers: () => false,
    othersRunning: 0,
    ...facts,
  });
  return isRefusal(decision) ? `${decision.reason} ${decision.hint}` : null;
}

describe("a commit", () => {
  test.each<[CommitFacts["standing"], RegExp | null]>([
    ["passed", null],
    ["unconfigured", null],
    ["failed", /`git commit` needs proof first: the Definition of Done does not pass.*plan_gaia verify/u],
    ["stale", /files changed after the checks last passed/u],
    ["never", /was not run on these files yet/u],
  ])("of files that are %s", (standing, refusal) => {
    const given = refusalOf({ standing });
    if (refusal === null) expect(given).toBeNull();
    else expect(given).toMatch(refusal);
  });

  it.each<[string, Partial<CommitFacts>, string]>([
    ["a reviewer has objected", { objection: "hades: REJECT" }, "hades: REJECT"],
    [
      "a hook is left out",
      { history: { ...COMMIT, unhooked: "--no-verify" } },
      "`--no-verify` may switch off",
    ],
    ["other calls are at work", { othersRunning: 1 }, "once they have ended"],
    ["its line changes files", { history: { ...COMMIT, beside: "writes a.txt" } }, "in a call of its own"],
    ["git did not answer", { uncommitted: null }, "did not say"],
    [
      "it takes what nobody knows",
      { history: { ...COMMIT, taken: { ...TAKEN, isOpen: true } } },
      "Stage by path",
    ],
  ])("is refused while %s", (_name, facts, words) => {
    expect(refusalOf(facts)).toContain(words);
  });

  it("is refused without a Definition of Done as well where a hook is left out, or a reviewer objects", () => {
    expect(refusalOf({ standing: "unconfigured", objection: "no" })).not.toBeNull();
    expect(
      refusalOf({ standing: "unconfigured", history: { ...COMMIT, unhooked: "HUSKY=0" } }),
    ).not.toBeNull();
  });

  it("does not need proof where nothing is recorded, and no hook is taken out all the same", () => {
    const moves = { ...COMMIT, recordings: [], moves: true };
    expect(refusalOf({ history: moves, standing: "failed", objection: "no" })).toBeNull();
    expect(refusalOf({ history: { ...moves, unhooked: "husky uninstall" } })).toContain("switches off");
  });
});

describe("what is recorded", () => {
  const commit = (taken: Partial<Taken>): HistoryPart => ({ ...COMMIT, taken: { ...TAKEN, ...taken } });
  const NEW = file("/p/new.ts", { isTracked: false });
  const STAGED = file("/p/a.ts", { isStaged: true });
  const CHANGED = file("/p/b.ts");

  test.each<[string, HistoryPart, UncommittedFile[], string | null]>([
    ["the index, which holds all of it", commit({}), [STAGED], null],
    ["the index, where a file was changed since", commit({}), [STAGED, CHANGED], "/p/b.ts"],
    ["the index, where a file is new", commit({}), [STAGED, NEW], "/p/new.ts"],
    ["everything", commit({ everything: true }), [STAGED, CHANGED, NEW], null],
    ["what git knows", commit({ tracked: true }), [STAGED, CHANGED], null],
    ["what git knows, where a file is new", commit({ tracked: true }), [NEW], "/p/new.ts"],
    ["a folder", commit({ paths: ["/p"] }), [CHANGED, NEW], null],
    ["another folder", commit({ paths: ["/p/b"] }), [CHANGED], "/p/b.ts"],
    [
      "only a file, whatever is staged",
      commit({ paths: ["/p/b.ts"], only: true }),
      [STAGED, CHANGED],
      "/p/a.ts",
    ],
    ["a conflict", commit({ everything: true }), [file("/p/x", { canStage: false })], "/p/x"],
    ["a tag of what is not committed", recordingOf("tag", "git tag"), [STAGED], "/p/a.ts"],
    ["a push of what is not committed", recordingOf("push", "git push"), [STAGED], "/p/a.ts"],
    ["a merge that goes on with what is staged", recordingOf("merge", "git merge"), [STAGED], null],
    ["an alias, over what is not staged", recordingOf("unclear", "git ci"), [CHANGED], "/p/b.ts"],
  ])("is compared with what was proven: %s", (_name, history, uncommitted, left) => {
    const given = refusalOf({ history, uncommitted });
    if (left === null) expect(given).toBeNull();
    else expect(given).toContain(left);
  });

  it("may leave out what is the user's own", () => {
    const facts = { history: commit({}), uncommitted: [STAGED, CHANGED] };
    expect(refusalOf({ ...facts, isUsers: (path) => path === CHANGED.path })).toBeNull();
  });

  it("is not held against an argument that nobody could read, where it makes no difference", () => {
    const history = commit({ unread: "*.ts" });
    expect(refusalOf({ history, uncommitted: [STAGED] })).toBeNull();
    expect(refusalOf({ history, uncommitted: [STAGED, CHANGED] })).toMatch(
      /what `\*\.ts` takes could not be told beforehand, and \/p\/b\.ts must be in it\. Stage in a call of its own/u,
    );
  });

  it("names a few of many files", () => {
    const many = Array.from({ length: 9 }, (_, at) => file(`/p/${at}.ts`));
    expect(refusalOf({ history: commit({}), uncommitted: many })).toContain("/p/2.ts and 6 more");
  });
});
