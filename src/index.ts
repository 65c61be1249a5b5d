import { createPlugin } from "./plugin.ts";

/** The server entry that OpenCode loads (`exports["./server"]`). The terminal panel is a module of its own. */
export default { id: "opencode-gaia", server: createPlugin };
