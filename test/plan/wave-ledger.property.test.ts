import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { result } from "../../src/scripted-model/turn.ts";
import type { Host } from "../../src/host/port.ts";
import { compose, ROOT, type Composition, planCalls, type PlanCalls } from "../support/composition.ts";
import { failedTurn, sessionOf, turn, type ScriptedTurn } from "../support/fake-host.ts";
import { createRuntime } from "../support/runtime.ts";
import { CONTRACTS } from "./contracts.ts";

const OTHER = "ses_other";
const ROOTS = [ROOT, OTHER] as const;
const IDS = ["w1", "w2", "W1 "] as const;
const AGENTS = ["hephaestus", "eleuthia", "minerva"] as const;
const DATA: Record<string, Record<string, unknown>> = {
  ...CONTRACTS,
  eleuthia: { files_created: [], interfaces_defined: [], notes: [], todos_for_hephaestus: [] },
  minerva: { repo_map: "", answer: "It.", plan: [], risk_list: [], suggested_agents: [] },
};

type Root = (typeof ROOTS)[number];
type Step =
  | { readonly do: "open" | "complete"; readonly root: Root; readonly id: string; readonly yes: boolean }
  | {
      readonly do: "delegate";
      readonly root: Root;
      readonly id: string | null;
      readonly agent: (typeof AGENTS)[number];
      readonly ends: "well" | "failed" | "not ok" | "later";
    }
  | { readonly do: "end"; readonly well: boolean }
  | { readonly do: "mode"; readonly root: Root; readonly mode: "supervised" | "autopilot" }
  | { readonly do: "restart" };

// Mostly one conversation and one wave, so that a few steps meet each other.
const root = fc.constantFrom<Root>(ROOT, ROOT, ROOT, OTHER);
const id = fc.constantFrom(...IDS, "w1", "w1");
const wave = fc.record({ do: fc.constantFrom("open", "complete"), root, id, yes: fc.boolean() });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: wave },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("delegate"),
      root,
      id: fc.option(id, { freq: 4 }),
      agent: fc.constantFrom(...AGENTS),
      ends: fc.constantFrom("well", "well", "failed", "not ok", "later"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("end"), well: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("mode"), root, mode: fc.constantFrom("supervised", "autopilot") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart") }) },
);

interface Work {
  readonly agent: string;
  /** The id of its task. */
  readonly task: string;
  state: "running" | "failed";
  /** What had failed when it began, and it makes good. */
  readonly heals: readonly Work[];
  readonly finish: (well: boolean) => void;
}
interface Known {
  readonly id: string;
  readonly owner: Root;
  over: boolean;
  work: Work[];
}

/** What the waves of one unit mean, told without the plugin's own rules in mind: lists and a loop over them. */
class Model {
  readonly waves: Known[] = [];
  readonly open: Record<string, Known | undefined> = {};
  readonly mode: Record<string, "supervised" | "autopilot"> = { [ROOT]: "supervised", [OTHER]: "supervised" };

  named(name: string): Known | undefined {
    return this.waves.find((known) => known.id.toLowerCase() === name.trim().toLowerCase());
  }
  interrupt(): void {
    for (const work of this.waves.flatMap((known) => known.work)) work.state = "failed";
  }
  /** Whether the wave is the open one of this conversation. */
  isOpen(owner: Root, name: string): boolean {
    const known = this.named(name);
    return known !== undefined && !known.over && this.open[owner] === known;
  }
  /** "yes", "no", or "ask" where the user's answer decides. */
  mayOpen(owner: Root, name: string): "yes" | "no" | "ask" {
    const known = this.named(name);
    if (known !== undefined && (known.over || known.owner !== owner)) return "no";
    const others = this.waves.filter((each) => each !== known && !each.over && each.owner === owner);
    const work = others.flatMap((each) => each.work);
    if (work.some(({ state }) => state === "running")) return "no";
    return this.mode[owner] === "supervised" ? "ask" : "yes";
  }
  mayComplete(owner: Root, name: string): "yes" | "no" | "ask" {
    if (!this.isOpen(owner, name)) return "no";
    const { work } = this.named(name)!;
    if (work.some(({ state }) => state === "running")) return "no";
    if (work.length === 0) return "yes";
    return this.mode[owner] === "supervised" ? "ask" : "no";
  }
}

