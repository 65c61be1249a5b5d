import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/config/roles.ts";
import {
  NOTHING_DELEGATED,
  observeReminder,
  type ReminderEvent,
} from "../../../src/conversation/reminders/reminders.ts";

const BOTH = { harvest: true, todos: true };
const START: ReminderEvent = { kind: "delegation-started" };
const finish = (role: Role, completed = true): ReminderEvent => ({
  kind: "delegation-finished",
  role,
  completed,
});
const ran = (...roles: Role[]): ReminderEvent[] => roles.flatMap((role) => [START, finish(role)]);

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
    ["implemented and verified", ran("implementer", "checker"), ["harvest"]],
    ["verified first", ran("reviewer", "implementer"), ["harvest"]],
    ["only implemented", ran("implementer", "implementer"), []],
    ["only verified", ran("checker", "reviewer"), []],
    ["recorded already", ran("implementer", "historian", "checker"), []],
    ["verification failed", [...ran("implementer"), START, finish("checker", false)], []],
    ["once per wave", ran("implementer", "checker", "implementer", "reviewer"), ["harvest"]],
    [
      "again in the next wave",
      [...ran("implementer", "checker"), { kind: "wave-opened" }, ...ran("implementer", "checker")],
      ["harvest", "harvest"],
    ],
    ["not while somebody still works", [START, START, finish("implementer"), finish("checker")], ["harvest"]],
    ["three open without todos", [START, START, START, START], ["todos"]],
    ["two open", [START, START, finish("recon"), START], []],
    ["three open with todos", [{ kind: "todos-written", count: 2 }, START, START, START], []],
    [
      "three open with an emptied list",
      [{ kind: "todos-written", count: 2 }, { kind: "todos-written", count: 0 }, START, START, START],
      ["todos"],
    ],
    ["three open across a wave", [START, START, { kind: "wave-opened" }, START], ["todos"]],
  ])("%s", (_name, events, expected) => {
    expect(reminders(events)).toEqual(expected);
  });

  it("says nothing that is switched off", () => {
    const events = [...ran("implementer", "checker"), START, START, START];
    expect(reminders(events, { harvest: false, todos: true })).toEqual(["todos"]);
    expect(reminders(events, { harvest: true, todos: false })).toEqual(["harvest"]);
  });

  it("says each thing at most once per wave, whatever happens", () => {
    const role = fc.constantFrom<Role>("implementer", "checker", "reviewer", "historian", "recon");
    const event: fc.Arbitrary<ReminderEvent> = fc.oneof(
      fc.constant(START),
      fc.tuple(role, fc.boolean()).map(([name, completed]) => finish(name, completed)),
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
