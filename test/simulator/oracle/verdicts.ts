import { listOf, parseJson, recordOf, textOf, type JsonRecord } from "../../../src/lib/json.ts";
import type { Session } from "../opencode/world.ts";
import { usesUnitCommand, type Schedule } from "../schedule.ts";
import type { SeenCall } from "./oracle.ts";

const REVIEWERS = new Set(["aether", "hades", "artemis"]);

interface Objection {
  readonly verdict: string;
  /** The unit for which the review was begun; null for none. */
  readonly unit: string | null;
  /** Whether something was changed since, so that an approval settles it. */
  isFixed: boolean;
}

interface Root {
  /** The unit that the conversation is about; undefined while nobody can tell. */
  unit: string | null | undefined;
  readonly objections: Map<string, Objection>;
}

/** Holds what is closed against what reviewers have said, as it was handed to GAIA. */
export function createVerdicts(schedule: Schedule, report: (what: string) => void) {
  const roots = new Map<string, Root>();
  const unitAtStart = new Map<string, string | null | undefined>();
  /** What stood against the work when a call began. */
  const stood = new Map<string, Objection>();
  // A review may then be one for advice only, or of a plan.
  const isBlind = usesUnitCommand(schedule);
  const of = (session: Session): Root => {
    const id = session.parentId ?? session.id;
    const known = roots.get(id) ?? { unit: null, objections: new Map<string, Objection>() };
    roots.set(id, known);
    return known;
  };
  const standing = (root: Root): Objection | undefined =>
    [...root.objections.values()].find(({ unit }) => unit !== undefined && unit === root.unit);

  const take = (root: Root, result: JsonRecord, unit: string | null | undefined): void => {
    const agent = textOf(result["agent"]) ?? "";
    const verdict = textOf(recordOf(recordOf(result["parsed_json"])["outcome"])["verdict"]);
    if (!REVIEWERS.has(agent) || verdict === undefined || unit === undefined) return;
    if (verdict !== "APPROVE") root.objections.set(agent, { verdict, unit, isFixed: false });
    else if (root.objections.get(agent)?.isFixed === true) root.objections.delete(agent);
  };
  const takeAll = (root: Root, result: JsonRecord): void => {
    for (const each of listOf(result["results"]).map(recordOf))
      take(root, each, unitAtStart.get(textOf(each["task_id"]) ?? ""));
  };
  /** Which unit the conversation is about from now on. */
  const follow = (root: Root, { args }: SeenCall, isOk: boolean): void => {
    const op = textOf(args["op"]);
    if (op === "create_work_unit" && isOk) root.unit = "unit";
    if (op === "archive_work_unit" && isOk) root.unit = null;
    if (op === "set_active" && isOk) root.unit = null;
    if (op === "read_work_unit" && isOk) root.unit ??= "unit";
  };

  return {
    called({ callId, session }: SeenCall) {
      const root = of(session);
      unitAtStart.set(callId, root.unit);
      const objection = standing(root);
      if (objection !== undefined) stood.set(callId, objection);
    },
    returned(call: SeenCall, result: JsonRecord) {
      const root = of(call.session);
      const unit = unitAtStart.get(call.callId);
      if (call.tool === "delegate_gaia") {
        unitAtStart.set(textOf(result["task_id"]) ?? "", unit);
        take(root, result, unit);
      }
      if (call.tool === "collect_results") takeAll(root, result);
      if (call.tool !== "plan_gaia") return;
      const isOk = result["ok"] === true;
      const objection = stood.get(call.callId);
      if (isOk && objection !== undefined && standing(root) === objection && closes(call) && !isBlind)
        report(`${String(call.args["op"])} in spite of a ${objection.verdict} that stands`);
      follow(root, call, isOk);
    },
    /** The plugin has given GAIA results in a message. */
    woken(session: Session, text: string) {
      takeAll(of(session), recordOf(parseJson(/^\{"results":.*$/m.exec(text)?.[0] ?? "")));
    },
    changed() {
      for (const { objections } of roots.values())
        for (const objection of objections.values()) objection.isFixed = true;
    },
    /** A person has said yes to a dialog. */
    approved(call: SeenCall | undefined) {
      if (call?.args["kind"] === "verification") of(call.session).objections.clear();
    },
    userSpoke() {
      for (const { objections } of roots.values())
        for (const objection of objections.values())
          if (objection.verdict === "BLOCKED") objection.isFixed = true;
    },
    restarted() {
      // What was on its way when OpenCode ended nobody knows, nor what it did not take.
      for (const root of roots.values()) {
        root.unit = undefined;
        if (schedule.calls.length > 0) root.objections.clear();
      }
    },
  };
}

function closes({ args }: SeenCall): boolean {
  const { op, status } = args;
  if (op === "complete_wave" || op === "archive_work_unit") return true;
  return op === "update_plan" && status === "complete";
}
