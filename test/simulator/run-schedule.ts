import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PluginInput } from "@opencode-ai/plugin";
import type { JsonRecord } from "../../src/lib/json.ts";
import { openCodeConfigFolder } from "../../src/lib/folders.ts";
import { createPlugin } from "../../src/plugin.ts";
import { emptyDisk } from "./disk/nodes.ts";
import { layKnowledge } from "./oracle/knowledge.ts";
import { BOUNDS } from "./oracle/requests.ts";
import { crossingsIn } from "./oracle/crossings.ts";
import { createOracle } from "./oracle/oracle.ts";
import { createClient } from "./opencode/client.ts";
import type { World } from "./opencode/world.ts";
import { createCast } from "./players/players.ts";
import { usesUnitCommand, type Schedule } from "./schedule.ts";
import type { VirtualTime } from "./time.ts";

/** The longest that a schedule may go on, in milliseconds of its own time. */
const MAX_MS = 30 * 86_400_000;
/** More steps than this are a timer that sets itself again for ever. */
const MAX_STEPS = 60_000;
/** How long nobody but the plugin may have something to wait for, in milliseconds: longer than a task may take. */
const PATIENCE_MS = 900_000;
/** How long OpenCode is away between two processes. */
const AWAY_MS = 700;

export interface Outcome {
  readonly violations: readonly string[];
  /** What happened, in order. */
  readonly trace: readonly string[];
  readonly requests: number;
  readonly elapsedMs: number;
}

/** Runs one schedule to its end in a fresh project, and says what was not as it is promised. */
export async function runSchedule(schedule: Schedule, time: VirtualTime, place: string): Promise<Outcome> {
  time.reset();
  emptyDisk(place);
  const directory = join(place, "project");
  mkdirSync(directory, { recursive: true });
  // In the user's own file, because what comes with a project has no power.
  const settings = openCodeConfigFolder(process.env);
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "gaia.jsonc"), JSON.stringify(settingsOf(schedule)));
  layKnowledge(directory);
  const trace: string[] = [];
  const ids = new Map<string, number>();
  const oracle = createOracle(schedule, directory);
  const cast = createCast(schedule, () => world);
  const restarts = new Map(schedule.restarts.map(({ at, how }) => [at, how]));
  const callFaults = new Map(schedule.calls.map((fault) => [fault.at, fault]));
  let isOver = false;
  const world: World = {
    time,
    directory,
    sessions: new Map(),
    requests: new Map(),
    players: cast,
    oracle,
    process: 1,
    hooks: null,
    config: {},
    always: [],
    eventFaults: new Map(schedule.events.map((fault) => [fault.at, fault])),
    eventCount: 0,
    callCount: 0,
    onEvent(count) {
      const how = restarts.get(count);
      restarts.delete(count);
      if (how === undefined || isOver) return;
      queueMicrotask(() => restart(how));
    },
    id(kind) {
      const next = (ids.get(kind) ?? 0) + 1;
      ids.set(kind, next);
      // Those of messages ascend as texts.
      return `${kind}_${kind === "msg" ? String(next).padStart(8, "0") : next}`;
    },
    trace(line) {
      trace.push(`${String(time.elapsed()).padStart(9)} ${line}`);
    },
  };

  const start = async (): Promise<void> => {
    const { process: mine } = world;
    const input = { client: createClient(world, callFaults), directory, worktree: directory };
    const hooks = await createPlugin(input as unknown as PluginInput);
    const config: JsonRecord = {};
    await hooks.config?.(config);
    if (mine !== world.process) return;
    world.config = config;
    world.hooks = hooks;
  };

  const restart = (how: "kill" | "dispose"): void => {
    world.trace(`OpenCode ends (${how}) after event ${world.eventCount}`);
    const { hooks } = world;
    world.process += 1;
    world.hooks = null;
    time.drop("host");
    if (how === "kill") time.drop("plugin");
    else void hooks?.dispose?.();
    world.requests.clear();
    world.always = [];
    for (const session of world.sessions.values()) {
      session.loop = null;
      session.status = { type: "idle" };
    }
    oracle.restarted();
    time.after("user", AWAY_MS, () => {
      // What a killed one had begun comes to its end without it, and may have set timers that nobody is there to hear.
      time.drop("plugin");
      void start().catch((error: unknown) => oracle.threw("the start", error));
    });
  };

  /** @param isPatient whether what goes on for ever may, because the user can still end it */
  const runOut = async (isPatient: boolean): Promise<void> => {
    await time.settle();
    let lively = time.elapsed();
    for (let steps = 0; await time.step(); steps += 1) {
      if (time.pending("user") + time.pending("host") > 0) lively = time.elapsed();
      if (isPatient && time.elapsed() - lively > PATIENCE_MS) return;
      if (time.elapsed() > MAX_MS || steps > MAX_STEPS) {
        oracle.violations.push(`it does not end: ${steps} steps, ${time.elapsed()} ms`);
        return;
      }
    }
  };

  await start();
  cast.begin();
  await runOut(true);
  isOver = true;
  world.trace("everyone comes to an end");
  cast.wrapUp();
  await runOut(true);
  cast.stop();
  await runOut(false);
  const collected = cast.collectAll();
  await runOut(false);
  await Promise.race([collected, time.settle()]);
  for (const { id, loop } of world.sessions.values())
    if (loop !== null) oracle.violations.push(`${id} still works`);
  oracle.ended();
  if (!usesUnitCommand(schedule)) oracle.violations.push(...crossingsIn(world, cast.unitOf));
  await world.hooks?.dispose?.();
  await time.settle();
  const left = time.pending("plugin");
  if (left > 0) oracle.violations.push(`${left} timers are left`);
  const requests = [...world.sessions.values()].reduce((sum, session) => sum + session.requests, 0);
  return { violations: oracle.violations, trace, requests, elapsedMs: time.elapsed() };
}

function settingsOf({ mode, interaction, cadence, done }: Schedule): JsonRecord {
  const checks = done === "command" ? [{ id: "made", command: "test -f made.ts" }] : [];
  const definition = { artifacts: done === "artifact" ? [{ path: "made.ts" }] : [], checks };
  return {
    mode,
    sandbox: "off",
    delegation: { stallSeconds: 60, maxTaskMinutes: 10, maxRequests: BOUNDS.task },
    autopilotSafeguards: { maxTurnsInARow: BOUNDS.turns },
    agents: { gaia: { steps: BOUNDS.gaia } },
    interaction,
    checkinCadence: cadence,
    startup: { askAtTaskStart: false },
    ...(done === "none" ? {} : { definitionOfDone: definition }),
  };
}
