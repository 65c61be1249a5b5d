import { expect, it } from "vitest";
import { listImports, readSources } from "./imports.ts";

/** The files of a room that others import; everything else in it is imported from within. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  record: [
    "documents.ts",
    "harvest.ts",
    "keep-out.ts",
    "knowledge.ts",
    "memory.ts",
    // Apart from `memory.ts`, so that a start does not load what searches.
    "recall/entry.ts",
    "store.ts",
    "templates.ts",
    "workspace.ts",
  ],
};

/** They read single texts of the record, which src reads as a whole. */
const READERS: ReadonlySet<string> = new Set([
  "test/conversation/record/decision-log.test.ts",
  "test/process/hostile-inputs.test.ts",
  "test/support/entries.ts",
  "test/tools/recall.test.ts",
]);

it("lets other rooms import a room's doors only, their tests as well", async () => {
  const sources = listImports(await readSources("src"));
  const tests = listImports(await readSources("test")).flatMap(({ from, to }) =>
    to.startsWith("../src/") ? [{ from: `test/${from}`, to: to.slice("../src/".length) }] : [],
  );
  const wrong = [...sources, ...tests].filter(({ from, to }) => {
    const [room = ""] = to.split("/");
    const isWithin = from.startsWith(`${room}/`) || from.startsWith(`test/${room}/`) || READERS.has(from);
    return room in DOORS && !isWithin && DOORS[room]?.includes(to.slice(room.length + 1)) !== true;
  });
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});
