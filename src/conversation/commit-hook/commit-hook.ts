import { takeLost } from "../../checks/commit-hook/lost.ts";
import { describeError } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** Looks with the first message whether git still runs the hook that was installed for people's commits, and tells its loss once. A locked session writes nothing, so it does not look. */
export function createCommitHookLoss(
  conversation: Pick<ConversationCore, "tell" | "state">,
  { host, vcs }: Pick<ConversationServices, "host" | "vcs">,
): Part {
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    if (vcs.kind === "none" || conversation.state.knobs.mode === "locked") return;
    const lost = await takeLost(host.project);
    if (lost === null) return;
    conversation.tell(`Tell the user: ${lost.what} ${lost.fix}`);
    await host.toast("warning", `${lost.what} ${lost.fix}`);
  };
  return {
    heard({ type }) {
      if (type !== "user-message" || looking !== null) return;
      looking = look().catch((error: unknown) => {
        host.logger.log("warn", "commit-hook", describeError(error));
      });
    },
    async flush() {
      await looking;
    },
  };
}
