import { excerpt } from "../../lib/excerpt.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";

const MAX_WHY = 300;

/** Why a plan that is to be carried out stands still, until it is run again; over a restart as well. */
export interface Standstill extends Part {
  /** @param why null for a run that goes on, or came to its end */
  note(unit: string, why: string | null): void;
  /** null for no reason that is known. */
  of(unit: string): string | null;
}

export function createStandstill({ keep }: Pick<ConversationCore, "keep">): Standstill {
  let known: { readonly unit: string; readonly why: string } | null = null;
  return {
    note(unit, why) {
      if (why === null && known?.unit !== unit) return;
      known = why === null ? null : { unit, why: excerpt(why, MAX_WHY) };
      keep();
    },
    of: (unit) => (known?.unit === unit ? known.why : null),
    snapshot: () => known ?? undefined,
    restore(saved) {
      const { unit, why } = recordOf(saved);
      const [of, text] = [textOf(unit), textOf(why)];
      known = of === undefined || text === undefined ? null : { unit: of, why: excerpt(text, MAX_WHY) };
    },
  };
}
