import type { SpecialistDefinition } from "../agents/define.ts";
import type { ResolvedConfig } from "../config/schema.ts";
import type { AnnouncedTool } from "../host/tool.ts";

/**
 * A tool that works on the project, or tells others something, for specialists: what a call does is known before it runs. Each
 * is off until the configuration says otherwise; then a start loads these words, and what it does with its first call.
 */
export interface Extra<Tool extends AnnouncedTool = AnnouncedTool> {
  readonly tool: Tool;
  isOn(config: ResolvedConfig): boolean;
  /** Whether a specialist gets it, where it is on. */
  isFor(definition: SpecialistDefinition, config: ResolvedConfig): boolean;
  /** Permissions that it raises a dialog for. */
  readonly asks?: readonly string[];
  /** It calls what others bring, so that nothing is known of it but what the call declares. */
  readonly callsOthers?: true;
}

/** Of the record, with which alone the historian works, these tools know nothing. */
export function worksOnFiles({ access }: SpecialistDefinition): boolean {
  return access.edit !== "record";
}
