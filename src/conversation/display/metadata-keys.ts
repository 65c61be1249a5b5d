/** The key of a root session's metadata that holds the snapshot of its collaboration state. */
export const SNAPSHOT_KEY = "gaia_collaboration";

/** The key that names the conversation of a session in which the user speaks with a specialist; as in `child-session`. */
export const TALK_KEY = "gaia_child";

/** The key that holds what only the terminal panel needs: see `PanelSnapshot`. */
export const PANEL_KEY = "gaia_panel";
/** The shape of what is written there; to be raised with each change of it. */
export const PANEL_VERSION = 4;

/** The key that holds what the parts of a conversation keep over a restart: see `keepParts`. */
export const PARTS_KEY = "gaia_parts";

/** The key under which the terminal panel asks for a change: see `KnobRequest`. */
export const REQUEST_KEY = "gaia_request";

/** What the panel asks for instead of a knob: the text of `/gaia-status`. */
export const STATUS_COMMAND = "gaia-status";

/** By this the panel lists all settings; nobody is asked for it. */
export const SETTINGS_COMMAND = "gaia";

/** By this the user keeps the proposed learnings that they were shown. */
export const KEEP_COMMAND = "gaia-keep";
/** By this they end what is at work, in the background as well, where Esc does not reach. */
export const STOP_COMMAND = "gaia-stop";
/** The terminal shows a conversation again in which an OpenCode that was killed had specialists at work. */
export const LEFT_COMMAND = "gaia-left";
/** How the prompt begins that a rejection without a reason leaves, with what was asked for. */
export const REJECTED = /^Rejected (\S.{0,79}?) because:\s*/;
