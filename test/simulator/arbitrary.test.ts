import fc from "fast-check";
import { expect, it } from "vitest";
import { anySchedule } from "./arbitrary.ts";
import type { Conversation, Schedule, UserStep } from "./schedule.ts";

/** What a schedule may hold, with the least share of schedules that do, in percent. */
type Row = readonly [what: string, percent: number, holds: (schedule: Schedule) => boolean];

/** More than the turns in a row that are allowed. */
const MANY_TURNS = 5;

const inOne =
  (holds: (conversation: Conversation) => boolean) =>
  ({ conversations }: Schedule): boolean =>
    conversations.some(holds);
const user = (does: UserStep["act"]["do"]) =>
  inOne((conversation) => conversation.user.some(({ act }) => act.do === does));
const isInBackground = (move: Conversation["gaia"][number]): boolean =>
  move.does === "delegate" && move.to.every(({ background }) => background);
const hasWave = ({ gaia }: Conversation): boolean => {
  const ops = gaia.map((move) => (move.does === "plan" ? move.op : ""));
  return ops.includes("open_wave") && ops.indexOf("open_wave") < ops.lastIndexOf("complete_wave");
};

/** Two thirds of what is drawn: less of it would be another simulator. */
const TABLE: readonly Row[] = [
  ["no fault", 16, ({ events, calls, restarts }) => [...events, ...calls, ...restarts].length === 0],
  ...(["kill", "dispose"] as const).map((kind): Row => [
    `restart: ${kind}`,
    13,
    ({ restarts }) => restarts.some(({ how }) => how === kind),
  ]),
  ...(["lost", "doubled", "late"] as const).map((kind): Row => [
    `event: ${kind}`,
    16,
    ({ events }) => events.some(({ how }) => how === kind),
  ]),
  ...(["fails", "throws", "hangs", "late", "done but unanswered"] as const).map((kind): Row => [
    `call: ${kind}`,
    7,
    ({ calls }) => calls.some(({ how }) => how === kind),
  ]),
  ["two conversations", 25, ({ conversations }) => conversations.length === 2],
  ["at most two moves", 20, inOne(({ gaia }) => gaia.length <= 2)],
  ["nine moves and more", 46, inOne(({ gaia }) => gaia.length >= 9)],
  ["a wave that is opened and completed", 25, inOne(hasWave)],
  ["turns in a row", 5, inOne(({ gaia }) => gaia.filter(isInBackground).length >= MANY_TURNS)],
  ["a loop", 14, (schedule) => JSON.stringify(schedule).includes('"does":"loop"')],
  ["Esc", 29, user("esc")],
  ["a session that is deleted", 11, user("delete")],
  ["messages taken back", 13, user("undo")],
];

it("draws enough of each kind", () => {
  const schedules = fc.sample(anySchedule, { seed: 1, numRuns: 600 });
  const shares = TABLE.map(([what, percent, holds]) => {
    const share = (100 * schedules.filter(holds).length) / schedules.length;
    return [what, share >= percent ? "enough" : `${share} of 100`];
  });
  expect(shares).toEqual(TABLE.map(([what]) => [what, "enough"]));
});
