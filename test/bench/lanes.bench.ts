import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as engine from "../../src/snapshot/lanes/engine.ts";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { hermeticEnvironment } from "../../src/cli/demo/environment.ts";
import { startOpenCodeProcess } from "../support/opencode-server.ts";
import { openProject } from "../support/project.ts";
import { measure } from "../support/simulated-model/measure.ts";
import { createRecording } from "../support/simulated-model/recording.ts";
import { median } from "./compare/figures.ts";
import { GAIA } from "./compare/gaia.ts";
import { askForFeature, createPlaybook } from "./compare/playbook.ts";
import { editedFiles, featureFiles, filesFrom, RULES, summarise } from "./compare/work.ts";

/**
 * What worktrees save and cost. After `npm run build`: `npx tsx test/bench/lanes.bench.ts`. ROUNDS sets the samples of what git
 * takes. The time of the feature is computed from what was sent, with the model of the other benches; making and landing is a
 * ratio of what was timed side by side.
 */
const TASKS = 8;
const PER_TASK = 3;
const FILES = TASKS * PER_TASK;
const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const PATIENCE_MS = 180_000;
/** As long works the fastest worker, which is not counted: what changed in the second of its look git reads twice. */
const WORK_MS = 1_100;
/** Of the repository in which worktrees are made: files of four kilobytes. */
const SIZES = [200, 2_000] as const;

const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-lanes-bench-")));
try {
  const serial = await feature("off", (number) => (number === 1 ? [] : [`  - needs: ${number - 1}`]));
  const lanes = await feature("auto", () => []);
  const rows = [
    `| eight independent tasks, one after the other | ${serial.toFixed(0)} s | |`,
    `| … each in a worktree of its own | ${lanes.toFixed(0)} s | ${(lanes / serial).toFixed(2)} |`,
  ];
  console.error(rows.join("\n"));
  for (const size of SIZES) {
    const { committed, whole, ours } = await makeAndLand(size);
    const files = size.toLocaleString("en-US");
    rows.push(
      `| making and landing a worktree, ${files} files: git's commands, for what is committed | ${committed.toFixed(0)} ms | |`,
      `| … git's commands, for what is not as well | ${whole.toFixed(0)} ms | |`,
      `| … the plugin, which does that | ${ours.toFixed(0)} ms | ${(ours / whole).toFixed(2)} (${(ours / committed).toFixed(2)} of the first) |`,
    );
  }
  const table = ["| what | time | ratio |", "| --- | --: | --: |", ...rows].join("\n");
  console.log(table);
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

/** A feature of eight tasks in the real OpenCode. @returns its wall time with the simulated model, in seconds */
async function feature(mode: "off" | "auto", more: (task: number) => readonly string[]): Promise<number> {
  const home = join(root, mode);
  const environment = hermeticEnvironment(home);
  const server = await startOpenCodeProcess({ environment, cwd: home });
  const recording = createRecording();
  const project = await openProject({
    server: { url: server.url, root },
    patienceMs: PATIENCE_MS,
    files: featureFiles(FILES),
    config: { snapshot: false },
    gaia: { mode: "autopilot", startup: { askAtTaskStart: false }, lanes: mode },
  });
  try {
    const way = { ...GAIA, feature: () => turns(more) };
    const answer = recording.watch(createPlaybook(way, project.directory));
    for (const voice of ["gaia", "minerva", "apollo", "hephaestus", "aether", "hades", "demeter"])
      project.model.always(voice, answer);
    project.autoAnswer(() => "once");
    const session = await project.start("gaia", askForFeature(FILES), { model: "main" });
    await project.until("the end of the work", () =>
      project.events.some(
        ({ type, properties }) => type === "session.idle" && properties["sessionID"] === session,
      ),
    );
    const outcome = await project.outcome(session);
    const requests = [...project.model.requests];
    const done = await editedFiles(project.directory, FILES);
    if (done !== FILES) throw new Error(`${done} files were edited: ${JSON.stringify(outcome.tools.at(-1))}`);
    return measure(recording.exchanges(requests)).seconds;
  } finally {
    await project.close();
    await server.kill();
  }
}

function turns(more: (task: number) => readonly string[]): Turn[] {
  const tasks = Array.from({ length: TASKS }, (_, index) => {
    const [start, end] = [index * PER_TASK, (index + 1) * PER_TASK];
    return [
      `- [ ] ${index + 1}. [write ${start} ${end}] Let the parts ${start} to ${end - 1} check their input`,
      "  - agent: hephaestus",
      `  - files: ${filesFrom(start, end)}`,
      "  - verify: npm test",
      ...more(index + 1),
      `  ${RULES}`,
    ].join("\n");
  });
  const markdown = `## Goal\nEvery part checks its input.\n\n## Tasks\n${tasks.join("\n")}\n`;
  return [
    call("plan_gaia", { op: "run", slug: "feature", title: "The feature", content: { markdown } }),
    say(summarise(0, FILES)),
  ];
}

/** The same change made and landed in each way in turn. @returns medians in milliseconds */
async function makeAndLand(size: number): Promise<Record<"committed" | "whole" | "ours", number>> {
  const top = join(root, `repository ${size}`);
  await mkdir(top);
  const line = `${"x".repeat(79)}\n`;
  for (let file = 0; file < size; file += 1) {
    const folder = join(top, `src/${file % 20}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${file}.txt`), `${file}\n${line.repeat(50)}`);
  }
  git(top, "init", "-q");
  git(top, "add", "-A");
  git(top, "commit", "-qm", "start");
  const opened = await engine.openStore(top, { XDG_DATA_HOME: root });
  if (typeof opened === "string") throw new Error(opened);
  const samples = { committed: [] as number[], whole: [] as number[], ours: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    let worked = 0;
    const edit = async (folder: string, what: string): Promise<void> => {
      const start = performance.now();
      await writeFile(join(folder, "src/1/1.txt"), `${what} ${round}\n`);
      await setTimeout(WORK_MS);
      worked = performance.now() - start;
    };
    const timed = async (work: () => Promise<void>): Promise<number> => {
      const start = performance.now();
      await work();
      return performance.now() - start - worked;
    };
    const ways = [
      async () => samples.committed.push(await timed(async () => withGit(top, round, edit))),
      async () => samples.whole.push(await timed(async () => withWholeGit(top, round, edit))),
      async () => samples.ours.push(await timed(async () => withEngine(opened, round, edit))),
    ];
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      await way();
      // What landed is the user's to commit, which none has to pay for.
      git(top, "commit", "-qam", `round ${round}`, "--allow-empty");
    }
    // The first makes caches warm.
    if (round === 0) Object.values(samples).forEach((each) => each.pop());
  }
  const [committed, whole, ours] = [samples.committed, samples.whole, samples.ours].map(
    (each) => median(each) ?? Number.NaN,
  );
  return { committed: committed ?? Number.NaN, whole: whole ?? Number.NaN, ours: ours ?? Number.NaN };
}

