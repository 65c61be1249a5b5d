import { isEnded } from "../../delegation/task.ts";
import type { HostEvent, Speaker } from "../../host/port.ts";
import { describeError, logFailure } from "../../lib/error.ts";
import { clockTime } from "../../lib/figures.ts";
import { excerpt } from "../../lib/text.ts";
import { PERMISSION } from "../collaboration/approval-kinds.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";
import {
  decideNext,
  dueAt,
  NO_TURN,
  reduceTurn,
  type TurnState,
  type TurnEvent,
  type TurnStep,
} from "./machine.ts";

/** Who stops a turn may take it back in the same breath (/undo), which a note behind that would make final, in milliseconds. */
const BREATH_MS = 1_000;
const MAX_WHY = 300;
const MAX_ASKED = 120;
const SILENT = "the model gave an empty answer";

export const HEARD =
  "The user has written: see to that now. This goes on in the background and its report comes by itself; collect_results with cancel stops it.";

interface Wait {
  isSpoken: boolean;
  readonly letGo: () => void;
}

export type Turns = ReturnType<typeof createTurns>;

/** The turns of a conversation: when one ends, and what comes next. The one way by which the plugin begins one. */
export function createTurns(
  conversation: ConversationCore,
  services: ConversationServices,
  { runs }: { readonly runs: Pick<Runs, "underWay" | "background"> },
) {
  const { rootId } = conversation;
  const { host, clock, bounds, orchestrator, turnStallMs, redact, workspace, guards } = services;
  const waits = new Set<Wait>();
  /** What the user is asked to let pass, by request. */
  const asked = new Map<string, string>();
  let turn = NO_TURN;
  /** Counts what ends every thought about what comes next: turns that begin or end, and words of the user's. */
  let changes = 0;
  /** At which count of changes an end was reached that is still to be told; null for none. */
  let owed: number | null = null;
  let timer: { readonly at: number; readonly cancel: () => void } | null = null;
  let cancelFlush: () => void = () => undefined;

  const unsubscribe = bounds.subscribe((sessionId, why, by) => {
    if (by === "budget" || sessionId !== rootId) return;
    void host.toast("warning", `GAIA stopped: ${why}. Write to it to go on.`);
    conversation.outbox.note(
      `GAIA stopped: ${why}. What was done stands, and results wait. Your next message lets it go on, with as much again.`,
    );
    conversation.tell(
      `The plugin ended your last turn: ${why}. Do not do the same again; go on with what is left, or say what is in the way.`,
    );
    void conversation.outbox.flush();
  });

  /** Hears that the message that was sent last has begun a turn. */
  let arrived: (() => void) | null = null;
  const log = logFailure(host.logger, "warn", "turns", { rootId });
  const isOurs = (): boolean => conversation.speaker()?.agent === orchestrator;
  const arm = (): void => {
    const at = dueAt(turn);
    if (at === (timer?.at ?? null)) return;
    timer?.cancel();
    timer =
      at === null
        ? null
        : {
            at,
            cancel: clock.after(Math.max(0, at - clock.now()), () => {
              timer = null;
              take({ type: "due" });
            }),
          };
  };
  const take = (event: TurnEvent): void => {
    const isHeld = bounds.heldBy(rootId) !== null;
    const context = { now: clock.now(), stallMs: turnStallMs, isOurs: isOurs(), isHeld };
    const taken = reduceTurn(turn, event, context);
    ({ turn } = taken);
    arm();
    for (const step of taken.steps) perform(step);
  };

  const look = async (silence: number | null): Promise<void> => {
    const mine = changes;
    const { busy } = await host.sessions.look(rootId).catch(() => ({ busy: true }));
    if (changes === mine) take({ type: "looked", isBusy: busy, silence });
  };
  const openTasks = async (isAskedFor = false): Promise<number> => {
    const { workUnit, wave } = conversation.state;
    const read = workUnit === null ? null : await workspace.readWorkUnit({ slug: workUnit });
    if (read?.ok !== true) return 0;
    const open = read.tasks.filter(({ done }) => !done).length;
    // A draft waits for its approval, and an approved plan for the user to have it begun.
    const isBegun = isAskedFor || wave !== null || open < read.tasks.length;
    const isUnderWay = read.status === "in-progress" || (read.status === "approved" && isBegun);
    return isUnderWay ? open : 0;
  };
  const underWay = (isWaited = false): number =>
    conversation.tasks().filter((task) => !isEnded(task) && !(isWaited && task.background)).length +
    Number(runs.underWay() !== null && !(isWaited && runs.background().has(runs.underWay()?.id ?? "")));
  /** What was stopped with the turn comes to its own end first; what runs in the background goes on. */
  const conclude = (): void => {
    if (owed !== changes) return;
    if (underWay(true) > 0) return void runs.underWay()?.ended.then(conclude);
    owed = null;
    conversation.each((part) => part.concluded?.());
  };
  /** Writes what waited for the end; then results come first, and where nothing begins a turn, GAIA may be sent on. */
  const goFurther = async (mine: number): Promise<void> => {
    if (isOurs() && turns.failure() === SILENT)
      conversation.outbox.note(
        `✗ Nothing was said or done: ${SILENT}. Say it again, or choose another model (/models).`,
      );
    await conversation.outbox.flush();
    if (changes !== mine) return;
    conversation.each((part) => part.rested?.());
    if (turn.phase !== "resting") return;
    const { pause, pending, knobs } = conversation.state;
    const running = underWay();
    const facts = {
      goesOn: guards.continuation && isOurs() && knobs.mode !== "locked" && knobs.interaction !== "pair",
      openTasks: await openTasks(),
      waitsForUser: pause !== null || pending.length > 0,
      isBlocked: pause?.reason === "blocked",
      running,
    };
    const next = decideNext(turn, facts);
    host.logger.log("debug", "turns", `${next.kind}: ${next.why}`, { rootId });
    const isOver = turn.no !== null || (running === 0 && (facts.isBlocked || !facts.waitsForUser));
    if (next.kind !== "go on" && isOver && isOurs()) {
      owed = mine;
      conclude();
    }
    // Where nobody can be asked nobody waits either: `opencode run` ends with the first turn.
    if (next.kind !== "go on" || (await conversation.canAsk()) !== true) return;
    if (changes === mine) turns.goOn(next.why);
  };
  const rest = (isStopped: boolean): void => {
    const mine = changes;
    const goOn = (): void => {
      if (changes !== mine) return;
      conversation.busy = false;
      goFurther(mine).catch(log);
    };
    conversation.dispatch({ type: "turn-ended" });
    cancelFlush();
    if (isStopped) cancelFlush = clock.after(BREATH_MS, goOn);
    else goOn();
  };

  const perform = (step: TurnStep): void => {
    switch (step.do) {
      case "look":
        void look(step.silence);
        return;
      case "rest":
        return rest(step.isStopped);
      case "missed-end":
        conversation.each((part) =>
          part.observe?.({ type: "session.status", sessionId: rootId, status: "idle" }, true),
        );
        return;
      case "stopped":
        return conversation.dispatch({ type: "aborted" });
      case "tell-running":
        return tellRunning();
      case "end":
        bounds.stop(rootId, step.why);
        host.sessions.abort(rootId).catch(log);
        return;
      case "show-wait": {
        const wait = waitNow();
        if (wait !== null) host.oneShot?.print(`↻ goes on at ${clockTime(wait.until)}: ${wait.why}`);
        conversation.touch();
        return;
      }
      case "deliver":
        conversation.each((part) => part.rested?.());
    }
  };
  const waitNow = (): TurnState["wait"] =>
    turn.wait === null ? null : { until: turn.wait.until, why: excerpt(redact(turn.wait.why), MAX_WHY) };
  const tellRunning = (): void => {
    const open = conversation.tasks().filter((task) => task.background && !isEnded(task));
    if (open.length === 0) return;
    const names = open.map((task) => `${task.agent} (${task.id})`).join(", ");
    conversation.outbox.note(
      `Still running in the background: ${names}. Their results wait for your next message; \`GAIA: stop\` in the palette (ctrl+p) ends them.`,
    );
  };
  const letGo = (event: HostEvent): void => {
    // Their words are heard before OpenCode has them, and without them GAIA would not know what to answer.
    if (event.type !== "text.activity") return;
    for (const wait of waits) {
      if (!wait.isSpoken) continue;
      waits.delete(wait);
      wait.letGo();
    }
  };

  const turns = {
    failure: (): string => turn.failure || (turn.isAnswered && !turn.isHeard ? SILENT : ""),
    now: (): TurnState => ({ ...turn, wait: waitNow() }),
    /** Whom a message would go to that begins a turn; null when none is welcome. */
    listener(): Speaker | null {
      const isWelcome = turn.phase === "resting" && turn.turnDue === null && turn.no === null;
      if (!isWelcome || conversation.state.pause !== null || conversation.isTakenBack) return null;
      return conversation.speaker() ?? null;
    },
    /** Sends GAIA on, if it rests and nothing speaks against it. @returns whether it was sent; `ends` hears whether it arrived */
    goOn(text: string, by: "plugin" | "result" = "plugin", ends?: (isSent: boolean) => void): boolean {
      const to = turns.listener();
      if (to === null || !bounds.beginTurn(rootId)) return false;
      take({ type: "sent", by });
      const lines = conversation.takeLines();
      const message = [text, ...lines].join("\n\n");
      // A note would cost a second request if it came after this message.
      conversation.busy = true;
      // OpenCode answers before it has stored the message, and may be killed between the two.
      arrived = () => ends?.(true);
      const sent = conversation.outbox.written().then(async () => host.sessions.wake(rootId, to, message));
      sent.catch((error: unknown) => {
        conversation.busy = false;
        take({ type: "not-sent" });
        void conversation.outbox.flush();
        arrived = null;
        for (const line of lines) conversation.tell(line);
        ends?.(false);
        host.logger.log("warn", "turns", `GAIA was not sent on: ${describeError(error)}`, { rootId });
      });
      return true;
    },
    /** GAIA waits for the end of a call; `given` is called once when the user has written. @returns what ends the wait */
    waitFor(given: () => void): () => void {
      const wait = { isSpoken: false, letGo: given };
      waits.add(wait);
      return () => void waits.delete(wait);
    },
    userSpoke(how) {
      changes += 1;
      bounds.begin(rootId);
      if (how === "message") for (const wait of waits) wait.isSpoken = true;
      take({ type: "spoke", how });
    },
    observe(event, isRoot) {
      // An approval has a question of its own.
      if (event.type === "permission.asked" && !event.permission.startsWith(PERMISSION))
        asked.set(
          event.requestId,
          excerpt(redact(`${event.permission}: ${event.patterns.join(", ")}`), MAX_ASKED),
        );
      if (!isRoot) return;
      letGo(event);
      if (event.type === "session.status") {
        changes += 1;
        if (event.status === "busy") {
          conversation.busy = true;
          arrived?.();
          arrived = null;
        }
      }
      take({ type: "host", event });
      // A turn that was about to begin did not, and no end of it will be told.
      if (event.type === "session.error" && turn.phase !== "running" && conversation.busy)
        rest(turn.no !== null);
    },
    taskChanged: conclude,
    openTasks,
    heard(event) {
      const { rejection } = conversation.state;
      // What was explained at once is no longer there.
      if (
        event.type === "permission-replied" &&
        event.reply === "reject" &&
        event.by === "human" &&
        rejection !== null
      )
        take({ type: "refused", what: asked.get(event.requestId) ?? rejection.question });
      if (event.type === "permission-replied") asked.delete(event.requestId);
      if (event.type === "rejection-explained") take({ type: "explained" });
      // Its message makes final what they took back, wherever it is by now; no model is to go on with that.
      if (event.type === "taken-back" && turn.isComing)
        bounds.stop(rootId, "results came in for what you took back");
    },
    shown: () => ({ wait: waitNow() }),
    dispose() {
      unsubscribe();
      timer?.cancel();
      cancelFlush();
    },
  } satisfies Part & Record<string, unknown>;
  return turns;
}
