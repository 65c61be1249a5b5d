import { say, type Turn } from "../../../src/scripted-model/turn.ts";
import { callAll } from "../../support/scripted-model.ts";
import type { Contender, Job } from "./contenders.ts";
import {
  brief,
  check,
  edits,
  FINDINGS,
  filesFrom,
  fix,
  look,
  PER_WAVE,
  PER_WRITER,
  summarise,
} from "./work.ts";

/** What an orchestrator does around the work that it hands out, turn by turn. */
export interface Ceremony {
  readonly begin: readonly Turn[];
  openWave(wave: number): readonly Turn[];
  closeWave(wave: number): readonly Turn[];
  readonly recordsAtEnd: boolean;
}

export const NO_CEREMONY: Ceremony = {
  begin: [],
  openWave: () => [],
  closeWave: () => [],
  recordsAtEnd: false,
};

type Delegate = Contender["delegate"];

/** The feature by one agent in one session. */
export const featureAlone = (count: number, directory: string): Turn[] => [
  ...look(directory),
  ...edits([...Array(count).keys()], directory),
  say(summarise(0, count)),
];

export const fixAlone = (directory: string): Turn[] => [...fix(directory), say(summarise(0, 1))];

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
  const writers = Array.from({ length: Math.ceil(count / size) }, (_, index) => {
    const [start, end] = [index * size, Math.min((index + 1) * size, count)];
    const task = `Let ${filesFrom(start, end)} check their input. npm test at the end: It is run for you.`;
    return give(delegate, "write", start, `[write ${start} ${end}]`, task);
  });
  return [...look(directory), callAll(...writers), check(), say(summarise(0, count))];
}

/** Two look around, before anything is planned. */
const recon = (delegate: Delegate): Turn =>
  callAll(
    ...[
      "Find out how the parts of src are built and what depends on them.",
      "Find out which conventions the parts of src follow.",
    ].map((task, number) => give(delegate, "read", number, "[read]", task)),
  );

/** The shares of the writers, from the first file up to the last exclusively; two to a wave. */
export function writersOf(count: number): { start: number; end: number; wave: number }[] {
  return Array.from({ length: Math.ceil(count / PER_WRITER) }, (_, index) => {
    const start = index * PER_WRITER;
    return { start, end: Math.min(start + PER_WRITER, count), wave: Math.floor(start / PER_WAVE) };
  });
}

/** The feature by delegations that the orchestrator makes: two look around, then waves of two writers and a checker. */
export function featureByHand(delegate: Delegate, ceremony: Ceremony, count: number): Turn[] {
  const waves = Array.from({ length: Math.ceil(count / PER_WAVE) }, (_, wave) => wave);
  const record = give(delegate, "record", 0, "[record]", `Write down what was done: ${summarise(0, count)}`);
  return [
    ...ceremony.begin,
    recon(delegate),
    ...waves.flatMap((wave) => workThrough(delegate, ceremony, wave, count)),
    ...(ceremony.recordsAtEnd ? [record] : []),
    say(summarise(0, count)),
  ];
}

function workThrough(delegate: Delegate, ceremony: Ceremony, wave: number, count: number): Turn[] {
  const writers = writersOf(count)
    .filter((each) => each.wave === wave)
    .map(({ start, end }) => {
      const task = `Let ${filesFrom(start, end)} check their input.`;
      return give(delegate, "write", wave * 100 + (start % 100), `[write ${start} ${end}]`, task);
    });
  return [
    ...ceremony.openWave(wave),
    callAll(...writers),
    give(delegate, "check", wave * 100 + 99, "[check]", "Run npm test and report."),
    ...ceremony.closeWave(wave),
  ];
}

function give(delegate: Delegate, job: Job, number: number, mark: string, task: string): Turn {
  const isFirst = mark === "[read]" || mark === "[fix]";
  return delegate(job, brief(mark, task, isFirst ? "" : FINDINGS), number);
}
