import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { createReminders } from "../../../src/conversation/reminders/reminders.ts";
import { DEFAULTS } from "../collaboration/session.ts";
import type { Role } from "../../../src/config/roles.ts";
import type { Task } from "../../../src/delegation/task.ts";

type Step =
  | { readonly kind: "starts" }
  | { readonly kind: "ends"; readonly role: Role; readonly fails?: boolean }
  | { readonly kind: "wave" }
  | { readonly kind: "todos"; readonly total: number };

const START: Step = { kind: "starts" };
const WAVE: Step = { kind: "wave" };
const ends = (role: Role): Step => ({ kind: "ends", role });
const todos = (total: number): Step => ({ kind: "todos", total });
const ran = (...roles: Role[]): Step[] => roles.flatMap((role) => [START, ends(role)]);

const verdict = { verdict: "APPROVE", reason: "" };
let said: string[];
let perform: (step: Step) => void;

function open(guards = { harvestReminder: true, todoReminder: true }): void {
  said = [];
  const tasks: Task[] = [];
  let waves = 0;
  const wave = () => ({ id: `w${waves}`, workUnit: "unit", title: "", approved: true });
  const reminders = createReminders(
    {
      get state() {
        return { ...initialState("root", DEFAULTS, 0), workUnit: "unit", wave: wave() };
      },
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
  perform = (step) => {
    if (step.kind === "wave") waves += 1;
    else if (step.kind === "todos")
      reminders.observe({ type: "todos.updated", total: step.total } as never, true);
    else if (step.kind === "starts") {
      tasks.push({ status: "running", outcome: null, endedAt: null } as Task);
      reminders.delegationStarted();
    } else {
      const open = tasks.findLastIndex(({ status }) => status === "running");
      if (open >= 0) tasks.splice(open, 1);
      const envelope = { ok: step.fails !== true, outcome: verdict, data: { verdict: "APPROVE" } };
      const outcome = { status: "completed", envelope };
      const of = { agent: step.role, workUnit: "unit", waveId: wave().id };
      tasks.push({ ...of, status: "completed", outcome } as never);
      reminders.delegationFinished();
    }
  };
}
beforeEach(() => {
  open();
});

describe("reminders", () => {
  it.each<[string, Step[], string[]]>([
    ["implemented and verified", ran("implementer", "checker"), ["harvest"]],
    ["verified first", ran("reviewer", "implementer"), ["harvest"]],
    ["only implemented", ran("implementer", "implementer"), []],
    ["only verified", ran("checker", "reviewer"), []],
    ["recorded already", ran("implementer", "historian", "checker"), []],
    ["failed", [...ran("implementer"), START, { kind: "ends", role: "checker", fails: true }], []],
    ["once per wave", ran("implementer", "checker", "implementer", "reviewer"), ["harvest"]],
    [
      "again in the next wave",
      [...ran("implementer", "checker"), WAVE, ...ran("implementer", "checker")],
      ["harvest", "harvest"],
    ],
    ["not while somebody still works", [START, START, ends("implementer"), ends("checker")], ["harvest"]],
    ["three open without todos", [START, START, START, START], ["todos"]],
    ["two open", [START, START, ends("recon"), START], []],
    ["three open with todos", [todos(2), START, START, START], []],
    ["three open with an emptied list", [todos(2), todos(0), START, START, START], ["todos"]],
    ["three open across a wave", [START, START, WAVE, START], ["todos"]],
  ])("%s", (_name, steps, expected) => {
    for (const step of steps) perform(step);
    expect(said).toEqual(expected);
  });

  it.each([
    [{ harvestReminder: false, todoReminder: true }, ["todos"]],
    [{ harvestReminder: true, todoReminder: false }, ["harvest"]],
  ])("say nothing that is switched off: %j", (guards, expected) => {
    open(guards);
    for (const step of [...ran("implementer", "checker"), START, START, START]) perform(step);
    expect(said).toEqual(expected);
  });

  it("say each thing at most once per wave, whatever happens", () => {
    const role = fc.constantFrom<Role>("implementer", "checker", "reviewer", "historian", "recon");
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.constant(START),
      fc.tuple(role, fc.boolean()).map(([of, fails]): Step => ({ kind: "ends", role: of, fails })),
      fc.nat({ max: 3 }).map(todos),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        open();
        for (const each of steps) perform(each);
        expect(new Set(said).size).toBe(said.length);
      }),
    );
  });
});
