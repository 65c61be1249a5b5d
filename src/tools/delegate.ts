import * as z from "zod";
import { renderChildPrompt } from "../delegation/child-prompt.ts";
import { renderCollaborationTag } from "../conversation/collaboration/collaboration-tag.ts";
import { surfaceAssumptions } from "../conversation/assumptions/assumptions-offer.ts";
import { demeter } from "../agents/demeter.ts";
import { refuse } from "../delegation/result.ts";
import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { excerpt } from "../lib/excerpt.ts";
import type { Runtime } from "../runtime.ts";
import { explainDisabled, refuseRoute } from "./route-delegation.ts";
import { reviewSection } from "./review-section.ts";

const names = z.array(z.string()).optional();

/** `delegate_gaia` (SPEC 5): gives one task to one specialist, in a child session of the caller. */
export function createDelegateTool(runtime: Runtime): ToolDefinition {
  const { agents, supervision, engine, memory, sessions, vcs } = runtime;
  return defineTool({
    name: "delegate_gaia",
    description:
      "Give a task to a specialist and get its contract back. Calls in one answer run in parallel. " +
      "background: returns at once with a task_id for collect_results.",
    args: {
      agent: z.enum([...agents.specialists.keys()] as [string, ...string[]], {
        error: ({ input }) => explainDisabled(runtime, input),
      }),
      prompt: z.string().min(1).describe("TASK, CONTEXT, MUST DO, MUST NOT, EXPECTED, AIDS"),
      background: z.boolean().optional(),
      session_id: z.string().optional().describe("resume this specialist session"),
      context_aids: z.object({ skills: names, tools: names, files: names }).optional(),
      work_unit: z.string().optional().describe("slug"),
      wave_id: z.string().optional(),
    },
    async execute(args, call) {
      const specialist = agents.specialists.get(args.agent);
      if (specialist === undefined) throw new Error(`${args.agent} passed the check of the arguments`);
      const conversation = (await supervision.conversations.of(call.sessionId))?.conversation ?? null;
      const workUnit = args.work_unit ?? conversation?.state.workUnit ?? null;
      const waveId = args.wave_id ?? null;
      const refusal = refuseRoute(runtime, conversation, specialist, waveId);
      if (refusal !== null) return { title: `${args.agent}: refused`, result: refuse(refusal) };
      // It goes to another model, and its beginning becomes a session's title, which OpenCode logs (SPEC 2.8).
      const prompt = memory.redact(args.prompt);
      const result = await engine.delegate({
        specialist,
        title: prompt.replace(/^\s*TASK:\s*/i, ""),
        prompt: renderChildPrompt(prompt, {
          vcs: vcs.kind,
          workUnit,
          waveId,
          collaboration: conversation === null ? "" : renderCollaborationTag(conversation.state),
          aids: args.context_aids,
          sections: [
            ...(args.agent === demeter.name && conversation !== null
              ? decisionSection(conversation.decisions.take())
              : []),
            ...(await reviewSection(runtime, specialist, conversation, call.abort)),
          ],
        }),
        parentId: call.sessionId,
        callId: call.callId,
        sessionModel: sessions.speaker(call.sessionId)?.model ?? null,
        background: args.background ?? false,
        resume: args.session_id ?? null,
        workUnit,
        waveId,
        vcs: vcs.kind,
        abort: call.abort,
      });
      return {
        title: `${args.agent} › ${excerpt(prompt, 60)}`,
        result: await surfaceAssumptions(runtime, conversation, result),
      };
    },
  });
}

function decisionSection(rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const head =
    "The user's decisions since the last harvest. Where they stand in decisions.md already, add nothing but reasons:";
  return [[head, ...rows].join("\n")];
}
