import { listOf, recordOf, textOf, type JsonRecord } from "../../../src/lib/json.ts";
import type { SeenCall } from "./oracle.ts";

/**
 * Holds waves and proofs against what was opened and what is there.
 * @param isMade whether the file is there that the plans of all schedules ask for
 */
export function createClaims(isMade: () => boolean, report: (what: string) => void) {
  /** Waves of the units that are there; what an abort has swallowed may have opened one. */
  const roots = new Map<string, { asked: Set<string>; complete: Set<string> }>();
  const wavesOf = ({ session }: SeenCall) => {
    const id = session.parentId ?? session.id;
    const known = roots.get(id) ?? { asked: new Set<string>(), complete: new Set<string>() };
    roots.set(id, known);
    return known;
  };
  /** Whether a person has said that the plan is complete as it is. */
  let isAccepted = false;

  const followWaves = (call: SeenCall, op: string, wave: string): void => {
    const { asked, complete } = wavesOf(call);
    if (op === "archive_work_unit") {
      asked.clear();
      complete.clear();
    }
    if (op === "open_wave" && complete.has(wave)) report(`wave ${wave} was opened a second time`);
    if (op !== "complete_wave") return;
    if (!asked.has(wave)) report(`wave ${wave} was completed, and nobody has opened it`);
    if (complete.has(wave)) report(`wave ${wave} was completed twice`);
    complete.add(wave);
  };

  return {
    called(call: SeenCall) {
      if (call.args["op"] === "open_wave") wavesOf(call).asked.add(textOf(call.args["wave_id"]) ?? "");
      // It may be gone although nobody hears of it.
      if (call.args["op"] === "archive_work_unit") wavesOf(call).complete.clear();
    },
    returned(call: SeenCall, result: JsonRecord) {
      const { tool, args } = call;
      if (tool !== "plan_gaia") return;
      if (!isMade() && provenIn(result).length > 0)
        report(`proven without being there: ${provenIn(result).join(", ")}`);
      if (result["ok"] !== true) return;
      followWaves(call, textOf(args["op"]) ?? "", textOf(args["wave_id"]) ?? "");
      const isComplete = args["op"] === "update_plan" && args["status"] === "complete";
      if (isComplete && !isMade() && !isAccepted)
        report("a plan is complete that is not proven, and nobody has said so");
    },
    /** A person has said yes to a dialog. */
    approved(call: SeenCall | undefined, isAlways: boolean) {
      const { op, status } = call?.args ?? {};
      if (isAlways || (op === "update_plan" && status === "complete")) isAccepted = true;
    },
  };
}

/** What a result calls proven, at any depth. */
function provenIn(result: JsonRecord): string[] {
  return Object.entries(result).flatMap(([key, value]) =>
    key === "proven" ? listOf(value).map(String) : provenIn(recordOf(value)),
  );
}
