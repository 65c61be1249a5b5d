import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { decideScopeAdvisory, NOTHING_TOLD } from "./scope-guard.ts";

/**
 * What the author of an edit should look at again (SPEC 12): a file that the active plan does not name, once per file.
 */
export interface Advice extends Part {
  /** One line or more for each edit that deserves it. */
  adviseEdits(files: readonly string[]): Promise<string[]>;
}

export function createAdvice(
  conversation: Pick<ConversationCore, "state">,
  { guards, workspace }: Pick<ConversationServices, "guards" | "workspace">,
): Advice {
  let told = NOTHING_TOLD;

  const adviseScope = async (files: readonly string[]): Promise<string[]> => {
    const unit = conversation.state.workUnit;
    const read = unit === null ? null : await workspace.readWorkUnit({ slug: unit });
    if (read?.ok !== true || read.status === "complete") return [];
    const scope = {
      files: read.tasks.flatMap((task) => task.files ?? []),
      text: read.content.plan_md,
    };
    return files.flatMap((file) => {
      const { state, advisory } = decideScopeAdvisory(scope, file, told);
      told = state;
      return advisory ?? [];
    });
  };

  return {
    adviseEdits: async (files) => (guards.scope ? adviseScope(files) : []),
  };
}
