import type * as z from "zod/mini";
import type { Refusal } from "../lib/error.ts";
import type { FileToolCall, ToolCall } from "./port.ts";
import type { FileLines, ToolEffect } from "./tool-call.ts";

/** What a host is told of a tool of this plugin. The shape is what the model is shown. */
export interface AnnouncedTool<Shape extends z.core.$ZodShape = z.core.$ZodShape> {
  readonly name: string;
  readonly description: string;
  readonly args: Shape;
}

/** A tool of this plugin. Arguments are checked against its shape before `execute`. */
export interface ToolDefinition<
  Shape extends z.core.$ZodShape = z.core.$ZodShape,
> extends AnnouncedTool<Shape> {
  /** How a refusal reads among its results. */
  renderRefusal(refusal: Refusal): object;
  /** Never throws for what a model may have done wrong: that is a result which says how to do it right. */
  execute(args: z.infer<z.ZodMiniObject<Shape>>, call: ToolCall): Promise<ToolOutput>;
}

export interface ToolOutput {
  /** For the user's tool row. */
  readonly title: string;
  /** For the model; rendered as compact JSON. */
  readonly result: object | Refusal;
  /** For anyone who looks at the row; no model reads it. */
  readonly metadata?: object;
}

/** Called with each call of these tools that has ended, before its result is given. @returns what the model is told with it */
export type EndCall = (
  tool: string,
  args: unknown,
  call: ToolCall,
  result: object | Refusal,
) => Promise<readonly string[]>;

export function defineTool<Shape extends z.core.$ZodShape>(
  definition: ToolDefinition<Shape>,
): ToolDefinition {
  return definition;
}

/** Where a call of a tool for files is made: in the project, or in a worktree that stands for it. */
export interface FilePlace {
  /** To which its paths are relative, and the folder that changes stay in. */
  readonly directory: string;
  readonly project: string;
  /** What is named by its path in the user's tree is meant in the worktree; null where there is none. */
  readonly standsFor: { readonly from: string; readonly to: string } | null;
  /** Where the project lies below the top of its tree, from which the host's rules name files; empty at the top. */
  readonly below: string;
  readonly sessionId: string;
  /** Who calls. */
  readonly agent: string;
}

/** What became of a call of a tool for files, as text: the model reads it as it reads what the host's own tools say. */
export interface FileToolOutput {
  readonly title: string;
  readonly text: string;
  /** What was written. */
  readonly files: readonly FileLines[];
  /** For anyone who looks at the row; no model reads it. */
  readonly metadata?: object;
}

/** A call that is worked out as far as it can be without changing anything. */
export interface PreparedCall {
  /** All that it does: policy, modes, waves, check-ins and advice go by this, as they do with the host's own tools. */
  readonly effect: ToolEffect;
  /** Does it, once nothing has refused it. @throws Error for a call that changed nothing, with words for the model */
  run(call: FileToolCall): Promise<FileToolOutput>;
}

/** A tool of this plugin's that reads or changes files of the project: what a call does is known before it runs. */
export interface FileTool<Shape extends z.core.$ZodShape = z.core.$ZodShape> extends AnnouncedTool<Shape> {
  /** Never changes anything. */
  prepare(args: z.infer<z.ZodMiniObject<Shape>>, place: FilePlace): Promise<PreparedCall | Refusal>;
}

export function defineFileTool<Shape extends z.core.$ZodShape>(definition: FileTool<Shape>): FileTool {
  return definition;
}
