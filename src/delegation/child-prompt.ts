import type { VcsType } from "../contracts/contract.ts";
import type { Specialist } from "./specialist.ts";

/** Suggestions of the orchestrator; a specialist that lacks them goes on without. */
export interface ContextAids {
  readonly skills?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly files?: readonly string[] | undefined;
}

export interface PromptContext {
  readonly vcs: VcsType;
  readonly workUnit: string | null;
  readonly waveId: string | null;
  /** The collaboration line of SPEC 8; empty when nothing is known. */
  readonly collaboration: string;
  readonly aids: ContextAids | undefined;
  /** What several tasks share, so that what a provider keeps of it serves each of them. */
  readonly before: readonly string[];
  /** What follows the task: what fits it alone, and what a reviewer looks at last. */
  readonly after: readonly string[];
}

/** The first message of a child: only what the specialist needs, the orchestrator's own words among it (SPEC 5). */
export function renderChildPrompt(prompt: string, context: PromptContext): string {
  const facts = [
    `vcs_type: ${context.vcs}`,
    context.workUnit === null ? "" : `work_unit: ${context.workUnit}`,
    context.waveId === null ? "" : `wave_id: ${context.waveId}`,
  ];
  const now = [facts.filter(Boolean).join(" · "), context.collaboration].filter(Boolean).join("\n");
  const { before, after, aids } = context;
  return [...before, now, prompt, renderAids(aids), ...after].filter(Boolean).join("\n\n");
}

export function renderContractRequest(specialist: Specialist): string {
  if (specialist.contract === null) return "";
  return `\n\nEnd with your result as one \`\`\`json block, and nothing after it:\n${specialist.contract.shape}`;
}

/** Sent after a fallback: the new model finds the task and all work so far in the same session. */
export const CONTINUE_PROMPT =
  "The model that worked on this was interrupted. Continue the task above from where it stands.";

function renderAids(aids: ContextAids | undefined): string {
  const kinds = Object.entries(aids ?? {}).filter(([, names]) => Array.isArray(names) && names.length > 0);
  if (kinds.length === 0) return "";
  const list = kinds
    .map(([kind, names]) => `${kind}: ${(names as readonly string[]).join(", ")}`)
    .join(" · ");
  return `Aids, where they exist and help: ${list}`;
}
