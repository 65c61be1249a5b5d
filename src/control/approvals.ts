import type { Gate } from "../collaboration/events.ts";
import { hasApprovedWave } from "../collaboration/state.ts";
import type { ToolCall } from "../host/port.ts";
import type { Dialogs } from "./dialogs.ts";
import type { Room } from "./room.ts";

/** OpenCode's names for the plugin's own dialogs; GAIA's permissions set them to `ask`. */
export const WAVE_PERMISSION = "gaia_wave";
const APPROVAL_PERMISSION = "gaia_approval";

/** What agents must have set to `ask`, so that a dialog is raised at all. */
export const APPROVAL_PERMISSIONS: readonly string[] = [WAVE_PERMISSION, APPROVAL_PERMISSION];

/** How an approval ended. */
export type Approval =
  | { readonly granted: true; readonly by: "user" | "autopilot" }
  | { readonly granted: false; readonly reason: string };

/**
 * Asks the user for an approval through OpenCode's native dialog (SPEC 2.7). In autopilot the user has given it in
 * advance. Nothing that a model writes has any part in the answer.
 */
export async function askApproval(
  room: Room,
  dialogs: Dialogs,
  gate: Gate,
  call: ToolCall,
): Promise<Approval> {
  if (room.state.knobs.mode === "autopilot") return { granted: true, by: "autopilot" };
  const isWave = gate.kind === "wave";
  const subject = isWave ? `wave ${gate.wave}` : gate.kind;
  dialogs.expect(call.callId, gate);
  const answer = await call.ask({
    permission: isWave ? WAVE_PERMISSION : APPROVAL_PERMISSION,
    pattern: `${gate.workUnit}: ${subject}${gate.title === undefined ? "" : ` (${gate.title})`}`,
    metadata: { work_unit: gate.workUnit, approve: subject, title: gate.title ?? "" },
  });
  const reached = await dialogs.answered(call.callId);
  if (!answer.approved) {
    const words = answer.feedback ?? "";
    if (words !== "") room.dispatch({ type: "rejection-explained", reason: words });
    return { granted: false, reason: words === "" ? "The user said no." : `The user said no: ${words}` };
  }
  if (!reached) return { granted: false, reason: "No human was asked, so nothing is approved." };
  if (isWave && !hasApprovedWave(room.state)) {
    return {
      granted: false,
      reason: "The approval came too late: mode, work unit or wave changed meanwhile.",
    };
  }
  return { granted: true, by: "user" };
}
