import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { checkinText } from "./checkin-text.ts";
import { conversationOf, type Conversation } from "./conversation.ts";
import { SETTINGS } from "./settings.ts";
import { showText } from "./text-dialog.ts";

/** All settings to choose from. @param choose is called with the command of the one that was chosen */
export function showSettings(
  api: TuiPluginApi,
  { model }: Conversation,
  choose: (command: string) => void,
): void {
  const options = SETTINGS.map((setting) => ({
    title: setting.value,
    value: setting.command,
    description: setting.meaning,
    category: setting.group,
    ...(model.knobs[setting.knob] === setting.value ? { footer: "now" } : {}),
  }));
  api.ui.dialog.replace(() =>
    api.ui.DialogSelect({
      title: "GAIA: how we work together",
      options,
      onSelect({ value }) {
        api.ui.dialog.clear();
        choose(value);
      },
    }),
  );
  api.ui.dialog.setSize("large");
}

/** The last check-in packet as it stands in the transcript, and below it what changed. @param request for the changes */
export function showCheckin(api: TuiPluginApi, { rootId, model }: Conversation, request: string): void {
  const changes = (): string | undefined => answerTo(api, rootId, request);
  const text = (): string => checkinText(model.checkin, changes());
  showText(api, "GAIA: last check-in", text, () => changes() ?? "");
}

/** What `/gaia-status` says, as soon as the server plugin has answered. @param request which it will answer */
export function showStatus(api: TuiPluginApi, { rootId }: Conversation, request: string): void {
  showText(api, "GAIA: status", () => {
    return answerTo(api, rootId, request)?.replace(/^GAIA\n/, "") ?? "One moment …";
  });
}

function answerTo(api: TuiPluginApi, rootId: string, request: string): string | undefined {
  const status = conversationOf(api, rootId)?.model.status;
  return status?.request === request ? status.text : undefined;
}
