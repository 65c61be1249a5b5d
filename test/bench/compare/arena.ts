import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { GAIA } from "../../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../../src/agents/registry.ts";
import { hermeticEnvironment, openCodeBinary } from "../../../src/cli/demo/environment.ts";
import { startOpenCodeProcess } from "../../support/opencode-server.ts";
import type { RecordedRequest } from "../../../src/scripted-model/request.ts";
import type { Turn } from "../../../src/scripted-model/turn.ts";
import { openProject, type Project, repairsIn } from "../../support/project.ts";
import { measure, type Measured } from "../../support/simulated-model/measure.ts";
import { createRecording, parentOf } from "../../support/simulated-model/recording.ts";
import type { Contender, Installed } from "./contenders.ts";
import { ASK_FOR_ONE_DELEGATION, createPlaybook } from "./playbook.ts";
import { editedFiles, featureFiles } from "./work.ts";

/** How the scripted model tells agents apart; everyone else is `native` to it. */
const VOICES = ["native", GAIA, ...SPECIALISTS.map(({ name }) => name)];

/**
 * GAIA works through without asking, as the others do, and on the one model that there is. It knows the project's check, as
 * after /gaia-init.
 */
export const GAIA_SETTINGS = {
  preset: "local",
  startup: { askAtTaskStart: false, defaultProfile: "agentic_full" },
  definitionOfDone: { checks: [{ id: "test", command: "npm test" }] },
};

/** How long nothing is sent before a piece of work is over, in milliseconds; the other orchestrators sent no more with 20 s. */
const QUIET_MS = 4_000;
/** How long one `opencode run` may take, in milliseconds. */
const RUN_LIMIT_MS = 120_000;
/** Requests of one piece of work, after which it counts as one without an end: twice what the longest one takes. */
const MOST_REQUESTS = 300;

/** What was sent for a piece of work. */
export interface Work {
  readonly requests: readonly RecordedRequest[];
  readonly measured: Measured;
}

/** One contender in an OpenCode of its own, so that nothing of one reaches another. */
export interface Arena {
  readonly contender: Installed;
  /** The first request of one of its agents to the model. */
  firstRequest(agent: string): Promise<RecordedRequest>;
  /**
   * What a piece of work sends to the model, with what it costs.
   * @param files in the project
   * @param edited of these, the first so many; less is an error
   * @param way the contender, or another way to work with the same package
   */
  work(ask: string, files: number, edited: number, way: Contender): Promise<Work>;
  /** Milliseconds from the orchestrator's answer that delegates to its next request. */
  delegation(): Promise<number>;
  /** Milliseconds that `opencode run` takes with an agent. @throws when it fails or does not end in time */
  run(agent: string): Promise<number>;
  close(): Promise<void>;
}

