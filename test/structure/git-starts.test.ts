import { describe, expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** A program that is started by its name: `spawn("git"`, `["git", …`. */
const STARTED = /[([]\s*"git"\s*,/u;
/** Names git to `run`, which starts it by the one function. */
const NAMES = "extras/pull-requests/open.ts";

describe("git", () => {
  it("is started by one function alone, which keeps repositories from running anything", async () => {
    const starts = [...(await readSources("src"))].filter(
      ([path, text]) => STARTED.test(text) && path !== NAMES,
    );
    expect(starts.map(([path]) => path)).toEqual(["process/git.ts"]);
  });
});
