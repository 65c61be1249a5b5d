/**
 * Shows the plugin in a real TUI: `npx tsx test/bench/see-tui.ts` (needs tmux and `npm run build`). Prints the screen
 * with GAIA chosen and after her first answer; the model is scripted.
 */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "../../src/scripted-model/server.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { createDirectory } from "../support/directory.ts";
import { homeOf } from "../support/opencode.ts";
import { openTui } from "../support/tui.ts";

const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-tui-")));
const model = await startScriptedModel();
model.script(
  "gaia",
  call("delegate_gaia", { agent: "minerva", prompt: "TASK: Map the repository" }),
  say("Mapped."),
);
model.script(
  "minerva",
  result({ repo_map: "", vcs_type: "git", plan: [], risk_list: [], suggested_agents: [] }),
);
const directory = await createDirectory(root, model.url, { config: { default_agent: "gaia" } });
const tui = await openTui(directory, homeOf(root));
try {
  console.log(await tui.shows(/gaia/i));
  await tui.type("Map this repository");
  await tui.press("Enter");
  console.log(await tui.shows("Mapped."));
} finally {
  await tui.close();
  await model.close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}
