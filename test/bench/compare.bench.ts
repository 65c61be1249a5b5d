import { availableParallelism, loadavg } from "node:os";
import { describeError } from "../../src/lib/error.ts";
import { writeBetween } from "../docs/markers.ts";
import { sizesOf } from "../support/compare.ts";
import { parentOf } from "../support/simulated-model/recording.ts";
import { openArena, type Arena, type Work } from "./compare/arena.ts";
import { NATIVE, type Contender } from "./compare/contenders.ts";
import { installContenders, writeIdlePlugin } from "./compare/install.ts";
import { ASK_FOR_FIX, askForFeature } from "./compare/playbook.ts";
import { renderComparison, renderWorks, type Figures, type WorkFigures } from "./compare/table.ts";
import { median } from "./figures.ts";
import { inFolder } from "./opencode.ts";

/**
 * OpenCode alone, GAIA and two other orchestrators side by side, in one run, on this machine (SPEC 14). After
 * `npm run build`: `npx tsx test/bench/compare.bench.ts [--write]`; --write puts the tables into docs/measured.md.
 * START_ROUNDS and DELEGATION_ROUNDS set the samples of what is timed; without them, a busy machine times nothing. What the
 * works cost and take does not depend on the machine: it is computed from what was sent. FEATURES=5,10 and ALONE=1 (no
 * other orchestrators) make a short run.
 */
const LOAD = loadavg()[0] ?? 0;
const IS_QUIET = LOAD < availableParallelism() / 2;
const START_ROUNDS = Number(process.env["START_ROUNDS"] ?? (IS_QUIET ? 7 : 0));
const DELEGATION_ROUNDS = Number(process.env["DELEGATION_ROUNDS"] ?? (IS_QUIET ? 9 : 0));
const IS_TIMED = START_ROUNDS + DELEGATION_ROUNDS > 0;
const DOCUMENT = "docs/measured.md";
/** Files that the feature edits. */
const FEATURES = (process.env["FEATURES"] ?? "5,10,20,40").split(",").map(Number);

type Samples = Map<Arena, (number | null)[]>;

const tell = (word: string): void => {
  console.error(`${Math.round(performance.now() / 1_000)} s: ${word}`);
};

await inFolder(async (root) => {
  const open: Arena[] = [];
  try {
    tell("installing");
    const contenders = await installContenders(root, tell, process.env["ALONE"] === undefined);
    for (const contender of [...contenders, await writeIdlePlugin(root)])
      open.push(await openArena(root, open.length, contender));
    const [native] = open;
    const idle = open.at(-1);
    if (native === undefined || idle === undefined) throw new Error("There is nothing to compare.");
    await compare(native, open.slice(0, -1), idle);
  } finally {
    for (const arena of open) await arena.close().catch((error: unknown) => tell(describeError(error)));
  }
}, "compare");

/** @param idle takes part in the starts alone */
async function compare(native: Arena, arenas: readonly Arena[], idle: Arena): Promise<void> {
  tell("starts");
  const starts = await interleave([...arenas, idle], START_ROUNDS, async (arena) => arena.run("build"));
  tell("first turns");
  const turns = await interleave(arenas, START_ROUNDS, async (arena) =>
    arena.run(arena.contender.orchestrator),
  );
  tell("delegations");
  const delegations = await interleave(arenas, DELEGATION_ROUNDS, async (arena) => arena.delegation());
  /** The median of what each round took longer than native OpenCode's run of the same round. */
  const addedIn = (samples: Samples, arena: Arena): number | null => {
    const pairs = (samples.get(arena) ?? []).map((slow, at) => [slow, samples.get(native)?.[at] ?? null]);
    return median(pairs.map(([slow, fast]) => (slow == null || fast == null ? null : slow - fast)));
  };
  const fix = async (arena: Arena, way: Contender): Promise<Work> => arena.work(ASK_FOR_FIX, 2, 1, way);
  const works = [await compareWork("quick fix, one file", arenas, () => [], fix)];
  for (const files of FEATURES) {
    const work = async (arena: Arena, way: Contender): Promise<Work> => feature(arena, files, way);
    works.push(await compareWork(`feature, ${files} files`, arenas, ({ also = [] }) => also, work));
  }
  const figures: Figures[] = [];
  for (const arena of arenas) {
    const [startUp, firstTurn] = [addedIn(starts, arena), addedIn(turns, arena)];
    const delegation = median(delegations.get(arena) ?? []);
    figures.push({ ...(await describe(arena)), startUp, firstTurn, delegation });
  }
  const when = `on ${new Date().toISOString().slice(0, 10)} with OpenCode ${native.contender.version}`;
  const overview = `Measured ${when} on ${describeMachine()}.\n\n${renderComparison(figures, addedIn(starts, idle))}`;
  const costs = `Computed from what was sent ${when}.\n\n${renderWorks(works)}`;
  console.log(`${overview}\n\n${costs}`);
  if (!process.argv.includes("--write")) return;
  // A busy machine leaves the times standing that a quiet one has measured.
  if (IS_TIMED) await writeBetween(DOCUMENT, "comparison", overview);
  await writeBetween(DOCUMENT, "works", costs);
}

