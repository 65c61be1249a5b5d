import * as z from "zod";
import { INHERIT_MODEL } from "./inherit-model.ts";

/** `provider/model`, for example `openai/gpt-5.3-codex`; the model part may hold further slashes. */
const ModelIdSchema = z.templateLiteral([z.string().regex(/[^\s/]+/), "/", z.string().regex(/\S+/)]);

/** A model id, or {@link INHERIT_MODEL}. Compare with `=== INHERIT_MODEL` before splitting at the slash. */
export type ModelChoice = z.infer<typeof ModelChoiceSchema>;

const ModelChoiceSchema = z.union([z.literal(INHERIT_MODEL), ModelIdSchema]);

const PermissionActionSchema = z.enum(["allow", "ask", "deny"]);

const PermissionSchema = z.record(
  z.string(),
  z.union([PermissionActionSchema, z.record(z.string(), PermissionActionSchema)]),
);

const ThinkingSchema = z.strictObject({
  type: z.literal("enabled").describe("Switches extended thinking on."),
  budgetTokens: z.int().min(1).max(1_000_000).describe("Tokens the model may spend on thinking."),
});

/** What a user may change about one agent; a key that is absent leaves the agent's own default (SPEC 7). */
export const AgentOverrideSchema = z.strictObject({
  model: ModelChoiceSchema.optional().describe(
    'Model as provider/model, or "inherit" for the session\'s model.',
  ),
  fallback: z
    .array(ModelIdSchema)
    .optional()
    .describe("Models to try in this order when the first is not available."),
  temperature: z.number().min(0).max(2).optional().describe("Sampling temperature, 0 to 2."),
  reasoningEffort: z
    .enum(["low", "medium", "high"])
    .optional()
    .describe("Effort of OpenAI reasoning models."),
  thinking: ThinkingSchema.optional().describe("Extended thinking of Anthropic models."),
  maxTokens: z.int().min(1).max(10_000_000).optional().describe("Most tokens of one answer."),
  steps: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("Most model turns of one task, or of GAIA for one message of yours; past them it is stopped."),
  disabled: z.boolean().optional().describe("Removes the agent from GAIA's roster and from OpenCode."),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe("Replaces the agent's whole prompt; the contract is still added."),
  prompt_append: z.string().optional().describe("Text added to the end of the agent's prompt."),
  permission: PermissionSchema.optional().describe(
    "OpenCode permissions by tool name: allow, ask, deny, or one of these per pattern.",
  ),
});

/** One entry of `agents` in a configuration file. */
export type AgentOverride = z.infer<typeof AgentOverrideSchema>;
