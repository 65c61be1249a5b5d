import type { PluginModule } from "@opencode-ai/plugin";
import { setup } from "./host/opencode-2.ts";
import { createPlugin } from "./plugin.ts";

/** The server entry that OpenCode loads (`exports["./server"]`). The terminal panel is a module of its own. */
const plugin: PluginModule & { readonly setup: (context: unknown) => Promise<void> } = {
  id: "opencode-gaia",
  server: createPlugin,
  setup,
};
export default plugin;
