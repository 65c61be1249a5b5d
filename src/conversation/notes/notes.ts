import * as z from "zod/mini";
import { NOTE_TITLES, renderNote } from "../../briefing/noted.ts";
import { givesVerdict } from "../../config/roles.ts";
import type { Task } from "../../delegation/task.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt, linesWithin } from "../../lib/excerpt.ts";
import { failureForPerson } from "../../lib/for-person.ts";
import { createLines } from "../../lib/in-line.ts";
import { recordOf } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import { redactDeep } from "../../lib/redact-deep.ts";
import { orElse, readSaved } from "../../lib/saved.ts";
import { findingsIn, isGrave } from "../../plan/review/findings.ts";
import { rowOf } from "../../record/documents/finding.ts";
import { debtOf } from "../../record/documents/log.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Planning } from "../planning/stage.ts";
import { triedIn } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

/** What waits to be written; the oldest go first. */
const MAX_WAITING = 40;
/** Of what makers said of work without a unit, others are told so many. */
const MAX_TOLD = 4;
/** Findings of one answer. */
const MAX_FOUND = 20;
/** Of all that waits over a restart, in characters of JSON; of one note, in bytes; of its title, in characters. */
const MAX_KEPT = 7_800;
const MAX_NOTE = 1_400;
const MAX_TITLE = 240;

const schema = lazy(() => {
  const any = orElse(z.string(), "");
  const text = z.string().check(z.minLength(1));
  const unit = orElse(z.nullable(text), null);
  return z.discriminatedUnion("kind", [
    /** What was found out belongs to the unit that is made for it; what a maker says, to no other work. */
    z.object({ kind: z.enum(["recon", "maker"]), title: text, markdown: text, unit }),
    /** What a reviewer noted without a rejection. */
    z.object({ kind: z.literal("debt"), unit: text, by: any, place: any, text }),
    /** What is wrong beside the work. */
    z.object({ kind: z.literal("finding"), id: any, type: any, scope: any, where: any, what: text, by: any }),
  ]);
});
type Noted = z.infer<ReturnType<typeof schema>>;

export type Notes = ReturnType<typeof createNotes>;

