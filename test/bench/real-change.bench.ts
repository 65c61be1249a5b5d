import { resolve } from "node:path";
import { writeBetween } from "../docs/markers.ts";
import { openProject, repairsIn } from "../support/project.ts";
import { measure, type Measured, TWO_SECONDS_A_TURN } from "../support/simulated-model/measure.ts";
import { createRecording } from "../support/simulated-model/recording.ts";
import { GAIA_SETTINGS } from "./compare/arena.ts";
import { renderTable } from "./figures.ts";
import { inFolder, inOpenCode } from "./opencode.ts";
import { type Change, findChanges } from "./real-change/history.ts";
import { messageOf, type Player, playBuild, playGaia } from "./real-change/players.ts";

/**
 * Real changes of a repository's history, made again by `build` and by GAIA in the real OpenCode, with a model that writes what the
 * commit holds: `npx tsx test/bench/real-change.bench.ts [repository] [--write]`, after `npm run build`. Takes the newest five commits that
 * change three files, a test among them; this repository's own by default, with --write into docs/measured.md. A table with
 * requests, bytes and times, which are computed.
 */
const CHANGES = 5;
const OUR_VOICES = ["gaia", "hephaestus", "hades", "demeter"];
const HEAD = [
  "change",
  "lines",
  "requests",
  "billed / `build`",
  "time / `build`",
  "… with 2 s for each turn",
];

interface Cost extends Measured {
  /** With a model that takes two seconds for each turn. */
  readonly evenly: number;
}

const given = process.argv.slice(2).find((word) => !word.startsWith("--")) ?? ".";
const changes = await findChanges(resolve(given), CHANGES);
if (changes.length === 0)
  throw new Error(`${given} has no history of commits that change three files, a test among them.`);

await inFolder(async (root) =>
  inOpenCode(root, async (server) => {
    const rows: string[][] = [];
    for (const change of changes) {
      console.error(change.subject);
      const [build, gaia] = [await work(server, change, "build"), await work(server, change, "gaia")];
      rows.push(rowOf(change, build, gaia));
    }
    const table = renderTable(1, [HEAD, ...rows]);
    console.log(table);
    if (process.argv.includes("--write")) await writeBetween("docs/measured.md", "changes", table);
  }),
);

async function work(server: { url: string; root: string }, change: Change, agent: "build" | "gaia") {
  const before = change.files.flatMap(({ path, before: text }) => (text === null ? [] : [[path, text]]));
  const manifest = { name: "change", private: true, type: "module", scripts: { test: "node check.js" } };
  const project = await openProject({
    server,
    plugin: agent === "gaia",
    files: {
      ...(Object.fromEntries(before) as Record<string, string>),
      "package.json": JSON.stringify(manifest),
      "check.js": 'console.log("all tests passed");\n',
    },
    config: { snapshot: false },
    gaia: GAIA_SETTINGS,
    said: change.subject,
    patienceMs: 120_000,
  });
  // Both commit as the user.
  await project.git("config", "user.name", "T");
  await project.git("config", "user.email", "t@example.com");
  const recording = createRecording();
  const player: Player = (agent === "gaia" ? playGaia : playBuild)(change, project.directory);
  for (const voice of agent === "gaia" ? OUR_VOICES : ["native"])
    project.model.always(voice, recording.watch(player));
  project.autoAnswer(() => "once");
  const session = await project.start(agent, `${change.subject}. Test and commit it.`, { model: "main" });
  await project.until("the commit", async () => {
    const subject = await project.git("log", "-1", "--format=%s");
    return subject.trim() === messageOf(change);
  });
  await project.idle(session);
  for (const { path, after } of change.files)
    if ((await project.read(path)) !== after)
      throw new Error(`${agent} left ${path} otherwise than the commit`);
  const repairs = repairsIn(project.model.requests);
  if (repairs.length > 0) throw new Error(`Contracts were repaired: ${repairs.join(", ")}`);
  const exchanges = recording.exchanges([...project.model.requests]);
  await project.close();
  return { ...measure(exchanges), evenly: measure(exchanges, TWO_SECONDS_A_TURN).seconds };
}

function rowOf({ commit, subject, files }: Change, build: Cost, gaia: Cost): string[] {
  const lines = files.reduce((sum, { edits, after }) => {
    const added = edits.length === 0 ? [after] : edits.map(({ newString }) => newString);
    return sum + added.join("\n").split("\n").length;
  }, 0);
  const of = (key: "billed" | "seconds" | "evenly"): string => (gaia[key] / build[key]).toFixed(2);
  const words = subject.length > 60 ? `${subject.slice(0, 60).replace(/\s\S*$/u, "")} …` : subject;
  return [
    `\`${commit.slice(0, 7)}\` ${words.replaceAll("|", "\\|")}`,
    String(lines),
    `${gaia.requests} / ${build.requests}`,
    of("billed"),
    of("seconds"),
    of("evenly"),
  ];
}
