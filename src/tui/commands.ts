import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import {
  KEEP_COMMAND,
  REQUEST_KEY,
  SETTINGS_COMMAND,
  STATUS_COMMAND,
} from "../conversation/display/metadata-keys.ts";
import { loadPanelKey, markOf, panelKeyPath } from "../conversation/display/panel-key.ts";
import type { KnobRequest } from "../conversation/display/panel-requests.ts";
import { describeError } from "../lib/error.ts";
import { recordOf } from "../lib/json.ts";
import { showSettings, showStatus } from "./dialogs.ts";
import { type PanelConversation, currentConversation } from "./panel-model.ts";
import { SETTINGS } from "./settings.ts";
import { registerTyped } from "./typed-command.ts";

function createRequest(session: string, command: string): KnobRequest {
  const request = { id: crypto.randomUUID(), session, at: Date.now(), command };
  const key = loadPanelKey(panelKeyPath(process.env));
  return { ...request, mark: markOf(key, request) };
}

/** Asks the server plugin to carry out a request; no model hears of it. */
async function send(api: TuiPluginApi, request: KnobRequest): Promise<void> {
  const sessionID = request.session;
  const { data } = await api.client.session.get({ sessionID }, { throwOnError: true });
  const metadata = { ...recordOf(recordOf(data)["metadata"]), [REQUEST_KEY]: request };
  await api.client.session.update({ sessionID, metadata }, { throwOnError: true });
}

/** What stands in OpenCode's palette, and in its slash menu where it has a name for that; commands as they would be typed. */
const ENTRIES = [
  {
    name: "settings",
    desc: "mode, profile, visibility, pairing, cadence, review",
    slashName: SETTINGS_COMMAND,
    command: SETTINGS_COMMAND,
  },
  { name: "status", desc: "where this conversation stands", command: STATUS_COMMAND },
  { name: "keep", desc: "learnings", command: KEEP_COMMAND },
  ...SETTINGS.filter(({ inPalette }) => inPalette).map(({ value, meaning, command }) => {
    return { name: value, desc: meaning, command };
  }),
];

/**
 * The entries of the palette; they are there in GAIA's sessions only. The slash names differ from those of the server
 * plugin's commands, which OpenCode lists beside them.
 */
export function registerCommands(api: TuiPluginApi, report: (error: unknown) => void): void {
  /** A failure is told where the user looks, and logged. */
  const tell = (error: unknown, message = describeError(error)): void => {
    report(error);
    api.ui.toast({ variant: "error", title: "GAIA", message });
  };
  const ask = (command: string, { rootId }: PanelConversation): KnobRequest => {
    const request = createRequest(rootId, command);
    send(api, request).catch((error: unknown) => {
      tell(error, `OpenCode did not take /${command}.`);
    });
    return request;
  };
  /** What only shows something; all else is asked of the server plugin. */
  const shown: Readonly<Record<string, (conversation: PanelConversation) => void>> = {
    [STATUS_COMMAND](conversation) {
      showStatus(api, conversation, ask(STATUS_COMMAND, conversation).id);
    },
    [SETTINGS_COMMAND](conversation) {
      showSettings(api, conversation, (command) => {
        carryOut(command, conversation);
      });
    },
  };
  const carryOut = (command: string, conversation: PanelConversation): void => {
    attempt(() => {
      const show = shown[command];
      if (show === undefined) ask(command, conversation);
      else show(conversation);
    }, tell);
  };
  const commands = ENTRIES.map(({ name, command, ...rest }) => ({
    ...rest,
    namespace: "palette",
    name: `gaia.${name}`,
    title: `GAIA: ${name}`,
    category: "GAIA",
    // The palette is the user's way out of anything; it must always open.
    enabled: () => attempt(() => currentConversation(api) !== null) ?? false,
    run() {
      const conversation = attempt(() => currentConversation(api), tell);
      if (conversation) carryOut(command, conversation);
    },
  }));
  const bindings = [{ key: "<leader>k", cmd: "gaia.keep" }];
  api.lifecycle.onDispose(api.keymap.registerLayer({ commands, bindings }));
  registerTyped(api, carryOut, report);
}

function attempt<T>(act: () => T, report?: (error: unknown) => void): T | undefined {
  try {
    return act();
  } catch (error) {
    report?.(error);
    return undefined;
  }
}
