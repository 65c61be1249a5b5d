/**
 * Shows the panel in a real TUI: `npx tsx test/bench/see-tui.ts` (needs `npm run build`). Prints the sidebar while three
 * specialists are at work and a fourth waits; the model is scripted. With `--svg` it writes the README's picture.
 */
import { writeFile } from "node:fs/promises";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openTuiProject } from "../support/tui.ts";
import { callAll } from "../support/project.ts";
import { renderSvg } from "./terminal-svg.ts";

const plan = (op: string, args: object) => call("plan_gaia", { op, ...args });
const tasks = ["Map the form", "Validate the fields", "Show the errors", "Test it", "Document it"];
const agents = ["minerva", "apollo", "hades", "artemis"];
const TASKS: Readonly<Record<string, string>> = {
  minerva: "Map the form's fields",
  apollo: "Find how messages are written",
  hades: "Break the validation",
  artemis: "Cover odd addresses",
};
const models = ["glm-4.7", "k2p5", "gpt-5.2"];

const tui = await openTuiProject(
  {
    config: { default_agent: "gaia" },
    models,
    gaia: {
      mode: "autopilot",
      agents: Object.fromEntries(
        agents.map((agent, index) => [agent, { model: `scripted/${models[index] ?? models[0]}` }]),
      ),
      delegation: { maxConcurrent: { perProvider: { scripted: 3 } } },
      definitionOfDone: { checks: [{ id: "tests", command: "false" }] },
    },
  },
  { rows: 36 },
);
try {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const agent of agents) {
    const read = call("read", { filePath: `${tui.directory}/opencode.json` });
    const usage = { input: 4_000 + 2_345 * agents.indexOf(agent), output: 310 };
    tui.model.script(agent, { ...read, usage }, async () => {
      await released;
      return result({});
    });
    tui.model.always(agent, say("Nothing more."));
  }
  tui.model.script(
    "gaia",
    plan("create_work_unit", { slug: "signup-validation", title: "Validate the signup form" }),
    plan("update_plan", {
      content: {
        markdown: [
          "## Goal",
          "The form says what is wrong.",
          "## Tasks",
          ...tasks.map((task, index) => `- [ ] ${index + 1}. ${task}`),
        ].join("\n"),
      },
    }),
    plan("update_plan", { tick: ["1", "2"] }),
    plan("open_wave", { wave_id: "w2" }),
    plan("verify", {}),
    callAll(...agents.map((agent) => call("delegate_gaia", { agent, goal: TASKS[agent], wave_id: "w2" }))),
    say("Done."),
  );
  await tui.submit("Validate the signup form");
  await tui.shows("✗ tests");
  await tui.shows(/(?:● \w+ \d+s [\d.]+k[^●]*){3}○ \w+ queued/);
  if (process.argv.includes("--svg")) await writeFile("docs/terminal.svg", renderSvg(tui.cells()));
  else console.log(tui.screen());
  release();
  await tui.shows("Done.");
} finally {
  await tui.close();
}
