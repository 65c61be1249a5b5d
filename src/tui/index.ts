import type { TuiPlugin, TuiPluginApi, TuiPluginModule } from "@opencode-ai/plugin/tui";
import { setup } from "../host/opencode-2.ts";
import { describeError } from "../lib/error.ts";
import { registerCommands } from "./commands.ts";
import { attempt } from "./panel-model.ts";
import { registerPanel, registerStatusLine } from "./panel.ts";
import { registerTyping } from "./typing.ts";

/** The terminal plugin (SPEC 13): only shows what the server plugin has written, and asks it for changes. */
const tui: TuiPlugin = async (api) => {
  const report = createReport(api);
  // Where one fails, the others are still of use.
  for (const register of [registerPanel, registerStatusLine, registerCommands, registerTyping])
    attempt(() => {
      register(api, report);
    }, report);
};

/** Each kind of failure goes to OpenCode's log once: a panel is drawn many times a second. */
function createReport(api: TuiPluginApi): (error: unknown) => void {
  const told = new Set<string>();
  return (error) => {
    const message = describeError(error);
    if (told.has(message)) return;
    told.add(message);
    // The log is the last resort: there is nowhere left to report that it failed.
    void api.client.app.log({ service: "gaia.tui", level: "error", message });
  };
}

/** The terminal entry that OpenCode loads (`exports["./tui"]`). */
const plugin: TuiPluginModule & { readonly setup: (context: unknown) => Promise<void> } = {
  id: "opencode-gaia",
  tui,
  setup,
};
export default plugin;
