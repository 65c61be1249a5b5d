import { givesVerdict } from "../../config/roles.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { findingsIn, isGrave } from "../../plan/review/findings.ts";
import { debtOf, type DebtNote } from "../../record/documents/log.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Planning } from "../planning/stage.ts";
import type { ConversationServices } from "../services.ts";

/** What reviewers of a unit noted without rejecting it, kept in its record until someone strikes it out (SPEC 12). */
export interface Debt extends Part {
  /** Of a unit, oldest first; empty for none, and where it cannot be read. */
  of(unit: string | null): Promise<readonly string[]>;
}

interface Waiting extends DebtNote {
  readonly unit: string;
}

const MAX_WAITING = 20;

export function createDebt(
  conversation: Pick<ConversationCore, "state" | "keep">,
  { roleOf, redact, workspace, host }: Pick<ConversationServices, "roleOf" | "redact" | "workspace" | "host">,
  planning: Pick<Planning, "stage">,
): Debt {
  let waiting: readonly Waiting[] = [];
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    // Locked, nothing is written; it waits like every other line of the record.
    if (conversation.state.knobs.mode === "locked") return;
    for (const slug of new Set(waiting.map(({ unit }) => unit))) {
      const notes = waiting.filter(({ unit }) => unit === slug);
      const written = await workspace.addDebt({ slug, notes });
      if (!written.ok) host.logger.log("warn", "debt", `${written.error} ${written.hint}`, { slug });
      waiting = waiting.filter((each) => !notes.includes(each));
    }
    conversation.keep();
  };
  const schedule = (): void => {
    if (waiting.length > 0) writing = writing.then(write);
  };

  return {
    async of(unit) {
      if (unit === null) return [];
      await writing;
      const read = await workspace.readWorkUnit({ slug: unit });
      return read.ok ? debtOf(read.content.log_md) : [];
    },
    delegationFinished({ agent, outcome, workUnit }) {
      const unit = workUnit ?? conversation.state.workUnit;
      // A review of a plan, or one for advice only, is about no work of the unit.
      if (!givesVerdict(roleOf(agent)) || outcome === null || unit === null || planning.stage() !== null)
        return;
      const isApproval = outcome.envelope?.outcome?.verdict === "APPROVE";
      // What is listed without a severity is what a rejection is about.
      const notes = findingsIn(outcome.envelope?.data).filter((each) =>
        each.severity === "" ? isApproval : !isGrave(each),
      );
      waiting = [
        ...waiting,
        ...notes.map(({ where, issue }) => ({ unit, by: agent, place: redact(where), text: redact(issue) })),
      ].slice(-MAX_WAITING);
      if (notes.length > 0) conversation.keep();
      schedule();
    },
    heard({ type }) {
      if (type === "command") schedule();
    },
    snapshot: () => (waiting.length === 0 ? undefined : waiting),
    restore(saved) {
      waiting = listOf(saved)
        .slice(-MAX_WAITING)
        .flatMap((value) => {
          const { unit, by, place, text } = recordOf(value);
          const [slug, words] = [textOf(unit), textOf(text)];
          return slug === undefined || words === undefined
            ? []
            : [{ unit: slug, by: textOf(by) ?? "", place: textOf(place) ?? "", text: words }];
        });
      schedule();
    },
  };
}
