import * as z from "zod/mini";
import { describe } from "../lib/schema.ts";
import { choice, count, flag, number, words } from "./values.ts";
import { INHERIT_MODEL } from "./inherit-model.ts";

/** `provider/model`, for example `openai/gpt-5.3-codex`; the model part may hold further slashes. */
const ModelIdSchema = z.templateLiteral(
  [z.string().check(z.regex(/[^\s/]+/)), "/", z.string().check(z.regex(/\S+/))],
  "expected a model as provider/model",
);

/** A model id, or {@link INHERIT_MODEL}. Compare with `=== INHERIT_MODEL` before splitting at the slash. */
export type ModelChoice = z.infer<typeof ModelChoiceSchema>;

const ModelChoiceSchema = z.union([z.literal(INHERIT_MODEL), ModelIdSchema]);

const PermissionActionSchema = z.enum(["allow", "ask", "deny"]);

const PermissionSchema = z.record(
  z.string(),
  z.union([PermissionActionSchema, z.record(z.string(), PermissionActionSchema)]),
);

export const EDITING = ["native", "anchored"] as const;

/** What a user may change about one agent; a key that is absent leaves the agent's own default (SPEC 7). */
export const AgentOverrideSchema = z.partial(
  z.strictObject({
    model: describe(ModelChoiceSchema, 'Model as provider/model, or "inherit" for the session\'s model.'),
    fallback: describe(
      z.array(ModelIdSchema),
      "Models to try in this order when the first is not available.",
    ),
    temperature: number(0, 2, "Sampling temperature, 0 to 2."),
    reasoningEffort: choice(["low", "medium", "high"], "Effort of OpenAI reasoning models."),
    thinking: describe(
      z.strictObject({
        type: describe(z.literal("enabled"), "Switches extended thinking on."),
        budgetTokens: count(1_000_000, "Tokens the model may spend on thinking."),
      }),
      "Extended thinking of Anthropic models.",
    ),
    maxTokens: count(10_000_000, "Most tokens of one answer."),
    steps: count(
      10_000,
      "Most model turns of one task, or of GAIA for one message of yours; past them it is stopped.",
    ),
    toolbox: describe(
      z.partial(
        z.strictObject({
          tools: describe(
            z.array(z.string()),
            "Tools of MCP servers and other plugins for this specialist, as globs.",
          ),
          skills: describe(
            z.array(z.string()),
            "The skills that it has, as globs; all but OpenCode's own `customize-opencode` by default, and no `skill` tool where there are no others.",
          ),
        }),
      ),
      "What a specialist has beside its own tools.",
    ),
    editing: choice(EDITING, "How it changes files, where that is not as for all."),
    disabled: flag("Removes the agent from GAIA's roster and from OpenCode."),
    prompt: words("Replaces the agent's whole prompt; the contract is still added."),
    prompt_append: describe(z.string(), "Text added to the end of the agent's prompt."),
    permission: describe(
      PermissionSchema,
      "OpenCode permissions by tool name: allow, ask, deny, or one of these per pattern, on top of the agent's own.",
    ),
  }),
);

export type AgentOverride = z.infer<typeof AgentOverrideSchema>;