const edits = (agent: string): boolean => agent !== "minerva";
const answer = (agent: string, ok: boolean): ScriptedTurn =>
  turn(result(DATA[agent] ?? {}, ok ? {} : { ok: false, errors: ["no access"] }).text ?? "");
const soon = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15));

/** The host as one OpenCode sees it, and that OpenCode's end: what it had not written by then is never written. */
function mortal(host: Host, write: Host["sessions"]["setMetadata"]): [host: Host, end: () => void] {
  let isOver = false;
  const setMetadata: typeof write = async (...args) => {
    if (!isOver) await write(...args);
  };
  return [
    { ...host, sessions: { ...host.sessions, setMetadata } },
    () => {
      isOver = true;
    },
  ];
}

async function run(steps: readonly Step[]): Promise<void> {
  const composition: Composition = await compose({ definitionOfDone: undefined });
  const model = new Model();
  const { host } = composition;
  const write = host.sessions.setMetadata;
  const [first, endFirst] = mortal(host, write);
  let endThis = endFirst;
  Object.assign(host.sessions, first.sessions);
  host.stored.set(OTHER, sessionOf(OTHER));
  let gaia: PlanCalls = planCalls(composition);
  const greet = (): void => {
    for (const each of ROOTS) composition.runtime.sessions.spoke(each, "gaia", "a/one");
  };
  greet();
  await gaia.plan("create_work_unit", { slug: "unit", title: "Unit" });
  await gaia.plan("set_active", { slug: "unit" }, OTHER);

  for (const each of steps) {
    if (each.do === "mode") {
      const found = await composition.runtime.conversations.of(each.root);
      found?.conversation.dispatch({ type: "command", change: { knob: "mode", value: each.mode } });
      model.mode[each.root] = each.mode;
    } else if (each.do === "restart") {
      // What ran is interrupted: nobody ends it any more, and it stands in the way until it is done again.
      model.interrupt();
      for (const owner of ROOTS) await isKept(owner);
      endThis();
      const [next, endNext] = mortal(host, write);
      endThis = endNext;
      const { runtime } = await createRuntime(next, {});
      Object.assign(composition, { runtime });
      gaia = planCalls(composition);
      greet();
    } else if (each.do === "end") {
      const work = model.waves.flatMap((known) => known.work).find(({ state }) => state === "running");
      work?.finish(each.well);
      // One that an earlier OpenCode had begun is none of this one's.
      const ended = (): boolean => composition.runtime.engine.tasks.get(work?.task ?? "")?.outcome !== null;
      await vi.waitFor(() => expect(ended()).toBe(true), 3_000);
      await soon();
    } else if (each.do === "delegate") {
      await delegate(each);
    } else await openOrComplete(each);
  }
  for (const work of model.waves.flatMap((known) => known.work)) work.finish(true);

  /** What the host would tell another process of the conversation is how it stands. */
  async function isKept(owner: Root): Promise<void> {
    const { conversation } = (await composition.runtime.conversations.of(owner))!;
    await vi.waitFor(() => {
      const { workUnit, wave: open, knobs } = conversation.state;
      const kept = recordOf(host.stored.get(owner)?.metadata["gaia_collaboration"]);
      const isOpen = open === null ? null : { id: open.id };
      expect(kept).toMatchObject({ workUnit, wave: isOpen, knobs });
    }, 3_000);
  }

  async function openOrComplete(each: Extract<Step, { do: "open" | "complete" }>): Promise<void> {
    const isOpening = each.do === "open";
    const before = model.open[each.root];
    const again = isOpening && model.isOpen(each.root, each.id);
    const expected = isOpening ? model.mayOpen(each.root, each.id) : model.mayComplete(each.root, each.id);
    gaia.answer = each.yes ? "yes" : "no";
    const said = await gaia.plan(`${each.do}_wave`, { wave_id: each.id, slug: "unit" }, each.root);
    const isYes = said["ok"] === true;
    const name = `${each.do} ${each.id} in ${each.root}: ${JSON.stringify(said)}`;
    // An approved wave that is opened again is not asked for.
    if (!(again && isYes)) expect(isYes, name).toBe(expected === "yes" || (expected === "ask" && each.yes));
    if (!isYes) {
      // Nothing is asked after a no, until the user has spoken.
      const found = await composition.runtime.conversations.of(each.root);
      if (expected === "ask") found?.conversation.dispatch({ type: "user-message", text: "Go on." });
      // A wave that is opened again is named as it was spelled last.
      if (before !== undefined && expected === "no")
        expect(JSON.stringify(said).toLowerCase(), name).toContain(before.id.toLowerCase());
      return;
    }
    if (!isOpening) {
      before!.over = true;
      delete model.open[each.root];
      return;
    }
    const known = model.named(each.id) ?? { id: each.id.trim(), owner: each.root, over: false, work: [] };
    if (!model.waves.includes(known)) model.waves.push(known);
    for (const other of model.waves) {
      if (other !== known && other.owner === each.root) other.over = true;
    }
    model.open[each.root] = known;
  }

  async function delegate(each: Extract<Step, { do: "delegate" }>): Promise<void> {
    const open = model.open[each.root];
    let finish: (well: boolean) => void = () => undefined;
    const later = new Promise<ScriptedTurn>((resolve) => {
      finish = (well) => resolve(answer(each.agent, well));
    });
    const turns: Record<typeof each.ends, ScriptedTurn> = {
      well: answer(each.agent, true),
      "not ok": answer(each.agent, false),
      failed: failedTurn("auth", "no key", 401),
      later: async () => (await later) as Exclude<ScriptedTurn, (...args: never[]) => unknown>,
    };
    host.script(turns[each.ends]);
    const asked = {
      agent: each.agent,
      goal: "go",
      work_unit: "unit",
      ...(each.id === null ? {} : { wave_id: each.id }),
      ...(each.ends === "later" ? { background: true } : {}),
    };
    const said = await gaia.delegate(asked, each.root);
    // Its model has begun to answer, so that the next one waits for nobody and takes its own turn of the script.
    const { engine } = composition.runtime;
    const { sessionId = "", id: task = "" } = engine.tasks.all().at(-1) ?? {};
    engine.observe({ type: "text.activity", sessionId, isStreamed: true });
    await soon();
    const lacksWave = each.id === null && edits(each.agent) && model.mode[each.root] === "supervised";
    const isIn = each.id === null ? !lacksWave : model.isOpen(each.root, each.id);
    expect("agent" in said, JSON.stringify([each, said])).toBe(isIn);
    if (!isIn || open === undefined || each.ends === "well") {
      if (isIn && open !== undefined) open.work = open.work.filter((work) => !heals(each.agent, work));
      return;
    }
    const work: Work = {
      agent: each.agent,
      task,
      state: each.ends === "later" ? "running" : "failed",
      heals: open.work.filter((other) => heals(each.agent, other)),
      finish(well) {
        finish(well);
        if (work.state !== "running") return;
        if (well) open.work = open.work.filter((other) => other !== work && !work.heals.includes(other));
        else work.state = "failed";
      },
    };
    open.work.push(work);
  }
}

/** Work that ends well makes good what had failed before it began: of the same agent, and one edit another. */
function heals(agent: string, { agent: other, state }: Work): boolean {
  return state === "failed" && (agent === other || (edits(agent) && edits(other)));
}

it("waves mean the same through any order of openings, delegations, failures, answers, modes and restarts", async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30, size: "max" }), run), {
    numRuns: 12,
    // A machine that is busy with other tests plays fewer; a failure is told before the limit of the test, as far as it is shrunk.
    interruptAfterTimeLimit: 90_000,
  });
}, 120_000);