/** Keeps in the record what specialists say for those who come after: in their unit's log, and in `.gaia/findings.md`. */
export function createNotes(
  conversation: ConversationCore,
  services: ConversationServices,
  planning: Pick<Planning, "stage">,
) {
  const { roleOf, specialistOf, redact, workspace, host, capture, findings } = services;
  let waiting: readonly Noted[] = [];
  const inLine = createLines();

  const change = (next: readonly Noted[]): void => {
    waiting = next.slice(-MAX_WAITING);
    conversation.keep();
  };
  const drop = (written: readonly Noted[]): void => change(waiting.filter((each) => !written.includes(each)));
  const waitingOf = <K extends Noted["kind"]>(...kinds: K[]): Extract<Noted, { kind: K }>[] =>
    waiting.filter((each) => kinds.includes(each.kind as K)) as never;

  /** A unit is mostly made after someone has looked around for it. */
  const writeNotes = async (): Promise<void> => {
    const { workUnit } = conversation.state;
    const due = waitingOf("recon", "maker").flatMap((note) => {
      const unit = note.unit ?? (note.kind === "recon" ? workUnit : null);
      return unit === null ? [] : [{ note, unit }];
    });
    if (due.length === 0) return;
    drop(due.map(({ note }) => note));
    await Promise.all(due.map(async ({ note, unit }) => conversation.log(note.title, note.markdown, unit)));
  };
  const writeDebt = async (): Promise<void> => {
    const all = waitingOf("debt");
    for (const slug of new Set(all.map(({ unit }) => unit))) {
      const notes = all.filter(({ unit }) => unit === slug);
      const written = await workspace.addDebt({ slug, notes });
      if (!written.ok) host.logger.log("warn", "notes", `${written.error} ${written.hint}`, { slug });
      drop(notes);
    }
  };
  /** What cannot be written goes on waiting. */
  const writeFindings = async (): Promise<void> => {
    const given = waitingOf("finding");
    if (given.length === 0) return;
    const written = await workspace.addFindings(given);
    if (!written.ok) {
      void host.toast("warning", `Findings wait to be written: ${failureForPerson(written)}`);
      throw new Error(written.error);
    }
    const { added, taken } = written;
    drop(given);
    if (taken.length > 0)
      host.logger.log("warn", "notes", `Ids of other findings: ${taken.map(({ id }) => id).join(", ")}`);
    if (added.length === 0) return;
    const names = added.map(({ id, type }) => `${id} (${type})`).join(", ");
    conversation.outbox.note(`Found, and noted in .gaia/findings.md: ${names} · /gaia-findings`);
    await conversation.outbox.flush();
  };
  const schedule = (): void => {
    // Locked, nothing is written; it waits like every other line of the record.
    if (waiting.length === 0 || conversation.state.knobs.mode === "locked") return;
    for (const write of [writeNotes, writeDebt, writeFindings])
      inLine("", write).catch((error: unknown) => {
        host.logger.log("warn", "notes", describeError(error), { rootId: conversation.rootId });
      });
  };
  const settled = async (): Promise<void> => inLine("", async () => undefined);

  const notesOf = ({
    agent,
    title = "",
    outcome,
    workUnit,
  }: Pick<Task, "agent" | "title" | "outcome" | "workUnit">): Noted[] => {
    const kind = roleOf(agent) === "recon" ? "recon" : "maker";
    const envelope = outcome?.envelope;
    const speaks = kind === "recon" ? envelope?.ok === true : specialistOf(agent)?.mutates === true;
    if (!speaks || envelope == null) return [];
    const markdown = redact(renderNote({ ...recordOf(envelope.data), assumptions: envelope.assumptions }));
    const named = excerpt(`${NOTE_TITLES[kind]}${agent}: ${title}`, MAX_TITLE);
    return markdown === "" ? [] : [{ kind, title: named, markdown, unit: workUnit ?? null }];
  };
  const debtIn = ({ agent, outcome, workUnit }: Task): Noted[] => {
    const unit = workUnit ?? conversation.state.workUnit;
    // A review of a plan, or one for advice only, is about no work.
    if (unit === null || !givesVerdict(roleOf(agent)) || planning.stage() !== null) return [];
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
  };
  const foundBy = ({ outcome }: Task): Noted[] => {
    if (!findings.enabled || !capture.enabled) return [];
    const { agent: by = "", outside = [] } = outcome?.envelope ?? {};
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
  };
  const put = (noted: readonly Noted[]): void => {
    if (noted.length > 0) change([...waiting, ...noted]);
    schedule();
  };

  return {
    /** What makers noted of work without a unit, which has no log. */
    unlogged: (): readonly { readonly title: string; readonly markdown: string }[] =>
      waitingOf("maker")
        .filter(({ unit }) => unit === null)
        .slice(-MAX_TOLD),
    /** What reviewers of a unit noted without rejecting it, until someone strikes it out, oldest first; empty where it cannot be read. */
    async debtOf(slug: string | null): Promise<readonly string[]> {
      if (slug === null) return [];
      await settled();
      const read = await workspace.readWorkUnit({ slug });
      return read.ok ? debtOf(read.content.log_md) : [];
    },
    /** Takes in what a specialist says at its end, which a candidate's does once it is chosen. */
    add(task: Pick<Task, "agent" | "title" | "outcome" | "workUnit">): void {
      put(notesOf(task));
    },
    settled,
    flush: settled,
    delegationFinished(task) {
      // Most candidates go, and with them what they say.
      const notes = triedIn(task.callId) === null ? notesOf(task) : [];
      put([...notes, ...debtIn(task), ...foundBy(task)]);
    },
    heard({ type }) {
      if (type === "command" || type === "work-unit-changed") schedule();
    },
    snapshot() {
      let room = MAX_KEPT;
      const kept = waiting
        .map((each) =>
          "markdown" in each ? { ...each, markdown: linesWithin(each.markdown, MAX_NOTE) } : each,
        )
        .toReversed()
        .filter((each) => (room -= JSON.stringify(each).length + 1) > 0);
      return kept.length === 0 ? undefined : kept.toReversed();
    },
    restore(saved) {
      waiting = readSaved(schema(), saved, MAX_WAITING);
      schedule();
    },
  } satisfies Part & Record<string, unknown>;
}
