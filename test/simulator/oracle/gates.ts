import { recordOf, textOf, type JsonRecord } from "../../../src/lib/json.ts";
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

/** What is allowed when, by what the user has said and done. */
export interface Gates {
  called(call: SeenCall): void;
  returned(call: SeenCall, result: JsonRecord): void;
  failed(call: SeenCall): void;
  answered(callId: string, reply: Reply, by: "user" | "plugin"): void;
  changed(change: { session: Session; agent: string; callId: string; path: string }): void;
  committed(commit: { session: Session; agent: string; callId: string; command: string }): void;
  sent(session: Session, by: "user" | "plugin", isNote: boolean): void;
  /** A request goes to a model. */
  requested(session: Session): void;
  /** The user types a command. */
  typed(session: Session): void;
  /** It was carried out. */
  commanded(session: Session, name: string, words: string): void;
  stopped(session: Session): void;
  /** The user takes back what they said last. */
  tookBack(session: Session): void;
  /** The plugin is about to write a message. */
  writes(session: Session): void;
  /** It arrives late. */
  delayed(session: Session): void;
  toasted(text: string): void;
  restarted(): void;
  /** From now on events are lost or late: what the plugin cannot have heard is not held against it. */
  blur(): void;
}

export function createGates(
  schedule: Schedule,
  isDone: () => boolean,
  report: (what: string) => void,
): Gates {
  const standings = new Map<string, Standing>();
  const modeAtStart = new Map<string, Mode>();
  const yes = new Map<string, "user" | "plugin">();
  const calls = new Map<string, SeenCall>();
  let isBlurred = false;
  const rootOf = (session: Session): string => session.parentId ?? session.id;
  const of = (session: Session): Standing => {
    const id = rootOf(session);
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

  const allow = (
    { session, agent, callId }: { session: Session; agent: string; callId: string },
    what: string,
  ): void => {
    const { mode, wave } = of(session);
    if (mode === "locked" && modeAtStart.get(callId) === "locked") report(`locked, and ${agent} ${what}`);
    if (mode !== "supervised" || modeAtStart.get(callId) !== "supervised" || isBlurred) return;
    const by = yes.get(callId);
    if (by === undefined && !isAlways) report(`supervised, and ${agent} ${what} without a question`);
    if (by === "plugin" && wave === null) report(`supervised, no wave is allowed, and ${agent} ${what}`);
  };
  let isAlways = false;

  return {
    called(call) {
      calls.set(call.callId, call);
      modeAtStart.set(call.callId, of(call.session).mode);
    },
    failed: () => undefined,
    returned(call, result) {
      const { tool, args, session } = call;
      const standing = of(session);
      if (tool === "question") standing.mode = "unknown";
      if (tool !== "plan_gaia" || result["ok"] !== true) return;
      const op = textOf(args["op"]) ?? "";
      if (op === "open_wave" && standing.mode === "locked") return;
      if (op === "complete_wave") {
        if (!isDone()) report("a wave was completed and the project is not done");
        if (standing.wave === textOf(args["wave_id"])) standing.wave = null;
      }
      const isNew = op === "open_wave" && standing.wave !== textOf(args["wave_id"]);
      const isAgreed = isNew && standing.isPlanned;
      if (isNew) standing.wave = isAgreed ? (textOf(args["wave_id"]) ?? null) : null;
      if (op === "set_active" || op === "create_work_unit") standing.wave = null;
      if (isNew || ["set_active", "create_work_unit", "update_plan"].includes(op)) standing.isPlanned = false;
      const kind = textOf(args["kind"]);
      if ((op === "open_wave" || op === "request_approval") && standing.mode === "supervised") {
        const isOpen = op === "open_wave" && (isAgreed || standing.wave === textOf(args["wave_id"]));
        if (!isBlurred && !isOpen && yes.get(call.callId) !== "user")
          report(`supervised: ${op} ${kind ?? ""} was approved and the user was not asked`);
      }
    },
    answered(callId, reply, by) {
      const isYes = reply !== "reject";
      // From now on OpenCode does not ask for such calls any more.
      if (reply === "always") isAlways = true;
      const call = calls.get(callId);
      if (call === undefined) return;
      const standing = of(call.session);
      if (isYes) yes.set(callId, by);
      if (
        isYes &&
        by === "user" &&
        recordOf(call.args)["op"] === "open_wave" &&
        standing.mode === "supervised"
      )
        standing.wave = textOf(call.args["wave_id"]) ?? null;
      const { op, kind } = recordOf(call.args);
      if (by === "user" && op === "request_approval" && kind === "plan")
        standing.isPlanned = isYes && standing.mode === "supervised";
      if (!isYes && by === "user") Object.assign(standing, { wave: null, isPlanned: false });
    },
    changed(change) {
      const { session, agent, path } = change;
      // The record is the historian's, without a question.
      if (agent === "demeter" && path.startsWith(".gaia/") && of(session).mode !== "locked") return;
      // GAIA has no tool that edits: only a command may, which a person has read.
      if (agent === "gaia" && yes.get(change.callId) !== "user" && !isAlways)
        report(`GAIA itself changed ${path}`);
      allow(change, `changed ${path}`);
    },
    committed(commit) {
      const what = `ran \`${commit.command}\``;
      // There is no sandbox here: whatever the mode, a person has read it.
      if (yes.get(commit.callId) !== "user" && !isAlways && !isBlurred)
        report(`${commit.agent} ${what}, which no person has approved`);
      allow(commit, what);
    },
    sent(session, by, isNote) {
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
    requested(session) {
      if (session.parentId === null && of(session).isOvertaken && !isBlurred)
        report("the user has stopped GAIA, and she goes on with what came in late");
    },
    typed(session) {
      of(session).isTyping = true;
    },
    commanded(session, name, words) {
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
    stopped(session) {
      if (session.parentId === null) Object.assign(of(session), { isStopped: true, isPlanned: false });
    },
    tookBack(session) {
      const standing = of(session);
      Object.assign(standing, { wave: null, isPlanned: false, isStopped: true });
    },
    writes({ id, takenBackTo, loop }) {
      // A message that was on its way when they took others back is answered all the same.
      if (takenBackTo !== null && loop === null && !isBlurred)
        report(`the plugin writes into ${id}, and what the user took back is gone for good`);
    },
    delayed(session) {
      if (session.parentId === null) of(session).isDelayed = true;
    },
    toasted(text) {
      if (!text.includes("was not carried out") && !text.includes("is locked")) return;
      for (const standing of standings.values()) standing.mode = "unknown";
    },
    restarted() {
      for (const standing of standings.values()) {
        standing.wave = null;
        standing.isPlanned = false;
        standing.isStopped = false;
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
    blur() {
      isBlurred = true;
    },
  };
}
