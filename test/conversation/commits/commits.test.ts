import { expect, it } from "vitest";
import { createCommits } from "../../../src/conversation/commits/commits.ts";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { recordingOf } from "../../../src/policy/history/history.ts";
import { createTestServices } from "../../support/services.ts";
import { examined } from "../../support/examination.ts";
import { DEFAULTS } from "../collaboration/session.ts";

it("may leave out what is the user's alone, and nothing that GAIA has had a hand in", async () => {
  const services = createTestServices({}, "/project");
  const refusals = async (isMixed: boolean): Promise<string | null> => {
    const commits = createCommits(
      {
        state: initialState("root", DEFAULTS, 0),
        dispatch: () => undefined,
        log: async () => undefined,
        keep: () => undefined,
        mirrored: async () => undefined,
      },
      {
        ...services,
        vcs: {
          ...services.vcs,
          uncommitted: async () => [
            { path: "/project/notes.md", isTracked: true, isStaged: false, isInIndex: false, canStage: true },
          ],
        },
      },
      { standing: async () => "passed" },
      { openObjection: () => null },
      { usersOwnAmong: async () => [{ path: "notes.md", isMixed, isNew: false }] },
    );
    return commits.refuseCall({
      tool: "bash",
      agent: "hephaestus",
      examination: examined("history", { history: recordingOf("commit", "git commit") }),
    });
  };
  expect(await refusals(false)).toBeNull();
  expect(await refusals(true)).toContain("leaves out /project/notes.md");
});
