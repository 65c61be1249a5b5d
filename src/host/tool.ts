import type * as z from "zod/mini";
import type { JsonRecord } from "../lib/json.ts";
import type { Refusal } from "../lib/refusal.ts";
import type { ToolCall } from "./port.ts";

/** A tool of this plugin. The shape is what the model is shown; arguments are checked against it before `execute`. */
export interface ToolDefinition<Shape extends z.core.$ZodShape = z.core.$ZodShape> {
  readonly name: string;
  readonly description: string;
  readonly args: Shape;
  /** Puts right what is meant beyond doubt in arguments, before they are checked. */
  readonly tidy?: (args: JsonRecord) => JsonRecord;
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
  /** For whoever looks at the row; no model reads it. */
  readonly metadata?: object;
}

/**
 * Called with each call of one of these tools that has ended, before its result is given back.
 * @returns what the model has to be told with the result
 */
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
