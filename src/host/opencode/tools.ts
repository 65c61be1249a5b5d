import * as z from "zod";
import { describeError } from "../../lib/error.ts";
import { isRecord, textOf } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import type { Logger } from "../../lib/logger.ts";

import type { ToolCall } from "../port.ts";
import type { ToolDefinition as OwnTool } from "../tool.ts";
import type { Hooks } from "@opencode-ai/plugin";

type OpenCodeTool = NonNullable<Hooks["tool"]>[string];
type OpenCodeContext = Parameters<OpenCodeTool["execute"]>[1];

/**
 * A tool in OpenCode's form. OpenCode does not check arguments (OPENCODE.md trap 3), so they are parsed here, and a
 * call that does not fit is answered with the fields to correct.
 */
export function toOpenCodeTool(tool: OwnTool, logger: Logger): OpenCodeTool {
  const schema = lazy(() => z.object(tool.args));
  return {
    description: tool.description,
    args: tool.args,
    async execute(raw, context) {
      const parsed = schema().safeParse(dropNulls(raw));
      if (!parsed.success)
        return json(`${tool.name}: wrong arguments`, refusal(describeIssues(parsed.error)));
      try {
        const { title, result } = await tool.execute(parsed.data, readCall(context));
        return json(title, result);
      } catch (error) {
        logger.log("error", tool.name, describeError(error));
        return json(
          `${tool.name}: failed`,
          refusal(`${tool.name} failed inside the plugin: ${describeError(error)}`),
        );
      }
    },
  };
}

function json(title: string, result: object): { title: string; output: string } {
  return { title, output: JSON.stringify(result) };
}

function refusal(message: string): object {
  return { status: "failed", ok: false, error: message, message };
}

/** Models write null for what they leave out. */
function dropNulls(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
}

function describeIssues(error: z.ZodError): string {
  const fields = error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  return `Wrong arguments. ${fields.join("; ")}. Call again with these corrected.`;
}

function readCall(context: OpenCodeContext): ToolCall {
  const callId = (context as { callID?: unknown }).callID;
  return {
    sessionId: context.sessionID,
    messageId: context.messageID,
    callId: textOf(callId) ?? "",
    agent: context.agent,
    abort: context.abort,
    async ask({ permission, pattern, metadata }) {
      try {
        await context.ask({ permission, patterns: [pattern], always: [], metadata: metadata ?? {} });
        return { approved: true };
      } catch (error) {
        // Rejected, corrected, denied by a rule, or broken: none of these is an approval (SPEC 2.4, 2.7).
        return { approved: false, feedback: isRecord(error) ? (textOf(error["feedback"]) ?? null) : null };
      }
    },
  };
}
