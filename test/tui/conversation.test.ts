import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { expect, it } from "vitest";
import { initialState, snapshotState } from "../../src/conversation/collaboration/state.ts";
import { PANEL_KEY, PANEL_VERSION, SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { currentConversation } from "../../src/tui/panel-model.ts";
import { DEFAULTS } from "../conversation/collaboration/session.ts";

const task = { agent: "minerva", session: "child", state: "running", since: 1, model: null, tokens: 0 };
const metadata = {
  [SNAPSHOT_KEY]: snapshotState(initialState("root", DEFAULTS, 0)),
  [PANEL_KEY]: { version: PANEL_VERSION, tasks: [task] },
};
const SESSIONS: Record<string, object> = {
  root: { metadata },
  child: { parentID: "root", metadata: { gaia_child: { agent: "minerva" } } },
  build: {},
  subtask: { parentID: "build" },
};

/** As much of the TUI's API as is read here. */
function api(route: object): TuiPluginApi {
  const session = { get: (id: string) => SESSIONS[id], status: () => undefined };
  return { state: { session }, route: { current: route } } as unknown as TuiPluginApi;
}
const showing = (sessionID: unknown): object => ({ name: "session", params: { sessionID } });

it.each([
  ["a root's own", showing("root"), "root"],
  ["its root's in a specialist's session", showing("child"), "root"],
  ["none in another agent's session", showing("build"), undefined],
  ["none in a subagent's of another agent", showing("subtask"), undefined],
  ["none in a session that is not known yet", showing("new"), undefined],
  ["none on the home screen", { name: "home" }, undefined],
  ["none on a screen of another plugin", { name: "theirs", params: { sessionID: 5 } }, undefined],
])("the conversation on the screen: is %s", (_name, route, rootId) => {
  expect(currentConversation(api(route))?.rootId).toBe(rootId);
});
