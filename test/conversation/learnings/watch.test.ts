import { describe, expect, it } from "vitest";
import { type ToolEffect, NO_OUTCOME } from "../../../src/host/tool-call.ts";
import {
  createLearningWatch,
  type LearningWatch,
  type Observation,
} from "../../../src/conversation/learnings/watch.ts";
import type { FileVersion, TreeChange } from "../../../src/snapshot/version.ts";

const version = (id: string): FileVersion => ({ id, mode: id === "" ? "" : "100644" });
const CHANGE: TreeChange = { path: "src/a.ts", before: version("old"), after: version("new") };

/** A conversation over one file that is now as `now` says. */
function begin(before: readonly string[] = []) {
  const proposed: string[] = [];
  const seen: Observation[] = [];
  const file = { now: "new", isOthers: false };
  const watch = createLearningWatch({
    trees: { versionNow: async () => ({ ...version(file.now), bytes: null }) },
    watchOthers: () => () => file.isOthers,
    decidedBefore: async () => before,
    propose(each) {
      seen.push(each);
      proposed.push(`${each.kind}: ${each.body}`);
    },
  });
  return { watch, proposed, seen, file };
}
function runs(watch: LearningWatch, command: string, exitCode: number, text = ""): void {
  watch.called(
    { kind: "command", command, workdir: null },
    { ...NO_OUTCOME, exitCode, text },
    (path) => path,
  );
}
function edits(watch: LearningWatch, path: string, after: string): void {
  const effect: ToolEffect = { kind: "edit", isPatch: false, edits: [{ path, before: "", after }] };
  watch.called(effect, NO_OUTCOME, (each) => each);
}
describe("what the user takes back", () => {
  it("is a correction, in any language", async () => {
    const { watch, seen, file } = begin();
    watch.remember([CHANGE]);
    file.now = "old";
    await watch.look("Nein, hier nehmen wir zod");
    await watch.look("und weiter");
    expect(seen).toMatchObject([
      { body: "Nein, hier nehmen wir zod", about: ["src/a.ts"], isOwnWords: true },
    ]);
  });

  it.each<[string, (watch: LearningWatch) => void]>([
    ["is none where a call has touched the file since", (w) => edits(w, "src/a.ts", "x")],
    ["nor where a command has", (w) => w.changed(["src/a.ts"])],
  ])("%s", async (_what, happens) => {
    const { watch, proposed, file } = begin();
    watch.remember([CHANGE]);
    file.now = "old";
    happens(watch);
    await watch.look("Weiter so");
    expect(proposed).toEqual([]);
  });

  it("is found once, whatever the user says next and however many turns there are", async () => {
    const { watch, proposed, file } = begin();
    for (const words of ["", "Nein", "und weiter"]) {
      watch.remember([CHANGE]);
      file.now = "old";
      await watch.look(words);
    }
    expect(proposed).toEqual([]);
  });
});

it("what the user says of an edit that they refused is a correction, once", () => {
  const { watch, seen } = begin();
  watch.begins("call", ["src/a.ts"]);
  watch.asked("request", "call");
  watch.rejected("request");
  watch.explained("Nein, hier nehmen wir zod");
  watch.explained("und weiter");
  expect(seen).toMatchObject([
    { kind: "correction", body: "Nein, hier nehmen wir zod", about: ["src/a.ts"] },
  ]);
});

it("a command that failed and passed after a change is told with its error and the files", () => {
  const { watch, seen } = begin();
  runs(watch, "npm test", 1, "> test\n1 test failed: expected 2\nbye");
  edits(watch, "src/a.ts", "x");
  runs(watch, "npm test", 1, "error: other");
  edits(watch, "src/b.ts", "x");
  runs(watch, "npm test", 0);
  expect(seen).toMatchObject([
    {
      kind: "insight",
      body: '`npm test` failed with "error: other" and passed after changes to src/a.ts, src/b.ts.',
      about: ["src/a.ts", "src/b.ts"],
      isOwnWords: false,
    },
  ]);
});

it.each<[string, (w: LearningWatch) => void]>([
  ["what passes without a change", (w) => [1, 0].forEach((exit) => runs(w, "npm test", exit))],
  [
    "what was changed before it failed",
    (w) => {
      edits(w, "a", "x");
      [1, 0].forEach((exit) => runs(w, "npm test", exit));
    },
  ],
  [
    "another command",
    (w) => {
      runs(w, "npm test", 1);
      edits(w, "a", "x");
      runs(w, "npm run lint", 0);
    },
  ],
  [
    "a search that found nothing",
    (w) => {
      runs(w, "grep x y", 1);
      edits(w, "a", "x");
      runs(w, "grep x y", 0);
    },
  ],
])("nothing is said about %s", (_what, happens) => {
  const { watch, seen } = begin();
  happens(watch);
  expect(seen).toEqual([]);
});
