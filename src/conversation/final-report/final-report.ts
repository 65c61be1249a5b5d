import { join } from "node:path";
import {
  isBareApproval,
  OVERTURNED,
  isSameSubject,
  settleDecisions,
} from "../../record/documents/decision.ts";
import { knownIssuesIn } from "../../briefing/noted.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import { textOf } from "../../lib/json.ts";
import { SCOPES } from "../../spending/totals.ts";
import type { ConversationCore } from "../core.ts";
import type { EvidencePart } from "../evidence/evidence.ts";
import type { LeftForUser } from "../left-for-user/left-for-user.ts";
import type { Notices } from "../notices/notices.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import { orSeen, sinceTree } from "../own-work/lines.ts";
import type { Part } from "../part.ts";
import type { Reviews } from "../reviews/reviews.ts";
import type { ConversationServices } from "../services.ts";
import { type EndReport, decideVerdict, renderEndVerdict } from "../turns/end-report.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import { renderFinalReport } from "./render-report.ts";

/** Work is not held up longer for its report, in milliseconds. */
const LIMIT_MS = 15_000;

/** Tells the user at the end of work what came of it, from what the host knows. */
export function createFinalReport(
  conversation: ConversationCore,
  { workspace, treeOf, workWatch, workStore, host, clock, redact, ledger }: ConversationServices,
  parts: {
    readonly evidence: Pick<EvidencePart, "standing" | "shown">;
    readonly reviews: Pick<Reviews, "debtOf">;
    readonly notices: Pick<Notices, "waiting">;
    readonly leftForUser: Pick<LeftForUser, "all">;
    readonly ownWork: Pick<OwnWork, "usersOwnAmong">;
    readonly endReport: Pick<EndReport, "judged">;
  },
) {
  const told = new Set<string>();
  const begun = new Set<string>();
  const beginOf = (unit: string): string => `unit-${unit}`;

  /** Remembers the files as they are when a unit is new: what was changed before is none of its work. */
  const begin = async (unit: string): Promise<void> => {
    const plan = await workspace.planStanding({ slug: unit });
    if (plan.ok && plan.by !== null) return;
    const tree = await treeOf(unit).workWatch.trees.take();
    workStore.save(beginOf(unit), () => ({ tree }));
  };

  const report = async (unit: string): Promise<string> => {
    const [plan, decided, claims, read, waits] = await Promise.all([
      workspace.planStanding({ slug: unit }),
      workspace.readDecisions({ slug: unit }),
      parts.evidence.standing(unit),
      workspace.readWorkUnit({ slug: unit }),
      parts.notices.waiting(),
    ]);
    parts.evidence.shown(unit, claims);
    parts.endReport.judged(claims);
    const verdicts = conversation.state.verdicts.filter(({ workUnit }) => workUnit === unit);
    const noted = await parts.reviews.debtOf(unit);
    const { vcs, verifier, place, workWatch: watch } = treeOf(unit);
    const sinceBase = await orSeen(await vcs.changesSince(plan.ok ? plan.base : null), workWatch);
    const from = textOf((await workStore.load(beginOf(unit)))["tree"]);
    const changes = from === undefined ? sinceBase : await sinceTree(sinceBase, from, watch.trees);
    const users = (await parts.ownWork.usersOwnAmong(changes.files.map(({ path }) => path))) ?? [];
    const open = new Set((await vcs.uncommitted()) ?? []);
    const theirs = new Set(users.filter(({ isMixed }) => !isMixed).map(({ path }) => path));
    const files = changes.files.filter(({ path }) => !theirs.has(path));
    const { pause } = conversation.state;
    const verdict = decideVerdict({
      claims,
      pause: pause?.reason === "blocked" ? pause : null,
      objections: openObjections(verdicts, unit),
      edits: files.length > 0 || !changes.known ? "changed" : "unchanged",
    });
    const rows = decided.ok ? settleDecisions(decided.decisions, decided.approvals) : [];
    const overturned = rows.filter(({ choice }) => choice === OVERTURNED);
    const nameApproved = ({ question }: { readonly question: string }): string => {
      const name = question.replace(/^Approve (?:the )?|\?$/gu, "").replace(/^Adopt as/u, "as");
      return overturned.some((no) => isSameSubject(no.question, question))
        ? `${name} (rejected first)`
        : name;
    };
    return renderFinalReport({
      unit,
      uncommitted: files.map(({ path }) => path).filter((path) => open.has(join(place.project, path))),
      hasChecks: ((await verifier.definition())?.checks.length ?? 0) > 0,
      title: plan.ok ? plan.title : "",
      changes: { ...changes, files },
      // `opencode run` ends with it.
      verdict: host.oneShot === null ? renderEndVerdict(verdict) : "",
      claims,
      checks: verifier.last()?.summary ?? "",
      verdicts,
      findings: [...verdicts.flatMap((each) => each.findings), ...noted],
      decisions: rows
        .filter((row) => !isBareApproval(row) && row.choice !== OVERTURNED)
        .map(({ question, choice }) => `${question} → ${choice}`),
      approvals: [
        // Of a record from before they had a place in the log.
        ...rows.filter((row) => isBareApproval(row) && row.choice === "approved"),
        ...(decided.ok ? decided.approvals : []),
      ].map(nameApproved),
      left: [...parts.leftForUser.all, ...(read.ok ? knownIssuesIn(read.content.log_md) : []), waits].filter(
        Boolean,
      ),
      tasks: conversation.tasks().filter(({ workUnit }) => workUnit === unit),
      spent: ledger.totals.of(SCOPES.unit({ unit, root: conversation.rootId })),
      now: clock.now(),
    });
  };

  return {
    /** The work on a unit has come to its end; told once, until more is done. Never rejects. */
    async tell(unit: string): Promise<void> {
      if (told.has(unit)) return;
      told.add(unit);
      try {
        conversation.outbox.note(redact(await bounded(report(unit), LIMIT_MS, clock, "the final report")));
      } catch (error) {
        host.logger.log("warn", "final-report", describeError(error), { unit });
      }
    },
    delegationFinished() {
      told.clear();
    },
    heard(event) {
      if (event.type !== "work-unit-changed") return;
      // A later unit may have the name of one that is closed.
      if (event.workUnit === null) begun.clear();
      if (event.workUnit === null || begun.has(event.workUnit)) return;
      begun.add(event.workUnit);
      begin(event.workUnit).catch((error: unknown) => {
        host.logger.log("debug", "final-report", describeError(error));
      });
    },
  } satisfies Part & Record<string, unknown>;
}
