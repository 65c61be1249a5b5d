import { say, type Turn } from "../../../src/scripted-model/turn.ts";
import { callAll } from "../../support/project.ts";
import type { Delegate, Job } from "./contenders.ts";
import {
  check,
  edits,
  FINDINGS,
  filesFrom,
  look,
  PER_WAVE,
  PER_WRITER,
  RULES,
  sharesOf,
  summarise,
} from "./work.ts";

/** What an orchestrator does around the work that it hands out, turn by turn. */
export interface Ceremony {
  readonly begin: readonly Turn[];
  openWave(wave: number): Turn;
  closeWave(wave: number): Turn;
}

/** The feature by one agent in one session. */
export const featureAlone = (count: number, directory: string): Turn[] => [
  ...look(directory),
  ...edits([...Array(count).keys()], directory),
  say(summarise(0, count)),
];

/** The fix by one who edits, and the orchestrator's word to the user. */
export const fixByDelegation = (delegate: Delegate): Turn[] => [
  give(delegate, "write", 0, "[fix]", `Let ${filesFrom(0, 1)} check its input.`),
  say(summarise(0, 1)),
];

/** Writers that begin together, and the least that one edits: as GAIA's host divides a task. */
const BESIDE = 8;
const LEAST = 2;

/** The feature by one who looks, hands out all files at once and runs the check: the least that delegating takes. */
export function featureAtOnce(delegate: Delegate, count: number, directory: string): Turn[] {
  const size = Math.max(LEAST, Math.ceil(count / BESIDE));
  const writers = sharesOf(0, count, size).map(([start, end]) => {
    const task = `Let ${filesFrom(start, end)} check their input. npm test at the end: It is run for you.`;
    return give(delegate, "write", start, `[write ${start} ${end}]`, task);
  });
  return [...look(directory), callAll(...writers), check(), say(summarise(0, count))];
}

const QUESTIONS = [
  "Find out how the parts of src are built and what depends on them.",
  "Find out which conventions the parts of src follow.",
];

/**
 * The feature by delegations that the orchestrator makes: two look around, before anything is planned, then waves of two
 * writers and a checker. With a ceremony, somebody records it at the end.
 */
export function featureByHand(delegate: Delegate, count: number, ceremony?: Ceremony): Turn[] {
  const looks = QUESTIONS.map((task, number) => give(delegate, "read", number, "[read]", task));
  const waves = sharesOf(0, count, PER_WAVE).flatMap(([from, to], wave) => {
    const writers = sharesOf(from, to, PER_WRITER).map(([start, end]) => {
      const task = `Let ${filesFrom(start, end)} check their input.`;
      return give(delegate, "write", wave * 100 + (start % 100), `[write ${start} ${end}]`, task);
    });
    const checked = give(delegate, "check", wave * 100 + 99, "[check]", "Run npm test and report.");
    const work = [callAll(...writers), checked];
    return ceremony === undefined ? work : [ceremony.openWave(wave), ...work, ceremony.closeWave(wave)];
  });
  const record = give(delegate, "record", 0, "[record]", `Write down what was done: ${summarise(0, count)}`);
  return [
    ...(ceremony?.begin ?? []),
    callAll(...looks),
    ...waves,
    ...(ceremony === undefined ? [] : [record]),
    say(summarise(0, count)),
  ];
}

/** Hands a job over, with what was found out before to everyone but the first. */
function give(delegate: Delegate, job: Job, number: number, mark: string, task: string): Turn {
  const lines = [
    `TASK: ${mark} ${task}`,
    ...(mark === "[read]" || mark === "[fix]" ? [] : [`CONTEXT: ${FINDINGS}`]),
    `MUST DO: ${RULES}`,
    "MUST NOT: touch other files, add dependencies, commit.",
    "EXPECTED: every named file refuses input that is no text, npm test passes, a summary of what changed and why.",
  ];
  return delegate(job, lines.join("\n"), number);
}
