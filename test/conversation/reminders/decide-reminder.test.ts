import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  NOTHING_DELEGATED,
  observeReminder,
  type ReminderEvent,
} from "../../../src/conversation/reminders/decide-reminder.ts";

const BOTH = { harvest: true, todos: true };
const start = (agent: string): ReminderEvent => ({ kind: "delegation-started", agent });
const finish = (agent: string, completed = true): ReminderEvent => ({
  kind: "delegation-finished",
  agent,
  completed,
});
const ran = (...agents: string[]): ReminderEvent[] =>
  agents.flatMap((agent) => [start(agent), finish(agent)]);

function reminders(events: readonly ReminderEvent[], options = BOTH): string[] {
  let state = NOTHING_DELEGATED;
  return events.flatMap((event) => {
    const observed = observeReminder(state, event, options);
    state = observed.state;
    return observed.reminder === null ? [] : [observed.reminder.includes("demeter") ? "harvest" : "todos"];
  });
}

describe("observeReminder", () => {
  it.each<[string, ReminderEvent[], string[]]>([
    ["implemented and verified", ran("hephaestus", "aether"), ["harvest"]],
    ["verified first", ran("hades", "poseidon"), ["harvest"]],
    ["only implemented", ran("hephaestus", "eleuthia"), []],
    ["only verified", ran("aether", "hades"), []],
    ["recorded already", ran("hephaestus", "demeter", "aether"), []],
    ["verification failed", [...ran("hephaestus"), start("aether"), finish("aether", false)], []],
    ["once per wave", ran("hephaestus", "aether", "hephaestus", "hades"), ["harvest"]],
    [
      "again in the next wave",
      [...ran("hephaestus", "aether"), { kind: "wave-opened" }, ...ran("hephaestus", "aether")],
      ["harvest", "harvest"],
    ],
    [
      "not while somebody still works",
      [start("hephaestus"), start("aether"), finish("hephaestus"), finish("aether")],
      ["harvest"],
    ],
    ["three open without todos", [start("a"), start("b"), start("c"), start("d")], ["todos"]],
    ["two open", [start("a"), start("b"), finish("a"), start("c")], []],
    ["three open with todos", [{ kind: "todos-written", count: 2 }, start("a"), start("b"), start("c")], []],
    [
      "three open with an emptied list",
      [
        { kind: "todos-written", count: 2 },
        { kind: "todos-written", count: 0 },
        start("a"),
        start("b"),
        start("c"),
      ],
      ["todos"],
    ],
    ["three open across a wave", [start("a"), start("b"), { kind: "wave-opened" }, start("c")], ["todos"]],
  ])("%s", (_name, events, expected) => {
    expect(reminders(events)).toEqual(expected);
  });

  it("says nothing that is switched off", () => {
    const events = [...ran("hephaestus", "aether"), start("a"), start("b"), start("c")];
    expect(reminders(events, { harvest: false, todos: true })).toEqual(["todos"]);
    expect(reminders(events, { harvest: true, todos: false })).toEqual(["harvest"]);
  });

  it("says each thing at most once per wave, whatever happens", () => {
    const agent = fc.constantFrom("hephaestus", "aether", "hades", "demeter", "minerva");
    const event: fc.Arbitrary<ReminderEvent> = fc.oneof(
      agent.map(start),
      fc.tuple(agent, fc.boolean()).map(([name, completed]) => finish(name, completed)),
      fc.nat({ max: 3 }).map((count): ReminderEvent => ({ kind: "todos-written", count })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const said = reminders(events);
        expect(new Set(said).size).toBe(said.length);
      }),
    );
  });
});
