import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { type Answers, watchAnswers } from "../support/answers.ts";
import { git } from "../support/directory.ts";
import { openProject, type Project } from "../support/project.ts";
import { inFolder, inOpenCode } from "./opencode.ts";

/**
 * How long OpenCode takes to answer while work is done in a repository that is made to hold it up, with GAIA and with `build`
 * in turn: `npx tsx test/bench/responsive.bench.ts` after `npm run build`. Wanted: no answer takes more than 200 ms where none of
 * `build`'s does.
 */
const NOISE = "yes 'error: something is wrong in src/a.ts:1' | head -c 100000000";
const NEW_FILES = 5_000;
const HEADINGS = 19_000;

/** Pipes, armed and nested repositories, long documents and thousands of new files. */
async function poison(project: Project): Promise<void> {
  const { directory } = project;
  const write = async (path: string, text: string): Promise<void> => project.write(path, text);
  execFileSync("mkfifo", [join(directory, "pipe"), join(directory, "tsconfig.json")]);
  await write(".gitattributes", "* -diff -text filter=armed\n");
  await project.git("config", "filter.armed.clean", "sleep 5; cat");
  await project.git("config", "core.fsmonitor", "sleep 5");
  for (const inner of ["nested/a", "nested/b"]) {
    await write(`${inner}/c.txt`, "one\n");
    await git(join(directory, inner), "init", "-q");
    await git(join(directory, inner), "config", "core.fsmonitor", "sleep 5");
  }
  await write(".gaia/notes/log.md", "# Log\n\n- **insight** a\n".repeat(6_000));
  await write(".gaia/decisions.md", "# one\n".repeat(HEADINGS));
  await write("long.md", "# one\n".repeat(1_000_000));
  await write("blank.txt", "\n".repeat(5_000_000));
  for (let at = 0; at < NEW_FILES; at += 1) await write(`data/${at % 50}/${at}.txt`, `${at}\n`);
}

/** What happens there, by one who leads and by one who works alone. */
const asBuild = (write: Turn): Turn[] => [
  call("bash", { command: NOISE, description: "Make noise" }),
  write,
  call("bash", { command: "git status --short | wc -l", description: "Look" }),
  say("Done."),
];
const plan = (op: string, args: object): Turn => call("plan_gaia", { op, ...args });
const TASKS = Array.from(
  { length: 500 },
  (_, at) =>
    `- [ ] ${at + 1}. Write part ${at}\n  - agent: hephaestus\n  - files: src/${at}.ts\n  - verify: true`,
);
const asGaia: readonly Turn[] = [
  plan("create_work_unit", { slug: "unit", title: "Unit" }),
  plan("update_plan", { content: { markdown: `## Goal\nIt answers.\n\n## Tasks\n${TASKS.join("\n")}\n` } }),
  plan("open_wave", { wave_id: "w1" }),
  call("delegate_gaia", { agent: "hephaestus", goal: "change src/a.ts", wave_id: "w1" }),
  plan("verify", {}),
  plan("unit_status", {}),
  call("recall_gaia", { query: "insight" }),
  say("Done."),
];

async function measure(server: { url: string; root: string }, plugin: boolean): Promise<Answers> {
  const project = await openProject({
    server,
    plugin,
    patienceMs: 300_000,
    files: { "src/a.ts": "export const a = 1;\n" },
    gaia: { mode: "autopilot", definitionOfDone: { checks: [{ id: "noise", command: NOISE }] } },
  });
  try {
    await poison(project);
    project.autoAnswer(() => "once");
    const agent = plugin ? "gaia" : "build";
    const name = plugin ? agent : "native";
    const filePath = `${project.directory}/src/a.ts`;
    const write = call("write", { filePath, content: "export const a = 2;\n" });
    const turns = plugin ? asGaia : asBuild(write);
    project.model.script(name, ...turns);
    if (plugin) {
      const contract = { diff_summary: "changed", checks_run: [], notes: [], known_issues: [] };
      project.model.script("hephaestus", write, result({ ...contract, refactoring_done: [] }));
    }
    // The start of the project's instance is no part of it.
    await project.session();
    const watched = watchAnswers(server.url);
    let answers: Answers;
    try {
      const session = await project.start(agent, "Go on");
      await project.until("the last answer", () => project.model.requestsOf(name).length === turns.length);
      await project.idle(session);
    } finally {
      answers = await watched.stop();
    }
    return answers;
  } finally {
    await project.close();
  }
}

await inFolder(async (root) =>
  inOpenCode(root, async (server) => {
    for (const name of ["build", "gaia"]) {
      const { count, median, p99, slowest } = await measure(server, name === "gaia");
      const shown = [median, p99, slowest].map((ms) => `${ms.toFixed(1)} ms`).join(", ");
      console.log(`${name}: median, p99 and slowest of ${count} answers: ${shown}`);
    }
  }),
);
