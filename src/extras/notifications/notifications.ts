import type { CollaborationState } from "../../conversation/collaboration/state.ts";
import { excerpt } from "../../lib/text.ts";
import type { ResolvedConfig } from "../../config/schema.ts";
import { createLines } from "../../lib/async.ts";
import { runProgram } from "../../process/bounded-process.ts";
import { basename } from "node:path";
import { isEnded } from "../../delegation/task.ts";
import { logFailure } from "../../lib/error.ts";
import type { ConversationCore } from "../../conversation/core.ts";
import type { Part } from "../../conversation/part.ts";
import type { ConversationServices } from "../../conversation/services.ts";

/** What is over sooner nobody has to come back for, in milliseconds. */
const LASTS_MS = 500;
/** How long either way may take, in milliseconds. */
const LIMIT_MS = 5_000;
const MAX_TEXT = 200;

/**
 * Tells the user away from the terminal, once, what the conversation waits for: by the desktop or a webhook, as configured. A
 * conversation of GAIA's speaks for its specialists, which never do by themselves. Without configuration nothing is looked at.
 */
export function createNotifications(
  conversation: Pick<ConversationCore, "rootId" | "state" | "tasks">,
  { host, clock, notify, redact }: Pick<ConversationServices, "host" | "clock" | "notify" | "redact">,
): Part {
  if (!notify.desktop && notify.webhook === undefined) return {};
  let worked = 0;
  let failure = "";
  /** What is waited for now, and by its key what was told last. */
  let waiting: Waiting | null = null;
  let told = "";
  let cancel = (): void => undefined;
  const inLine = createLines();

  const send = async ({ occasion, text }: Waiting): Promise<void> => {
    const problems = await deliver(notify, {
      event: occasion,
      project: basename(host.project),
      unit: conversation.state.workUnit,
      session: conversation.rootId,
      // Half a secret is not known as one, and no sign moves the cursor of who shows it.
      text: excerpt(redact(text).replaceAll(/\p{Cc}+/gu, " "), MAX_TEXT),
      at: new Date().toISOString(),
    });
    for (const problem of problems) host.logger.log("warn", "notifications", problem);
    if (problems.length > 0)
      void host.toast("warning", `A notification could not be sent: ${problems.join(" ")}`);
  };
  const tell = (): void => {
    const due = waiting;
    if (due === null || due.key === told) return;
    told = due.key;
    inLine("", async () => send(due)).catch(logFailure(host.logger, "warn", "notifications"));
  };
  const look = (): void => {
    const isBusy = conversation.tasks().some((task) => !isEnded(task));
    const found = waitingFor(conversation.state, worked, isBusy, failure);
    if (found?.key === waiting?.key) return;
    cancel();
    waiting = found;
    cancel = clock.after(LASTS_MS, tell);
  };

  return {
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "session.error") failure = event.failure.message || event.failure.reason;
      if (event.type === "message.finished" && event.isFailed !== true) failure = "";
    },
    heard(event) {
      if (event.type === "user-message") [worked, told] = [0, ""];
      look();
    },
    delegationFinished() {
      worked += 1;
      look();
    },
    dispose() {
      cancel();
      // `opencode run` ends with the turn: nobody can have come back meanwhile.
      if (host.oneShot !== null) tell();
    },
    flush: async () => inLine("", async () => undefined),
  };
}

/** What a webhook is sent, as JSON. */
interface Notification {
  readonly event: Waiting["occasion"];
  readonly project: string;
  readonly unit: string | null;
  readonly session: string;
  readonly text: string;
  /** ISO time in UTC. */
  readonly at: string;
}

/** Sends a notification by the ways that are configured. @returns what went wrong, for a person */
export async function deliver(
  { desktop, webhook }: ResolvedConfig["notify"],
  notification: Notification,
): Promise<string[]> {
  const problems = await Promise.all([
    desktop ? onDesktop(notification) : "",
    webhook === undefined ? "" : toWebhook(webhook, notification),
  ]);
  return problems.filter((problem) => problem !== "");
}

/** The program that shows a notification on this system; undefined where there is none that is the same everywhere. */
export function desktopCommand(
  { project, text }: Pick<Notification, "project" | "text">,
  platform: NodeJS.Platform,
): readonly [string, ...string[]] | undefined {
  const title = `GAIA · ${project}`;
  if (platform === "linux") return ["notify-send", "--app-name=opencode-gaia", "--", title, text];
  if (platform !== "darwin") return undefined;
  // As arguments: what stands in a script would be run.
  const script = [
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
  ];
  return ["osascript", ...script.flatMap((line) => ["-e", line]), title, text];
}

async function onDesktop(notification: Notification): Promise<string> {
  const command = desktopCommand(notification, process.platform);
  if (command === undefined)
    return `notify.desktop has no program on ${process.platform}; use notify.webhook.`;
  const { ok, code, words } = await runProgram({ command, env: process.env }, process.cwd(), {
    timeoutMs: LIMIT_MS,
  });
  return ok ? "" : `notify.desktop: ${command[0]}: ${words || `ended with ${code}`}`;
}

async function toWebhook(url: string, notification: Notification): Promise<string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(notification),
      // It goes where the user said, and nowhere else.
      redirect: "manual",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    await response.body?.cancel();
    return response.ok ? "" : `notify.webhook answered ${response.status}.`;
  } catch (error) {
    // No words of the error: they hold the address, spelled in some other way, and it may hold a token.
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return isLate
      ? `notify.webhook did not answer within ${LIMIT_MS / 1_000} seconds.`
      : "notify.webhook could not be reached.";
  }
}

interface Waiting {
  /** The same for as long as it is the same thing that waits. */
  readonly key: string;
  readonly occasion: "approval" | "question" | "check-in" | "blocked" | "budget" | "finished" | "failed";
  /** One sentence for a person, as long and as open as what it is made of. */
  readonly text: string;
}

/**
 * What a conversation waits for its user for now; null while it works, or when there is nothing to come back for. Pure.
 * @param worked how many delegations ended since the user spoke last
 * @param isBusy whether a specialist still works
 * @param failure by which its last request ended; empty for none
 */
export function waitingFor(
  { pending, pause, idle, workUnit }: Pick<CollaborationState, "pending" | "pause" | "idle" | "workUnit">,
  worked: number,
  isBusy: boolean,
  failure: string,
): Waiting | null {
  const [asked] = pending;
  const what = workUnit ?? "the work";
  if (asked?.kind === "question")
    return { key: asked.requestId, occasion: "question", text: asked.questions[0] ?? "" };
  if (asked !== undefined) {
    const { approval, tool, requestId } = asked;
    const text = approval === null ? `May ${tool} run?` : `Approve ${approval.kind} of ${approval.workUnit}?`;
    return { key: requestId, occasion: approval?.kind === "budget" ? "budget" : "approval", text };
  }
  if (!idle || isBusy || pause?.reason === "abort") return null;
  if (pause !== null) {
    const { reason, detail } = pause;
    const occasion = reason === "blocked" || reason === "budget" ? reason : "check-in";
    const text = detail || `A check-in of ${what} waits for you.`;
    return { key: `pause ${reason} ${detail} ${worked}`, occasion, text };
  }
  if (failure !== "")
    return { key: `failed ${worked} ${failure}`, occasion: "failed", text: `GAIA has stopped: ${failure}` };
  if (worked === 0) return null;
  const text = `GAIA has finished with ${excerpt(what, 80)}.`;
  return { key: `finished ${worked}`, occasion: "finished", text };
}
