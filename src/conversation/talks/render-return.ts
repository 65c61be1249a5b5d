import { excerpt } from "../../lib/excerpt.ts";
import type { Batch } from "../collaboration/batch.ts";

const MAX_FILES = 12;
const MAX_COMMANDS = 4;
const MAX_COMMAND = 120;

/** What came of a talk since GAIA was told last. */
export interface Return {
  readonly agent: string;
  /** The newest of what the user said there, and how often they did. */
  readonly said: readonly string[];
  readonly messages: number;
  /** The end of the specialist's last words; may be empty. */
  readonly last: string;
  /** What was changed and run, as the host saw it. */
  readonly work: Pick<Batch, "files" | "commands" | "omittedFiles">;
  /** Its session was deleted. */
  readonly isGone: boolean;
  readonly isWorking: boolean;
}

/** The facts of a return, the same for GAIA and for the user, who is spoken to; at most some 4,000 characters. Pure. */
export function renderReturn(
  { agent, said, messages, last, work, isGone, isWorking }: Return,
  reader: "gaia" | "user",
): string {
  const [who, is] = reader === "user" ? ["You", "are"] : ["The user", "is"];
  const { files, commands, omittedFiles } = work;
  const names = files
    .slice(0, MAX_FILES)
    .map(({ path, added, removed }) => `${path} (+${added} −${removed})`);
  const more = files.length - names.length + omittedFiles;
  const ran = commands.slice(-MAX_COMMANDS).map(({ command, exitCode }) => {
    const exit = exitCode === null ? "" : ` → exit ${exitCode}`;
    return `${excerpt(command, MAX_COMMAND)}${exit}`;
  });
  return [
    `${who} spoke with ${agent} (${messages === 1 ? "1 message" : `${messages} messages`}) and ${is} back.`,
    `Changed there: ${names.join(", ") || "no file"}${more > 0 ? ` and ${more} more` : ""}`,
    ...(ran.length === 0 ? [] : [`Run there: ${ran.join("; ")}`]),
    ...(said.length === 0 ? [] : [`${who} said: ${said.map((each) => `“${each}”`).join(" · ")}`]),
    ...(isGone ? ["Its session was deleted."] : []),
    ...(isWorking ? [`${agent} is still at work there; what it changes now is told when it is done.`] : []),
    ...(last === "" ? [] : [`${agent} said last: ${last.trim()}`]),
  ].join("\n");
}
