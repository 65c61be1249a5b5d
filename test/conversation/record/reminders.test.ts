import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { createReminders } from "../../../src/conversation/record/reminders.ts";
import { DEFAULTS } from "../collaboration/session.ts";
import type { Role } from "../../../src/config/roles.ts";
import type { Task } from "../../../src/delegation/task.ts";

const ROLES: Readonly<Record<string, Role>> = {
  i: "implementer",
  c: "checker",
  r: "reviewer",
  h: "historian",
  n: "recon",
};

const verdict = { verdict: "APPROVE", reason: "" };
let said: string[];
/** `+` one begins, `i` ends an implementer's (`c` checker, `r` reviewer, `h` historian, `n` recon; `C` fails), `~` a wave, `2` todos. */
let perform: (steps: string) => void;

function open(guards = { harvestReminder: true, todoReminder: true }): void {
  said = [];
  const tasks: Task[] = [];
  let ids = 0;
  const reminders = createReminders(
    {
      state: { ...initialState("root", DEFAULTS, 0), workUnit: "unit" },
      tasks: () => tasks,
      tell: (text) => void said.push(text.includes("demeter") ? "harvest" : "todos"),
    },
    {
      guards: { scope: true, continuation: true, ...guards },
      roleOf: (agent) => agent as Role,
      workspace: {} as never,
    },
    { isUnderWay: () => false },
  );
  const step = (each: string): void => {
    if (each === "~") reminders.heard({ type: "wave-opened" } as never);
    else if (/\d/.test(each))
      reminders.observe({ type: "todos.updated", total: Number(each) } as never, true);
    else if (each === "+") {
      tasks.push({ status: "running", outcome: null, endedAt: null } as Task);
      reminders.delegationStarted();
    } else {
      const open = tasks.findLastIndex(({ status }) => status === "running");
      if (open >= 0) tasks.splice(open, 1);
      const role = ROLES[each.toLowerCase()];
      const envelope = { ok: each === each.toLowerCase(), outcome: verdict, data: { verdict: "APPROVE" } };
      const of = { agent: role, id: `t${(ids += 1)}` };
      tasks.push({ ...of, status: "completed", outcome: { status: "completed", envelope } } as never);
      reminders.delegationFinished();
    }
  };
  perform = (steps) => {
    for (const each of steps) step(each);
  };
}
beforeEach(() => {
  open();
});

describe("reminders", () => {
  it.each([
    ["implemented and verified", "+i+c", "harvest"],
    ["verified first", "+r+i", "harvest"],
    ["only implemented", "+i+i", ""],
    ["only verified", "+c+r", ""],
    ["recorded already", "+i+h+c", ""],
    ["failed", "+i+C", ""],
    ["once per wave", "+i+c+i+r", "harvest"],
    ["again in the next wave", "+i+c~+i+c", "harvest harvest"],
    ["not while somebody still works", "++ic", "harvest"],
    ["three open without todos", "++++", "todos"],
    ["two open", "++n+", ""],
    ["three open with todos", "2+++", ""],
    ["three open with an emptied list", "20+++", "todos"],
    ["three open across a wave", "++~+", "todos"],
  ])("%s: %s", (_name, steps, expected) => {
    perform(steps);
    expect(said.join(" ")).toBe(expected);
  });

  it("say each thing at most once per wave, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Array.from("+icrhnC0123")), { maxLength: 60 }), (steps) => {
        open();
        perform(steps.join(""));
        expect(new Set(said).size).toBe(said.length);
      }),
    );
  });
});
