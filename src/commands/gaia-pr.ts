import { type CommandRun, refuseCommand } from "./define.ts";

const DRAFT = /(?:^|\s)--draft(?=\s|$)/;

/** `/gaia-pr [unit] [--draft]`: a pull request from the record; the user is asked before anything is pushed. */
export const gaiaPr: CommandRun = async (
  argumentText,
  { conversation: { parts, state }, runtime: { host } },
) => {
  if (state.knobs.mode === "locked") return refuseCommand(host, "pushed", "The session is locked.");
  const name = argumentText.replace(DRAFT, " ").trim() || (state.workUnit ?? undefined);
  const typed = await parts.pullRequests.typed(name, DRAFT.test(argumentText));
  return typeof typed === "string" ? refuseCommand(host, "pushed", typed) : typed;
};
