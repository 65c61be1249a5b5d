import type { TuiPluginModule } from "@opencode-ai/plugin/tui";
import { tui } from "./plugin.ts";

/** The terminal entry that OpenCode loads (`exports["./tui"]`). */
const plugin: TuiPluginModule = { id: "opencode-gaia", tui };
export default plugin;
