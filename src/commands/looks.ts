import { refuse } from "../lib/error.ts";
import { renderFindingCounts, renderFindings } from "../extras/findings/render.ts";
import { isEnded } from "../delegation/task.ts";
import { renderGovernance } from "../record/knowledge.ts";
import { excerpt } from "../lib/text.ts";
import { failureForPerson } from "../lib/for-person.ts";
import { tellWhy } from "../record/memory.ts";
import { AFTER_GRANT, fitsDialog, renderQuestion, renderTooLong } from "../trust/render.ts";
import type { CommandReply, CommandRun } from "./define.ts";

/** `/gaia-status`: where the conversation stands, and what of the project waits for a person; what cannot be read is left out. */
export const gaiaStatus: CommandRun = async (
  _argumentText,
  { conversation, runtime: { supervision, knowledge, workspace } },
) => {
  const [status, entries, found, waits] = await Promise.all([
    supervision.statusOf(conversation),
    knowledge.all().catch(() => []),
    workspace.readFindings(),
    conversation.parts.learnings.waiting(),
  ]);
  const counts = renderFindingCounts(found.ok ? found.findings : []);
  const lines = [
    status,
    ...(waits === "" ? [] : [`- ${waits}`]),
    ...(entries.length === 0 ? [] : [`- ${renderGovernance(entries)}`]),
    ...(counts === "" ? [] : [`- ${counts} · /gaia-findings`]),
  ];
  return { forUser: lines.join("\n"), did: "looked at the status", say: "Status shown." };
};

/** `/gaia-findings [start <id>]`: what reviewers and CI found; no model is needed to read it. */
export const gaiaFindings: CommandRun = async (
  argumentText,
  { conversation, runtime: { memory, workspace, extrasOf } },
) => {
  const [action = "", id = "", ...more] = argumentText.trim().split(/\s+/);
  if (action === "") {
    const read = await workspace.readFindings();
    const text = read.ok ? renderFindings(read.findings) : failureForPerson(read);
    return { forUser: memory.redact(text), did: "looked at the findings" };
  }
  if (action !== "start" || id === "" || more.length > 0)
    return refuse("/gaia-findings lists them, /gaia-findings start <id> begins one.");
  const begun = await extrasOf(conversation).findings.start(id);
  return "why" in begun ? refuse(begun.why) : begun;
};

/** `/gaia-why <file[:line] | symbol | words>`: what the record and the history say of a place, without a model where they do. */
export const gaiaWhy: CommandRun = async (argumentText, { runtime: { host, memory } }) => {
  const asked = argumentText.trim();
  if (asked === "") return refuse("/gaia-why needs a file, a file:line or a symbol.");
  const sources = { recall: memory.recall, directory: host.project, from: host.directory };
  const found = await tellWhy(sources, asked);
  const what = JSON.stringify(excerpt(asked, 200));
  if (found === null)
    return {
      forModel: `The user typed /gaia-why ${what}. Nothing was found in the record and the history. Look at the code yourself, answer in a few sentences with path:line, and say what is only inferred. Change nothing.`,
    };
  return { forUser: memory.redact(found), did: `typed /gaia-why ${what}` };
};

/** `/handoff`: the next session begins where this one stops; words behind it are handed over as well. */
export const handoff: CommandRun = async (argumentText, { conversation, runtime: { engine, memory } }) => {
  const running = engine.tasks
    .ofParent(conversation.rootId)
    .filter((task) => !isEnded(task))
    .map(({ agent, sessionId, activity }) => ({ agent, sessionId, activity }));
  const written = await memory.handOver(conversation.state.workUnit, {
    root: conversation.rootId,
    running,
    words: argumentText,
    asked: conversation.parts.sessionSummary.asked(),
  });
  if (!written.ok) return refuse(failureForPerson(written));
  const told = `Handed over in ${written.path}:\n\n${written.markdown}\n\nA new session with GAIA goes on from there.`;
  return { forUser: told, did: "wrote a hand-over", say: "Handed over." };
};

const TRUST = "Trust";
const YES = "Trust all of it";
const NO = "Not now";

/** `/gaia-trust`: shows what the project's files ask for, and has the user asked in a dialog (SPEC 2.10). */
export const gaiaTrust: CommandRun = async (_argumentText, { conversation, runtime: { trust } }) => {
  const { ungranted, problem } = await trust.survey();
  const shown = (forUser: string): CommandReply => ({ forUser, did: "looked at what is trusted" });
  if (problem !== null) return shown(`Nothing is trusted. ${problem}`);
  if (ungranted.length === 0) return shown("This project asks for nothing that you have not granted.");
  if (!fitsDialog(ungranted)) return shown(renderTooLong(ungranted));
  if (!(await conversation.canQuestion()))
    return refuse("Nobody can be asked here: `opencode-gaia trust` in a terminal asks.");
  const all = `all ${ungranted.length} that /gaia-trust listed`;
  const options = [
    { label: NO, description: "Nothing of it is in force." },
    { label: YES, description: AFTER_GRANT },
  ];
  conversation.parts.questions.put({
    header: TRUST,
    questions: [{ header: TRUST, question: `Trust ${all}?`, options, multiple: false }],
    async settle([given = []]) {
      if (given.length !== 1 || given[0] !== YES) return "The user trusts nothing of it.";
      await trust.grant(ungranted);
      conversation.outbox.note(`Trusted, ${ungranted.length} in all. ${AFTER_GRANT}`);
      return `The user trusts ${all}.`;
    },
  });
  return {
    forUser: renderQuestion(ungranted),
    forModel: `The user wants to be asked about trust in this project, and has the list on the screen. Call question with header "${TRUST}" now (the plugin fills in the rest), nothing else; then say in one line what they answered.`,
  };
};