type Edit = (folder: string, what: string) => Promise<void>;

async function withGit(top: string, round: number, edit: Edit): Promise<void> {
  const folder = join(root, `bare ${round}`);
  git(top, "worktree", "add", "-q", "-b", `bare-${round}`, folder);
  await edit(folder, "bare");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "work");
  git(top, "merge", "-q", "--no-ff", "-m", "land", `bare-${round}`);
  git(top, "worktree", "remove", folder);
  git(top, "branch", "-q", "-D", `bare-${round}`);
}

/** The least by which a worktree begins with what is not committed, and lands beside it; nothing is looked at. */
async function withWholeGit(top: string, round: number, edit: Edit): Promise<void> {
  const [folder, branch] = [join(root, `whole ${round}`), `whole-${round}`];
  const index = { GIT_INDEX_FILE: join(root, "whole-index") };
  const takeDown = (): string => {
    gitIn(top, index, "add", "-A");
    return gitIn(top, index, "commit-tree", "-p", "HEAD", "-m", "now", gitIn(top, index, "write-tree"));
  };
  git(top, "worktree", "add", "-q", "-b", branch, folder, takeDown());
  await edit(folder, "whole");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "work");
  const before = takeDown();
  const merged = gitIn(top, {}, "merge-tree", "--write-tree", before, branch);
  gitIn(top, index, "read-tree", "-m", "-u", before, merged);
  git(top, "worktree", "remove", folder);
  git(top, "branch", "-q", "-D", branch);
}

async function withEngine(store: engine.LaneStore, round: number, edit: Edit): Promise<void> {
  const lane = await engine.makeLane(store, `unit/${round}`, await engine.takeSnapshot(store));
  await edit(lane.folder, "ours");
  const [commit, ours] = await Promise.all([engine.recordLane(store, lane), engine.takeTree(store)]);
  const merged = await engine.mergeLanes(store, ours, [{ lane, commit }]);
  const inTheWay = await engine.land(store, ours, merged.tree);
  if (merged.kind !== "merged" || inTheWay !== null) throw new Error(`It did not land: ${inTheWay}`);
  await engine.removeLane(store, lane, "landed");
}

function git(folder: string, ...args: string[]): void {
  gitIn(folder, {}, ...args);
}

function gitIn(folder: string, more: NodeJS.ProcessEnv, ...args: string[]): string {
  const as = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  const env = { ...process.env, ...more };
  const stdio = ["ignore", "pipe", "inherit"] as const;
  return execFileSync("git", [...as, ...args], { cwd: folder, env, stdio: [...stdio] })
    .toString()
    .trim();
}
