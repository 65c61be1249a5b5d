import type { ResolvedConfig } from "../../config/schema.ts";
import { systemClock } from "../../lib/clock.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import type { Occasion } from "./waiting.ts";

/** How long either way may take, in milliseconds. */
const LIMIT_MS = 5_000;

/** What a webhook is sent, as JSON. */
export interface Notification {
  readonly event: Occasion;
  /** The name of the project's folder. */
  readonly project: string;
  readonly unit: string | null;
  /** OpenCode's session. */
  readonly session: string;
  readonly text: string;
  /** ISO time in UTC. */
  readonly at: string;
}

/** Sends a notification by the ways that are configured. @returns what went wrong, for a person; never rejects */
export async function deliver(
  { desktop, webhook }: ResolvedConfig["notify"],
  notification: Notification,
): Promise<string[]> {
  const ways = [
    ...(desktop ? [onDesktop(notification)] : []),
    ...(webhook === undefined ? [] : [toWebhook(webhook, notification)]),
  ];
  return (await Promise.all(ways)).filter((problem) => problem !== "");
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
  const ending = await runBoundedProcess({
    command,
    cwd: process.cwd(),
    env: process.env,
    timeoutMs: LIMIT_MS,
    graceMs: 500,
    clock: systemClock,
    output: { maxBytes: 0, write: () => undefined },
  });
  if (ending.kind === "unstartable")
    return ending.missing ? `notify.desktop needs ${command[0]}, which is not installed.` : ending.problem;
  if (ending.kind === "exited" && ending.code === 0) return "";
  return `${command[0]} ${ending.kind === "exited" ? `ended with ${ending.code}` : `was ended (${ending.kind})`}.`;
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
