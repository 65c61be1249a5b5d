import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import * as keys from "../conversation/display/metadata-keys.ts";
import { loadPanelKey, panelKeyPath, sealed } from "../conversation/display/panel-key.ts";
import type { PanelRequest } from "../conversation/display/panel-requests.ts";
import { describeError } from "../lib/error.ts";
import { recordOf } from "../lib/json.ts";
import { createSeal } from "../lib/seal.ts";
import { showSettings, showStatus } from "./dialogs.ts";
import { attempt, type PanelConversation, currentConversation } from "./panel-model.ts";
import { SETTINGS } from "./settings.ts";
import { registerTyped } from "./typed-command.ts";

/** Asks the server plugin to carry out a command; no model hears of it. */
export async function sendCommand(
  api: TuiPluginApi,
  { rootId: sessionID, sessionId: from }: PanelConversation,
  command: string,
  id: string = crypto.randomUUID(),
): Promise<void> {
  const request: PanelRequest = { id, session: sessionID, from, at: Date.now(), command };
  const seal = createSeal(() => loadPanelKey(panelKeyPath(process.env)));
  const { data } = await api.client.session.get({ sessionID }, { throwOnError: true });
  const metadata = { ...recordOf(recordOf(data)["metadata"]), [keys.REQUEST_KEY]: sealed(request, seal) };
  await api.client.session.update({ sessionID, metadata }, { throwOnError: true });
}

/** What stands in OpenCode's palette, and in its slash menu where it has a name for that; commands as they would be typed. */
const ENTRIES = [
  {
    name: "settings",
    desc: "mode, profile, visibility, pairing, cadence, review",
    slashName: keys.SETTINGS_COMMAND,
    command: keys.SETTINGS_COMMAND,
  },
  { name: "status", desc: "where this conversation stands", command: keys.STATUS_COMMAND },
  { name: "keep", desc: "learnings", command: keys.KEEP_COMMAND },
  { name: "stop", desc: "what is at work, in the background too", command: keys.STOP_COMMAND },
  ...SETTINGS.filter(({ inPalette }) => inPalette).map(({ value, meaning, command }) => {
    return { name: value, desc: meaning, command };
  }),
];

/** The palette's entries, in GAIA's sessions only. Slash names differ from the server plugin's, which OpenCode lists beside them. */
export function registerCommands(api: TuiPluginApi, report: (error: unknown) => void): void {
  /** A failure is told where the user looks, and logged. */
  const tell = (error: unknown, message = describeError(error)): void => {
    report(error);
    api.ui.toast({ variant: "error", title: "GAIA", message });
  };
  /** All but the list of settings is asked of the server plugin. */
  const carryOut = (command: string, conversation: PanelConversation): void => {
    attempt(() => {
      const [name = ""] = command.split(" ");
      if (name === keys.SETTINGS_COMMAND) {
        showSettings(api, conversation, (chosen) => {
          carryOut(chosen, conversation);
        });
        return;
      }
      const id = crypto.randomUUID();
      sendCommand(api, conversation, command, id).catch((error: unknown) => {
        tell(error, `OpenCode did not take /${command}.`);
      });
      if (name === keys.STATUS_COMMAND) showStatus(api, conversation, id);
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
