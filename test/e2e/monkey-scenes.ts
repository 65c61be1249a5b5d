import { SPECIALISTS } from "../../src/agents/registry.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { callAll } from "../support/scripted-model.ts";

export const NAMES = SPECIALISTS.map(({ name }) => name);

/** Picks by chance: one of a list, or whether something happens. */
export interface Chance {
  one<T>(of: readonly T[]): T;
  isSo(probability: number): boolean;
  /** Less than so many, a whole number. */
  upTo(limit: number): number;
}

export function chanceOf(random: () => number): Chance {
  return {
    one: (of) => of[Math.floor(random() * of.length)] as never,
    isSo: (probability) => random() < probability,
    upTo: (limit) => Math.floor(random() * limit),
  };
}

/** How a provider fails. */
const TROUBLE: readonly Turn[] = [
  { trouble: "hang" },
  { text: "abc", trouble: "stall" },
  { text: "abc", trouble: "cut" },
  { trouble: "garbage" },
  { trouble: "reset" },
  { status: 429, message: "slow down", headers: { "retry-after": "1" } },
  { status: 500, message: "oops" },
  { status: 400, message: "context length exceeded" },
  { text: "" },
];
const COMMANDS = [
  "echo x >> a.txt",
  "git commit -qam x",
  "git reset --hard",
  "git stash",
  "rm -rf src",
  "npm test",
  "sleep 3",
  "(sleep 30 &) ; echo",
  "false",
];
/** What a specialist ends with: contracts of all kinds, of another kind than asked for, and none. */
const ENDS: readonly Turn[] = [
  result({ files_changed: ["a.txt"], summary: "done", checks_run: [], tests_added: [], risks: [] }),
  result({ verdict: "APPROVE", issues: [], risks: [] }),
  result({ verdict: "REJECT", issues: ["no"], risks: [] }),
  result({ checks: [], release_ready: true, failures: [] }),
  result({ log_entry: "x", decisions: [], learnings: [], plan_updates: [], session_summary: "x" }),
  result({ repo_map: "src", answer: "It.", plan: [], risk_list: [], suggested_agents: [] }),
  result({}, { ok: false, errors: ["cannot"] }),
  say("I cannot go on. Which one do you want?"),
  say("APPROVE"),
  say('```json\n{"ok": tru'),
];

/** What anyone who works does with one request. */
function work(chance: Chance, directory: string): Turn {
  const filePath = `${directory}/${chance.one(["a.txt", "b.txt", "new.txt", ".gaia/feature/plan.md"])}`;
  return chance.one<Turn>([
    call("write", { filePath, content: `${chance.upTo(1_000)}\n` }),
    call("edit", { filePath, oldString: "o", newString: "oo" }),
    call("read", { filePath }),
    call("bash", { command: chance.one(COMMANDS), description: "x" }),
    call("bash", { command: chance.one(COMMANDS), description: "x" }),
    call("nonsense", { a: 1 }),
    { calls: [{ name: "bash", args: {}, raw: "{not json" }] },
  ]);
}

export function specialistTurn(chance: Chance, directory: string): Turn {
  const delayMs = chance.upTo(400);
  if (chance.isSo(0.08)) return { delayMs, ...chance.one(TROUBLE) };
  return { delayMs, ...(chance.isSo(0.4) ? work(chance, directory) : chance.one(ENDS)) };
}

export function gaiaTurn(chance: Chance, directory: string): Turn {
  const delayMs = chance.upTo(300);
  if (chance.isSo(0.05)) return { delayMs, ...chance.one(TROUBLE) };
  const plan = (op: string, more: object = {}): Turn => call("plan_gaia", { op, ...more });
  const markdown = planOf(chance);
  return {
    delayMs,
    ...chance.one<Turn>([
      plan("run", { slug: "feature", title: "F", content: { markdown } }),
      plan("run", { slug: "feature", background: chance.isSo(0.4) }),
      plan("create_work_unit", { slug: "feature", title: "F" }),
      plan("update_plan", { content: { markdown } }),
      plan("update_plan", { status: "complete" }),
      plan(chance.one(["open_wave", "complete_wave"]), { wave_id: "w1" }),
      plan("request_approval", { kind: chance.one(["plan", "revision", "verification"]) }),
      plan(chance.one(["verify", "read_work_unit", "archive_work_unit", "nonsense"])),
      delegation(chance),
      delegation(chance),
      callAll(delegation(chance), delegation(chance), delegation(chance)),
      call("collect_results", { until: "all", wait_ms: 2_000, cancel: chance.isSo(0.2) }),
      call("question", { questions: [questionAbout(chance)] }),
      call("todowrite", { todos: [{ content: "x", status: "pending", priority: "high" }] }),
      work(chance, directory),
      say("Done."),
      say("Shall I go on?"),
    ]),
  };
}

function delegation(chance: Chance): Turn {
  return call("delegate_gaia", {
    agent: chance.one([...NAMES, "Hephaestus", "Nobody"]),
    goal: "do it",
    background: chance.isSo(0.3),
    ...(chance.isSo(0.3) ? { wave_id: "w1" } : {}),
    ...(chance.isSo(0.2) ? { worktree: true } : {}),
  });
}

function questionAbout(chance: Chance): object {
  const options = ["a", "b"].map((label) => ({ label, description: label }));
  return { question: "Which?", header: chance.one(["Scope", "Handshake", "Way"]), options };
}

function planOf(chance: Chance): string {
  return `## Goal
It.

## Tasks
- [ ] 1. One
  - agent: hephaestus
  - files: a.txt
  - verify: true
- [ ] 2. Two
  - agent: ${chance.one(["hephaestus", "artemis", "Nobody"])}
  - files: b.txt
${chance.isSo(0.5) ? "  - needs: 1\n" : ""}
## Done When
- [ ] \`test -f a.txt\` passes
`;
}
