import { NOTE_TITLES, renderNote } from "../../briefing/noted.ts";
import { givesVerdict } from "../../config/roles.ts";
import type { Task } from "../../delegation/task.ts";
import { excerpt } from "../../lib/text.ts";
import { recordOf } from "../../lib/json.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { findingsIn, isGrave } from "../../plan/review/findings.ts";
import { rowOf } from "../../record/documents.ts";
import type { ConversationServices } from "../services.ts";

/** Findings of one answer. */
const MAX_FOUND = 20;
const MAX_TITLE = 240;

/** What waits to be written into the record; plain JSON, for it survives a restart. */
export type Waiting =
  /** What a delegation did, in a line. */
  | { readonly kind: "work"; readonly id: string; readonly unit: string | null; readonly line: string }
  /** What was found out belongs to the unit that is made for it; what a maker says, to no other work. */
  | {
      readonly kind: "recon" | "maker";
      readonly title: string;
      readonly markdown: string;
      readonly unit: string | null;
    }
  /** What a reviewer noted without a rejection. */
  | Readonly<Record<"unit" | "by" | "place" | "text", string> & { kind: "debt" }>
  /** What is wrong beside the work. */
  | Readonly<Record<"id" | "type" | "scope" | "where" | "what" | "by", string> & { kind: "finding" }>;

type Said = Pick<Task, "agent" | "title" | "outcome" | "workUnit">;

/** What a maker, or who looked around, says for those who come after. */
export function notesOf(
  { agent, title = "", outcome, workUnit }: Said,
  { roleOf, specialistOf, redact }: Pick<ConversationServices, "roleOf" | "specialistOf" | "redact">,
): Waiting[] {
  const kind = roleOf(agent) === "recon" ? "recon" : "maker";
  const envelope = outcome?.envelope;
  const speaks = kind === "recon" ? envelope?.ok === true : specialistOf(agent)?.mutates === true;
  if (!speaks || envelope == null) return [];
  const markdown = redact(renderNote({ ...recordOf(envelope.data), assumptions: envelope.assumptions }));
  const named = excerpt(`${NOTE_TITLES[kind]}${agent}: ${title}`, MAX_TITLE);
  return markdown === "" ? [] : [{ kind, title: named, markdown, unit: workUnit ?? null }];
}

/** What a reviewer of a unit's work noted without rejecting it. */
export function debtIn(
  { agent, outcome }: Said,
  unit: string | null,
  { roleOf, redact }: Pick<ConversationServices, "roleOf" | "redact">,
): Waiting[] {
  if (unit === null || !givesVerdict(roleOf(agent))) return [];
  const isApproval = outcome?.envelope?.outcome?.verdict === "APPROVE";
  // What is listed without a severity is what a rejection is about.
  return findingsIn(outcome?.envelope?.data)
    .filter((each) => (each.severity === "" ? isApproval : !isGrave(each)))
    .map(({ where, issue }) => ({
      kind: "debt",
      unit,
      by: agent,
      place: redact(where),
      text: redact(issue),
    }));
}

/** What anyone found that is wrong beside the work. */
export function foundBy(
  { agent: by, outcome }: Said,
  { findings, capture, redact }: Pick<ConversationServices, "findings" | "capture" | "redact">,
): Waiting[] {
  if (!findings.enabled || !capture.enabled) return [];
  const { outside = [] } = outcome?.envelope ?? {};
  return (
    outside
      .filter(({ what }) => what.trim() !== "")
      .slice(0, MAX_FOUND)
      // Cut only after it is redacted: half a secret is not known as one.
      .map(({ id = "", type, scope = "", where = "", what }) => ({
        kind: "finding",
        ...rowOf(redactDeep({ id, type, scope, where, what, by }, redact)),
      }))
  );
}
