import { expect, it } from "vitest";
import { handTo, inBackground, type Schedule, type SpecialistMove, type UserStep } from "./schedule.ts";
import { type Fault, startSimulators } from "./start.ts";

const LOCKED: UserStep = { after: 3_000, act: { do: "command", name: "locked", words: "" } };
const SAID: UserStep = { after: 1, act: { do: "say", text: "Make the importer." } };
const UNDO: UserStep = { after: 12_000, act: { do: "undo" } };
const IN_BACKGROUND = inBackground("hephaestus");
/** Which call of the plugin's hands over a result of hers. */
const WAKE_UP = 16;
const EDIT: SpecialistMove = { does: "edit", file: "a.ts" };

/** One specialist, who does as it is told. */
const schedule = (
  work: readonly SpecialistMove[],
  rest: Partial<Schedule>,
  then: readonly UserStep[] = [],
): Schedule => ({
  mode: "autopilot",
  interaction: "standard",
  cadence: "milestone",
  done: "none",
  conversations: [{ user: [SAID, ...then], gaia: [handTo("hephaestus", { wave: "none" })] }],
  specialists: [[...work, { does: "answer", how: "ok" }]],
  dialogs: [],
  questions: [],
  events: [],
  calls: [],
  restarts: [],
  ...rest,
});

/** Gates left open one at a time, what meets them, and what is seen of it from outside. */
const TABLE: readonly (readonly [Fault, Schedule, sees: string])[] = [
  [
    {
      name: "locked",
      file: "collaboration/decide-call.ts",
      decides: 'state.knobs.mode === "locked"',
      instead: "false",
    },
    schedule([EDIT, EDIT, EDIT, EDIT], {}, [LOCKED]),
    "locked, and hephaestus changed a.ts",
  ],
  [
    { name: "taken-back", file: "own-work/taken-back.ts", decides: "from !== null", instead: "false" },
    schedule([{ does: "slow", ms: 90_000 }], {
      conversations: [{ user: [SAID, UNDO], gaia: IN_BACKGROUND }],
    }),
    "the plugin writes into ses_1, and what the user took back is gone for good",
  ],
  [
    {
      name: "overtaken",
      file: "turns/turns.ts",
      decides: 'event.type === "taken-back" && turn.isComing',
      instead: "false",
    },
    schedule([], {
      conversations: [{ user: [SAID, { ...UNDO, after: 3_000 }], gaia: IN_BACKGROUND }],
      calls: [{ at: WAKE_UP, how: "late", ms: 12_000 }],
    }),
    "the user has stopped GAIA, and she goes on with what came in late",
  ],
  [
    {
      name: "turns",
      file: "delegation/bounds.ts",
      decides: "run.turns >= input.turnsInARow",
      instead: "false",
    },
    schedule([], {
      conversations: [{ user: [SAID], gaia: Array.from({ length: 6 }, () => IN_BACKGROUND).flat() }],
    }),
    "more turns in a row began by themselves than are allowed",
  ],
];

// That it sees nothing where none is open, the simulator's own runs show.
it("sees each gate that is left open", { timeout: 120_000 }, async () => {
  const runs = TABLE.map(([{ name }, each]) => ({ SIM_FAULT: name, SIM_SCHEDULE: JSON.stringify(each) }));
  const ended = await startSimulators(
    runs,
    TABLE.map(([fault]) => fault),
  );
  expect(ended.map(({ output }) => output.trim().split("\n")[0])).toEqual(TABLE.map(([, , sees]) => sees));
});
