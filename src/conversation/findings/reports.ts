import { failureForPerson } from "../../lib/for-person.ts";
import type { Envelope } from "../../contracts/contract.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { redactDeep } from "../../lib/redact-deep.ts";
import { rowOf, type NewFinding } from "../../record/documents/finding.ts";
import type { ConversationCore } from "../core.ts";
import type { ConversationServices } from "../services.ts";

/** What one answer may report; more is a model that loops. */
const MAX_REPORTED = 20;
const MAX_WAITING = 40;
/** So many outlive a restart: what a part keeps is bounded. */
const MAX_KEPT = 8;

/** Reports of specialists on their way into `.gaia/findings.md`. */
export interface Reports {
  /** Takes what a specialist found outside of its task. @returns whether there is any */
  take(envelope: Envelope): boolean;
  /** Writes what waits, each once; locked, it goes on waiting. @throws where the file cannot be written */
  write(): Promise<void>;
  kept(): readonly NewFinding[] | undefined;
  restore(saved: unknown): void;
}

export function createReports(
  conversation: Pick<ConversationCore, "state" | "keep" | "outbox" | "busy">,
  { workspace, host, redact }: Pick<ConversationServices, "workspace" | "host" | "redact">,
): Reports {
  let waiting: readonly NewFinding[] = [];
  return {
    take({ agent: by, outside = [] }) {
      // Cut only after it is redacted: half a secret is not known as one.
      const found = outside
        .filter(({ what }) => what.trim() !== "")
        .slice(0, MAX_REPORTED)
        .map(({ id = "", type, scope = "", where = "", what }) =>
          rowOf(redactDeep({ id, type, scope, where, what, by }, redact)),
        );
      if (found.length === 0) return false;
      waiting = [...waiting, ...found].slice(-MAX_WAITING);
      conversation.keep();
      return true;
    },
    async write() {
      if (waiting.length === 0 || conversation.state.knobs.mode === "locked") return;
      const given = waiting;
      const written = await workspace.addFindings(given);
      if (!written.ok) {
        void host.toast("warning", `Findings wait to be written: ${failureForPerson(written)}`);
        throw new Error(written.error);
      }
      const { added, taken } = written;
      waiting = waiting.filter((each) => !given.includes(each));
      conversation.keep();
      if (taken.length > 0)
        host.logger.log("warn", "findings", `Ids of other findings: ${taken.map(({ id }) => id).join(", ")}`);
      if (added.length === 0) return;
      const names = added.map(({ id, type }) => `${id} (${type})`).join(", ");
      conversation.outbox.note(`Found, and noted in .gaia/findings.md: ${names} · /gaia-findings`);
      await conversation.outbox.flush();
    },
    kept: () => (waiting.length === 0 ? undefined : waiting.slice(-MAX_KEPT)),
    restore(saved) {
      waiting = listOf(saved)
        .slice(-MAX_KEPT)
        .map((value) => {
          const text = (name: keyof NewFinding): string => textOf(recordOf(value)[name]) ?? "";
          const [id, type, scope, where] = [text("id"), text("type"), text("scope"), text("where")];
          return { id, type, scope, where, what: text("what"), by: text("by") };
        })
        .filter(({ what }) => what !== "");
    },
  };
}
