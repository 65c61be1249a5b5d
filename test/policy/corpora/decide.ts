import { decideCall, type ExaminedCall } from "../../../src/conversation/collaboration/decide-call.ts";
import { examineCommand } from "../../../src/policy/examine-command.ts";
import {
  approvedWave,
  AUTOPILOT,
  DEFAULTS,
  play,
  set,
  start,
} from "../../conversation/collaboration/session.ts";

/** The modes in which a corpus is measured; a wave is an approved one. */
export type Mode = "locked" | "supervised" | "wave" | "autopilot";

/** What becomes of a command: it runs at once, or so but contained, the user is asked, or it is refused. */
export type Outcome = "run" | "contained" | "ask" | "refuse";

const STATES = {
  locked: play([set({ knob: "mode", value: "locked" }), start()]).state,
  supervised: play([start()]).state,
  wave: play([...approvedWave(), start()]).state,
  autopilot: play([AUTOPILOT, start()]).state,
};

/** Where the commands are taken to run when a case names no folder. */
const PROJECT = "/home/user/project";

/**
 * What the real decision says to a specialist that may edit, where the machine can contain commands: the guard first, then
 * OpenCode's dialog.
 * @param files `own`: those that the command throws away were made by the conversation, or version control holds them
 */
export function decideIn(mode: Mode, command: string, folder = PROJECT, files?: "own"): Outcome {
  const examination = examineCommand(command, { folder, project: folder });
  const { losses } = examination;
  const effect = files === "own" && losses !== null ? losses.otherwise : examination.effect;
  const call: ExaminedCall = { tool: "bash", agent: "hephaestus", examination: { ...examination, effect } };
  const state = STATES[mode];
  const guard = decideCall(state, call, { by: "guard", onlyReads: false, isListed: false });
  if (guard.kind !== "allow") return guard.kind;
  const dialog = decideCall(state, call, {
    by: "host",
    permission: "bash",
    sessionId: "child",
    workUnit: "unit",
    wave: "w1",
    enforceWaveId: DEFAULTS.wavePolicy.enforceWaveId,
    isApproval: false,
    isContained: true,
  });
  if (dialog.kind !== "allow") return dialog.kind;
  return effect === "unknown" ? "contained" : "run";
}