function describeMachine(): string {
  const cores = `a machine with ${availableParallelism()} cores`;
  if (!IS_TIMED) return `${cores} that was too busy to time anything`;
  return `${cores}, ${LOAD.toFixed(1)} of them busy before the run`;
}

/**
 * Everyone in every round, so that what else the machine does hits all alike, and in another order each time, since some
 * leave work behind for the next; the first round warms up.
 */
async function interleave(all: readonly Arena[], rounds: number, measure: (arena: Arena) => Promise<number>) {
  const samples: Samples = new Map(all.map((arena) => [arena, []]));
  const first = rounds === 0 ? 1 : 0;
  for (let round = first; round <= rounds; round += 1) {
    const drawn = all.map((arena) => ({ arena, at: Math.random() })).toSorted((a, b) => a.at - b.at);
    for (const { arena } of drawn) {
      const sample = await attempt(arena, async () => measure(arena));
      if (round > 0) samples.get(arena)?.push(sample);
    }
  }
  return samples;
}

/** A contender that fails at something keeps its other figures. */
async function attempt<T>(arena: Arena, measure: () => Promise<T>): Promise<T | null> {
  try {
    return await measure();
  } catch (error) {
    tell(`${arena.contender.name}: ${describeError(error).split("\n")[0] ?? ""}`);
    return null;
  }
}

async function describe(arena: Arena): Promise<Omit<Figures, "startUp" | "firstTurn" | "delegation">> {
  const { contender } = arena;
  tell(`${contender.name}: requests`);
  const first = await attempt(arena, async () => arena.firstRequest(contender.orchestrator));
  const build = await attempt(arena, async () => arena.firstRequest("build"));
  const way = { ...contender, feature: (count: number) => contender.byHand(count) };
  const delegated = await attempt(arena, async () => feature(arena, FEATURES[0] ?? 5, way));
  /** The largest, where several kinds of subagents do such work: they begin together. Who writes is told what was read. */
  const firstOf = (mark: string, not: string): number | null => {
    const children = (delegated?.requests ?? []).filter(
      (each) => parentOf(each) !== "" && each.raw.includes(mark) && !each.raw.includes(not),
    );
    const sizes = new Map(children.toReversed().map((each) => [each.sessionId, sizesOf(each).total]));
    return sizes.size === 0 ? null : Math.max(...sizes.values());
  };
  return {
    contender,
    first: first === null ? null : sizesOf(first),
    build: build === null ? null : sizesOf(build).total,
    reader: firstOf("[read]", "[write "),
    writer: firstOf("[write ", "[check]"),
  };
}

async function feature(arena: Arena, files: number, way: Contender): Promise<Work> {
  return arena.work(askForFeature(files), files, files, way);
}

async function compareWork(
  what: string,
  arenas: readonly Arena[],
  also: (contender: Contender) => readonly Contender[],
  work: (arena: Arena, way: Contender) => Promise<Work>,
): Promise<WorkFigures> {
  const measured = [];
  for (const arena of arenas) {
    for (const way of [arena.contender, ...also(arena.contender)]) {
      tell(`${what}: ${way.name}`);
      const done = await attempt(arena, async () => work(arena, way));
      const name = way.name === NATIVE.name ? "`build`" : way.name;
      measured.push({ name, cost: done?.measured ?? null });
    }
  }
  return { what, measured };
}
