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

/** What the real decision says to a specialist that may edit: the guard first, then OpenCode's dialog, uncontained. */
export function decideIn(mode: Mode, command: string, folder = PROJECT): Outcome {
  const call: ExaminedCall = {
    tool: "bash",
    agent: "hephaestus",
    examination: examineCommand(command, { folder, project: folder }),
  };
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
  });
  if (dialog.kind === "allow") return "run";
  const isContained = call.examination.effect === "unknown" && (mode === "wave" || mode === "autopilot");
  return dialog.kind === "ask" && isContained ? "contained" : dialog.kind;
}