/** @param number names its folder: names of different lengths would make requests of different lengths */
export async function openArena(root: string, number: number, contender: Installed): Promise<Arena> {
  const own = join(root, `arena-${number}`);
  const environment = {
    ...hermeticEnvironment(join(own, "home")),
    // Nobody's statistics should count this.
    OMO_DISABLE_POSTHOG: "1",
    OMO_SEND_ANONYMOUS_TELEMETRY: "0",
    DO_NOT_TRACK: "1",
    // npm's word of a newer npm would be part of what one or another is told about the check.
    npm_config_update_notifier: "false",
  };
  const server = await startOpenCodeProcess({ environment, cwd: join(own, "home") });
  const open = async (
    files: number,
    answerAs: (directory: string) => (request: RecordedRequest) => Turn | Promise<Turn> = (directory) =>
      createPlaybook(contender, directory),
  ): Promise<Project> => {
    const project = await openProject({
      server: { url: server.url, root: own },
      plugin: false,
      files: featureFiles(files),
      // Snapshots for undo cost the same everywhere and would only take time.
      config: { snapshot: false, plugin: contender.plugin === null ? [] : [contender.plugin] },
      gaia: GAIA_SETTINGS,
    });
    const answer = answerAs(project.directory);
    for (const voice of VOICES) project.model.always(voice, answer);
    project.autoAnswer(() => "once");
    return project;
  };
  /** Long-lived, for what is measured again and again. */
  const project = await open(2);
  return {
    contender,
    async firstRequest(agent) {
      const from = project.model.requests.length;
      await project.prompt(agent, "Hello", { model: "main" });
      const request = project.model.requests[from];
      if (request === undefined) throw new Error(`${agent} made no request`);
      return request;
    },
    async work(ask, files, edited, way) {
      const recording = createRecording();
      const place = await open(files, (directory) => recording.watch(createPlaybook(way, directory)));
      await workOn(place, way.orchestrator, ask, QUIET_MS);
      const requests = [...place.model.requests];
      const done = await editedFiles(place.directory, files);
      await place.close();
      const repairs = repairsIn(requests);
      if (repairs.length > 0) throw new Error(`Contracts were repaired: ${repairs.join(", ")}`);
      if (done !== edited) throw new Error(`${done} files were edited, not ${edited}`);
      return { requests, measured: measure(recording.exchanges(requests)) };
    },
    async delegation() {
      const from = project.model.requests.length;
      await workOn(project, contender.orchestrator, ASK_FOR_ONE_DELEGATION, 0);
      const [first, next] = project.model.requests.slice(from).filter((request) => parentOf(request) === "");
      if (first?.endedAt == null || next === undefined)
        throw new Error("no request came after the delegation");
      return next.at - first.endedAt;
    },
    async run(agent) {
      const begin = performance.now();
      const child = spawn(openCodeBinary(), ["run", "--agent", agent, "Hello"], {
        cwd: project.directory,
        env: environment,
        stdio: "ignore",
        timeout: RUN_LIMIT_MS,
        killSignal: "SIGKILL",
      });
      const [code] = (await once(child, "exit")) as [number | null];
      if (code !== 0) throw new Error(`opencode run --agent "${agent}" ended with ${code ?? "a signal"}`);
      return performance.now() - begin;
    },
    async close() {
      await project.close();
      await endAllOf(join(own, "home"));
      await server.kill();
    },
  };
}

/**
 * Prompts and waits for the end, however long one request of it may be open.
 * @param quietMs how long nothing may be sent behind it: for hooks that let a session go on which has ended
 * @throws where nothing moves any more, or it goes on and on
 */
async function workOn(project: Project, agent: string, ask: string, quietMs: number): Promise<void> {
  const session = await project.session();
  const from = project.events.length;
  const { requests } = project.model;
  const limit = requests.length + MOST_REQUESTS;
  await project.start(agent, ask, { session, model: "main" });
  const isOver = (): boolean => {
    const isIdle = project.events
      .slice(from)
      .some((event) => event.type === "session.idle" && event.properties["sessionID"] === session);
    return isIdle && requests.every(({ endedAt }) => endedAt !== null && endedAt + quietMs <= Date.now());
  };
  for (;;) {
    const sent = requests.length;
    try {
      await project.until("the end of the work", () => isOver() || requests.length > limit);
      if (requests.length > limit) throw new Error(`There was no end after ${MOST_REQUESTS} requests`);
      return;
    } catch (error) {
      if (requests.length === sent || requests.length > limit) throw error; // Nothing moved all that time.
    }
  }
}

/**
 * Ends every process that has this home: plugins start daemons of their own, which outlive OpenCode and keep its output
 * open. Does nothing where there is no /proc.
 */
async function endAllOf(home: string): Promise<void> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of ids) {
    const environment = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
    if (!environment.split("\0").includes(`HOME=${home}`)) continue;
    try {
      process.kill(Number(id), "SIGKILL");
    } catch {
      // It has ended in this very moment.
    }
  }
}
