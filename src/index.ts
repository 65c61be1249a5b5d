import type { PluginModule } from "@opencode-ai/plugin";
import { createPlugin } from "./plugin.ts";

/** The server entry that OpenCode loads (`exports["./server"]`). The terminal panel is a module of its own. */
const plugin: PluginModule = { id: "opencode-gaia", server: createPlugin };
export default plugin;
