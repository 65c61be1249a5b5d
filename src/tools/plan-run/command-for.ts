import { Denial } from "../../host/hook.ts";
import { NO_OUTCOME } from "../../host/tool-call.ts";
import type { IncomingCall } from "../../host/hook-events.ts";
import type { HostEvent } from "../../host/port.ts";
import type { Effect } from "../../policy/examination.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { createOutputTail } from "../../process/output-tail.ts";
import type { Run } from "./run.ts";

/** A command that the plugin runs in the place of a specialist. */
export interface CommandFor {
  /** The specialist's session, by whose rules it is judged. */
  readonly session: string;
  /** See `partOfCall`. */
  readonly callId: string;
  readonly command: string;
  /** What it may do and no more, as the policy reads it. */
  readonly effect: Effect;
}

/** How it ended; `refused`: it did not run. */
export type CommandEnd =
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "ended"; readonly exitCode: number | null; readonly said: string };

/** Hooks of a repository may run all of its checks. */
const LIMIT_MS = 600_000;
const GRACE_MS = 2_000;
const BOUNDS = { maxLines: 40, maxCharacters: 4_000 };

/**
 * Runs a command as if the specialist had called the shell with it: by every gate that stands before one, contained like one, and
 * reported like one. What a dialog would be raised for does not run.
 */
export async function runCommandFor(run: Run, given: CommandFor): Promise<CommandEnd> {
  const { runtime, conversation, call } = run;
  const { calls, contained, confirmCommits } = runtime.supervision;
  const { session, callId, command } = given;
  const workplace = conversation.parts.worktrees.of(session);
  const folder = (workplace?.place ?? runtime.host).directory;
  const refusal = await calls.refuse(incoming(given));
  if (refusal !== null) return { kind: "refused", why: refusal };
  let text = "";
  let exitCode: number | null = null;
  let hasRun = false;
  try {
    const judged = calls.get(callId)?.examination.effect;
    if (judged !== given.effect) return { kind: "refused", why: `it is taken for more: ${judged ?? ""}` };
    const env: NodeJS.ProcessEnv = { ...process.env };
    const shell = {
      sessionId: session,
      callId,
      folder,
      set: (name: string, value: string) => void (env[name] = value),
    };
    await confirmCommits(shell);
    await calls.starts(callId);
    await contained.wrap(shell);
    const output = createOutputTail({});
    hasRun = true;
    const ending = await runBoundedProcess({
      command: [runtime.host.shell(), "-c", command],
      cwd: folder,
      env,
      timeoutMs: LIMIT_MS,
      graceMs: GRACE_MS,
      signal: call.abort,
      clock: runtime.clock,
      output,
      started: (group) => conversation.parts.commits.runs(callId, group),
    });
    exitCode = ending.kind === "exited" ? ending.code : null;
    text = output.text({ ...BOUNDS, redact: runtime.memory.redact });
    if (ending.kind !== "exited") text = [text, ending.kind].filter(Boolean).join("\n");
  } catch (error) {
    if (!(error instanceof Denial)) throw error;
    return { kind: "refused", why: error.message };
  } finally {
    const outcome = { ...NO_OUTCOME, text, exitCode };
    const lines = contained.finish(callId, outcome);
    if (lines.length > 0) text = [text, ...lines].join("\n");
    if (hasRun) await calls.finished(callId, outcome);
    // What began with the question whether it may is over as well.
    else calls.observe(dropped(given));
  }
  return { kind: "ended", exitCode, said: text };
}

const TOOL = "bash";

/** What OpenCode says of a call that was stopped before it did anything. */
function dropped({ session, callId }: CommandFor): Extract<HostEvent, { type: "tool.activity" }> {
  const call = { sessionId: session, messageId: "", partId: "", callId, tool: TOOL, title: "" };
  return { type: "tool.activity", ...call, kind: "command", status: "error", error: "aborted" };
}

function incoming({ session, callId, command }: CommandFor): IncomingCall {
  const nothing = (): void => undefined;
  return {
    callId,
    sessionId: session,
    tool: TOOL,
    args: { command },
    effect: { kind: "command", command, workdir: null },
    target: { text: command },
    moveInto: nothing,
    declare: nothing,
    setArgument: nothing,
    askInstead: nothing,
  };
}
