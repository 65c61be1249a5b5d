import { tui } from "./plugin.ts";

/** The terminal entry that OpenCode loads (`exports["./tui"]`). */
export default { id: "opencode-gaia", tui };
