import { excerpt, head } from "../../lib/excerpt.ts";
import { listOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { parseMarkdown, textIn } from "../../lib/markdown.ts";
import { isRecon, RECON_TITLE } from "../../workspace/documents/log.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** What was found out about the project for a work unit, so that nobody looks for it twice, in later sessions as little. */
export interface Recon extends Part {
  /** What is known for a unit, the newest last; empty for nothing, and where it cannot be read. */
  known(unit: string): Promise<string>;
}

/** One specialist's findings, as they go into the unit's log. */
interface Finding {
  readonly title: string;
  readonly markdown: string;
}

/** Findings that wait for a unit, and those that are told; older ones go first. */
const MAX_FINDINGS = 4;
const MAX_TEXT = 1_200;
const MAX_ITEMS = 12;
const MAX_LINE = 240;

export function createRecon(
  conversation: Pick<ConversationCore, "state" | "log" | "keep">,
  { roleOf, redact, workspace }: Pick<ConversationServices, "roleOf" | "redact" | "workspace">,
): Recon {
  let waiting: readonly Finding[] = [];

  const change = (next: readonly Finding[]): void => {
    waiting = next.slice(-MAX_FINDINGS);
    conversation.keep();
  };
  /** A unit is mostly made after someone has looked around for it. */
  const write = (): void => {
    const { workUnit: unit, knobs } = conversation.state;
    // Locked, nothing is written; it waits like every other line of the record.
    if (unit === null || waiting.length === 0 || knobs.mode === "locked") return;
    for (const { title, markdown } of waiting) void conversation.log(title, markdown, unit);
    change([]);
  };

  return {
    async known(unit) {
      const read = await workspace.readWorkUnit({ slug: unit });
      if (!read.ok) return "";
      const document = parseMarkdown(read.content.log_md);
      return document.sections
        .filter(isRecon)
        .slice(-MAX_FINDINGS)
        .flatMap((section) => textIn(document, section).split("\n"))
        .filter((line) => line.trim() !== "")
        .join("\n");
    },
    delegationFinished({ agent, title = "", outcome }) {
      if (roleOf(agent) !== "recon" || outcome === null || outcome.envelope?.ok !== true) return;
      const markdown = head(redact(renderFindings(recordOf(outcome.envelope.data))), MAX_TEXT);
      if (markdown === "") return;
      change([...waiting, { title: excerpt(`${RECON_TITLE}${agent}: ${title}`, MAX_LINE), markdown }]);
      write();
    },
    heard: write,
    snapshot: () => (waiting.length === 0 ? undefined : waiting),
    restore(saved) {
      waiting = listOf(saved).flatMap((value) => {
        const { title, markdown } = recordOf(value);
        const [named = "", text = ""] = [textOf(title), textOf(markdown)];
        return named === "" || text === "" ? [] : [{ title: named, markdown: head(text, MAX_TEXT) }];
      });
    },
  };
}

/** A contract's findings, a line each. */
function renderFindings(data: JsonRecord): string {
  const textsOf = (value: unknown): string[] => {
    if (typeof value === "string") return value.split("\n");
    if (Array.isArray(value)) return value.flatMap(textsOf);
    return Object.values(recordOf(value)).flatMap(textsOf);
  };
  return Object.entries(data)
    .flatMap(([key, value]) => {
      const texts = textsOf(value).filter((text) => text.trim() !== "");
      if (texts.length === 0) return [];
      return [
        `- ${key}: ${texts
          .slice(0, MAX_ITEMS)
          .map((text) => excerpt(text, MAX_LINE))
          .join("; ")}`,
      ];
    })
    .join("\n");
}
