import { textOf, type JsonRecord } from "../../../src/lib/json.ts";
import type { Session } from "../opencode/world.ts";
import type { Schedule } from "../schedule.ts";
import type { SeenCall } from "./oracle.ts";

/** `unknown` where a question or a fault may have turned it. */
type Mode = Schedule["mode"] | "unknown";

export type Reply = "once" | "always" | "reject";

interface Standing {
  mode: Mode;
  /** The wave that a person has allowed, as long as it holds. */
  wave: string | null;
  /** A person has agreed to the plan as it reads, and with it to its first wave. */
  isPlanned: boolean;
  /** Whether the user has stopped the conversation and said nothing since. */
  isStopped: boolean;
  /** A command that is on its way. */
  isTyping: boolean;
  /** Whether a message of the plugin's is on its way for long. */
  isDelayed: boolean;
  /** Whether it was when the user stopped the conversation, and has arrived since. */
  isOvertaken: boolean;
}

/** Where something is changed or committed. */
export interface Place {
  readonly session: Session;
  readonly agent: string;
  readonly callId: string;
}

export type Gates = ReturnType<typeof createGates>;

/** What is allowed when, by what the user has said and done. */
export function createGates(schedule: Schedule, isDone: () => boolean, report: (what: string) => void) {
  const standings = new Map<string, Standing>();
  const modeAtStart = new Map<string, Mode>();
  const yes = new Map<string, "user" | "plugin">();
  let isAlways = false;
  let isBlurred = false;
  const of = (session: Session): Standing => {
    const id = session.parentId ?? session.id;
    const known = standings.get(id) ?? {
      mode: schedule.mode,
      wave: null,
      isPlanned: false,
      isStopped: false,
      isTyping: false,
      isDelayed: false,
      isOvertaken: false,
    };
    standings.set(id, known);
    return known;
  };

  const allow = ({ session, agent, callId }: Place, what: string): void => {
    const { mode, wave } = of(session);
    if (mode === "locked" && modeAtStart.get(callId) === "locked") report(`locked, and ${agent} ${what}`);
    if (mode !== "supervised" || modeAtStart.get(callId) !== "supervised" || isBlurred) return;
    const by = yes.get(callId);
    if (by === undefined && !isAlways) report(`supervised, and ${agent} ${what} without a question`);
    if (by === "plugin" && wave === null) report(`supervised, no wave is allowed, and ${agent} ${what}`);
  };

  return {
    called({ callId, session }: SeenCall) {
      modeAtStart.set(callId, of(session).mode);
    },
    returned(call: SeenCall, result: JsonRecord) {
      const { tool, args, session } = call;
      const standing = of(session);
      if (tool === "question") standing.mode = "unknown";
      if (tool !== "plan_gaia" || result["ok"] !== true) return;
      const [op = "", kind = "", wave] = ["op", "kind", "wave_id"].map((name) => textOf(args[name]));
      if (op === "open_wave" && standing.mode === "locked") return;
      if (op === "complete_wave") {
        if (!isDone()) report("a wave was completed and the project is not done");
        if (standing.wave === wave) standing.wave = null;
      }
      const isNew = op === "open_wave" && standing.wave !== wave;
      const isAgreed = isNew && standing.isPlanned;
      if (isNew) standing.wave = isAgreed ? (wave ?? null) : null;
      if (op === "set_active" || op === "create_work_unit") standing.wave = null;
      if (isNew || ["set_active", "create_work_unit", "update_plan"].includes(op)) standing.isPlanned = false;
      if (!["open_wave", "request_approval"].includes(op) || standing.mode !== "supervised") return;
      const isOpen = op === "open_wave" && (isAgreed || standing.wave === wave);
      if (!isBlurred && !isOpen && yes.get(call.callId) !== "user")
        report(`supervised: ${op} ${kind} was approved and the user was not asked`);
    },
    answered(call: SeenCall | undefined, reply: Reply, by: "user" | "plugin") {
      const isYes = reply !== "reject";
      // From now on OpenCode does not ask for such calls any more.
      if (reply === "always") isAlways = true;
      if (call === undefined) return;
      const standing = of(call.session);
      const { op, kind, wave_id: wave } = call.args;
      if (isYes) yes.set(call.callId, by);
      if (by !== "user") return;
      if (isYes && op === "open_wave" && standing.mode === "supervised") standing.wave = textOf(wave) ?? null;
      if (op === "request_approval" && kind === "plan")
        standing.isPlanned = isYes && standing.mode === "supervised";
      if (!isYes) Object.assign(standing, { wave: null, isPlanned: false });
    },
    changed(change: Place & { readonly path: string }) {
      const { session, agent, path } = change;
      // The record is the historian's, without a question.
      if (agent === "demeter" && path.startsWith(".gaia/") && of(session).mode !== "locked") return;
      // GAIA has no tool that edits: only a command may, which a person has read.
      if (agent === "gaia" && yes.get(change.callId) !== "user" && !isAlways)
        report(`GAIA itself changed ${path}`);
      allow(change, `changed ${path}`);
    },
    committed(commit: Place & { readonly command: string }) {
      const what = `ran \`${commit.command}\``;
      // There is no sandbox here: whatever the mode, a person has read it.
      if (yes.get(commit.callId) !== "user" && !isAlways && !isBlurred)
        report(`${commit.agent} ${what}, which no person has approved`);
      allow(commit, what);
    },
    sent(session: Session, by: "user" | "plugin", isNote: boolean) {
      const standing = of(session);
      if (session.parentId !== null || isNote) return;
      const { isDelayed, isStopped } = standing;
      Object.assign(
        standing,
        by === "user" ? { isStopped: false, isOvertaken: false } : { isDelayed: false },
      );
      if (by === "user" || !isStopped || isBlurred) return;
      // Nothing can hold back what is on its way; no model may answer it.
      if (isDelayed) standing.isOvertaken = true;
      else report("the user has stopped GAIA, and the plugin sends her on");
    },
    requested(session: Session) {
      if (session.parentId === null && of(session).isOvertaken && !isBlurred)
        report("the user has stopped GAIA, and she goes on with what came in late");
    },
    /** The user types a command. */
    typed(session: Session) {
      of(session).isTyping = true;
    },
    /** It was carried out. */
    commanded(session: Session, name: string, words: string) {
      const standing = of(session);
      standing.isTyping = false;
      // Behind one that takes none they are a request, and the user is told that nothing was done.
      if (words !== "") return;
      if (name === "locked" || name === "supervised" || name === "autopilot") {
        standing.mode = isBlurred && name !== "locked" ? "unknown" : name;
        Object.assign(standing, { wave: null, isPlanned: false });
      }
      if (name === "pair" || name === "standard" || name === "profile") standing.mode = "unknown";
    },
    stopped(session: Session) {
      if (session.parentId === null) Object.assign(of(session), { isStopped: true, isPlanned: false });
    },
    tookBack(session: Session) {
      Object.assign(of(session), { wave: null, isPlanned: false, isStopped: true });
    },
    /** The plugin is about to write a message. */
    writes({ id, takenBackTo, loop }: Session) {
      // A message that was on its way when they took others back is answered all the same.
      if (takenBackTo !== null && loop === null && !isBlurred)
        report(`the plugin writes into ${id}, and what the user took back is gone for good`);
    },
    /** Its message arrives late. */
    delayed(session: Session) {
      if (session.parentId === null) of(session).isDelayed = true;
    },
    toasted(text: string) {
      if (!text.includes("was not carried out") && !text.includes("is locked")) return;
      for (const standing of standings.values()) standing.mode = "unknown";
    },
    restarted() {
      for (const standing of standings.values()) {
        Object.assign(standing, { wave: null, isPlanned: false, isStopped: false });
        standing.isDelayed = false;
        standing.isOvertaken = false;
        isAlways = false;
        // Where OpenCode did not take what was written, nobody knows what of it is there.
        if (standing.mode !== schedule.mode && schedule.calls.length > 0) standing.mode = "unknown";
        // Nor whether what was typed as it ended was carried out.
        if (standing.isTyping) standing.mode = "unknown";
        standing.isTyping = false;
      }
    },
    /** From now on events are lost or late: what the plugin cannot have heard is not held against it. */
    blur() {
      isBlurred = true;
    },
  };
}
