import { expect, it } from "vitest";
import { type KnobCommandName, parseKnobCommand } from "../../src/conversation/collaboration/knobs.ts";
import { reduceCollaboration } from "../../src/conversation/collaboration/reducer.ts";
import { initialState } from "../../src/conversation/collaboration/state.ts";
import { SETTINGS } from "../../src/tui/settings.ts";
import { DEFAULTS } from "../conversation/collaboration/session.ts";

it.each(SETTINGS)("$group: $value is what its command brings about", (setting) => {
  const [name = "", words = ""] = setting.command.split(" ");
  const parsed = parseKnobCommand(name as KnobCommandName, words);
  if ("error" in parsed) throw new Error(parsed.error);
  const { change } = parsed;
  const start = initialState("root", DEFAULTS, 0);
  const { state } = reduceCollaboration(start, { type: "command", change, at: 1 }, DEFAULTS);
  expect(state.knobs[setting.knob]).toBe(setting.value);
  expect(setting.meaning).not.toBe("");
});
