import { nearestName, sameName } from "../lib/nearest-name.ts";
import { openTalk } from "../delegation/child-session.ts";
import { describeError, refuse, logFailure } from "../lib/error.ts";
import { excerpt } from "../lib/text.ts";
import type { Runtime } from "../runtime.ts";
import type { CommandRun } from "./define.ts";

/** `/back`: GAIA is told what came of the talk that it is typed in; elsewhere, of all talks. */
export const back: CommandRun = async (
  _argumentText,
  { runtime: { host }, conversation, session, sessionId },
) => {
  const { rootId, parts, outbox } = conversation;
  const isThere = session.isTalk === true;
  if (isThere && (await host.sessions.get(rootId)) === null)
    return refuse("The conversation with GAIA was deleted; begin a new one.");
  const told = await parts.talks.handBack(isThere ? sessionId : null);
  if (isThere) await host.show(rootId);
  const isRoot = sessionId === rootId;
  if (told.length === 0)
    return refuse(
      isThere
        ? "Nothing is new here since GAIA was told; it has the conversation again."
        : "No talk with a specialist is open; /talk <specialist> begins one.",
    );
  const text = told.join("\n\n");
  if (isRoot)
    return {
      forUser: text,
      forModel:
        "The user is back from a talk with a specialist; what came of it stands above. Hold yourself to what they agreed on. Go on where work is open; otherwise say in one line what follows.",
    };
  outbox.note(text);
  await outbox.flush();
  return { did: "goes back to GAIA, which is told what came of this", say: "Handed back." };
};

const MAX_WORDS = 2_000;

/** `/talk <specialist>`: the user speaks with one in a session of its own. */
export const talk: CommandRun = async (argumentText, { runtime, conversation, session }) => {
  const { host, agents, sessions, clock } = runtime;
  if (session.isGuest) return refuse("/talk belongs into a conversation with GAIA: select it first.");
  const [, name = "", words = ""] = /^(\S*?)[,.:!?]*(?:\s+([^]*))?$/.exec(argumentText.trim()) ?? [];
  const agent = sameName(name, [...agents.specialists.keys()]);
  if (agent === undefined) return refuse(whyNobody(runtime, name));
  if (session.isTalk === true && session.specialist === agent)
    return refuse(`You speak with ${agent} here already; /back returns to GAIA.`);
  const { rootId, parts, state } = conversation;
  let talk: string;
  try {
    const about = state.workUnit ?? "";
    talk = await parts.talks.enter(agent, async () => openTalk(host, { agent, rootId, about }));
  } catch (error) {
    return refuse(`No session could be opened: ${describeError(error)} Type it again.`);
  }
  const hint = `You speak with ${agent} now. /back takes what you agree on to GAIA.`;
  const unsent = words === "" ? "" : `\n\nNot sent yet, write it here: ${excerpt(words, MAX_WORDS)}`;
  const model = sessions.speaker(rootId)?.model ?? null;
  // Without the note there is still the way back, which is told below as well.
  if (!parts.talks.isBusy(talk))
    await host.sessions
      .note(talk, { agent, model }, `${hint}${unsent}`, clock.now())
      .catch(logFailure(host.logger, "debug", "talk"));
  await host.show(talk);
  const where = `${agent} listens in session ${talk}`;
  return {
    forUser: `${where}, which the terminal shows; elsewhere: opencode run --session ${talk} "…"\n${hint}${unsent}`,
    did: `speaks with ${agent} now`,
    say: `${where} (opencode run --session ${talk}); /back returns.`,
  };
};

function whyNobody({ agents, config }: Runtime, name: string): string {
  const roster = [...agents.specialists.keys()];
  const known = `Specialists: ${roster.join(", ")}.`;
  if (name === "") return `/talk needs a name. ${known}`;
  if (config.agents[name]?.disabled === true) return `${name} is disabled in the config. ${known}`;
  const near = nearestName(name, roster);
  const meant = near === undefined ? "" : `Did you mean /talk ${near}? `;
  return `There is no specialist ${JSON.stringify(excerpt(name, 60))}. ${meant}${known}`;
}
