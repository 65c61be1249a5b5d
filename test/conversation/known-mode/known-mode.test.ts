import { afterEach, beforeEach, expect, it } from "vitest";
import type { Knobs } from "../../../src/config/knobs.ts";
import { initialState, asSetHere, noteMode } from "../../../src/conversation/collaboration/state.ts";
import { createWorkStore, type WorkStore } from "../../../src/work-tree/work-store.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { openFolder } from "../../support/directory.ts";
import { DEFAULTS } from "../collaboration/session.ts";

type Mode = Knobs["mode"];

let store: WorkStore;
beforeEach(async () => {
  store = createWorkStore(await openFolder(), "/project", silentLogger);
});
afterEach(async () => store.settled());

const stateOf = (rootId: string, mode: Mode) => {
  const state = initialState(rootId, DEFAULTS, 0);
  return { ...state, knobs: { ...state.knobs, mode } };
};
/** The user sets modes in a conversation, one after the other. */
async function set(rootId: string, ...modes: readonly Mode[]): Promise<void> {
  for (const mode of modes) noteMode(stateOf(rootId, mode), store);
  await store.settled();
}
const restored = async (rootId: string, mode: Mode, from = rootId, byDefault: Mode = "supervised") =>
  (await asSetHere(stateOf(rootId, mode), from, { ...DEFAULTS, mode: byDefault }, store)).knobs.mode;

it.each<[string, readonly Mode[], Mode, Mode, Mode]>([
  ["autopilot that nobody set here is not", [], "autopilot", "supervised", "supervised"],
  ["autopilot that was set here is", ["autopilot"], "autopilot", "supervised", "autopilot"],
  ["one that was taken back is not", ["autopilot", "supervised"], "autopilot", "supervised", "supervised"],
  ["what is no more than the default is", [], "supervised", "supervised", "supervised"],
  ["locked is, whoever set it", [], "locked", "autopilot", "locked"],
  ["autopilot is where it is the default", [], "autopilot", "autopilot", "autopilot"],
  ["supervised is not where the user's own default is locked", [], "supervised", "locked", "locked"],
])("of what a session's metadata say, %s believed", async (_name, here, said, byDefault, expected) => {
  await set("ses_1", ...here);
  expect(await restored("ses_1", said, "ses_1", byDefault)).toBe(expected);
});

it("a fork goes on as its original was set, and for itself from then on", async () => {
  await set("ses_1", "autopilot");
  expect(await restored("ses_2", "autopilot", "ses_1")).toBe("autopilot");
  await store.settled();
  expect(await restored("ses_2", "autopilot")).toBe("autopilot");
  expect(await restored("ses_3", "autopilot", "ses_4")).toBe("supervised");
});

it("where nothing can be remembered, nothing beyond the default is believed", async () => {
  const none = createWorkStore(null, "/project", silentLogger);
  none.save("mode-ses_1", () => ({ mode: "autopilot" }));
  const { knobs } = await asSetHere(stateOf("ses_1", "autopilot"), "ses_1", DEFAULTS, none);
  expect(knobs.mode).toBe("supervised");
});
