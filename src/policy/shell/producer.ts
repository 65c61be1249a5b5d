import { Buffer } from "node:buffer";
import type { CommandNode } from "unbash";
import { shown, textOf } from "./arg.ts";
import { inputAfter } from "./redirect.ts";
import type { Scope } from "./scope.ts";
import type { Stdin, StdinSource } from "./walk-state.ts";
import { resolveWord } from "./word.ts";

function said(texts: readonly string[]): string {
  const start = texts.findIndex((text) => !/^-[neE]+$/u.test(text));
  return start === -1 ? "" : texts.slice(start).join(" ");
}

function formatted([format, ...values]: readonly string[]): string | undefined {
  if (format === undefined || format.startsWith("-")) return undefined;
  const lines = format.replaceAll("\\n", "\n").replaceAll("\\0", "\0");
  if (!format.includes("%")) return lines;
  const end = /^%s([\n\0 ]?)$/u.exec(lines)?.[1];
  return end === undefined ? undefined : values.map((value) => value + end).join("");
}

/** Shells disagree on the escapes that they interpret, so text with a backslash is never taken for all there is. */
function plainly(text: string | undefined, complete: boolean): Stdin | undefined {
  return text === undefined ? undefined : { text, complete: complete && !text.includes("\\") };
}

/**
 * What a stage of a pipeline hands to the next one, for the few producers whose output is plain from the source.
 * @param stdin what the stage itself is fed
 */
export function spokenBy(node: CommandNode, scope: Scope, stdin: StdinSource): Stdin | undefined {
  if (node.type !== "Command" || node.name === undefined) return undefined;
  const slots = [node.name, ...node.args].flatMap((word) =>
    word.type === "Word" ? resolveWord(word, scope) : [],
  );
  const words = slots.flatMap((slot) => slot[0] ?? []);
  const [name, ...args] = words;
  const texts = args.map((arg) => textOf(arg));
  const known = texts.filter((text) => text !== undefined);
  const input = inputAfter(node.redirects, scope, stdin);
  const complete = known.length === texts.length && slots.every((slot) => slot.length === 1);
  switch (textOf(name)) {
    case "echo":
      return plainly(said(args.map((arg) => textOf(arg) ?? shown(arg))), complete);
    case "printf":
      return complete ? plainly(formatted(known), true) : undefined;
    case "cat":
      return args.length === 0 ? input : undefined;
    case "base64":
      return input?.complete === true && /^(?:-d|-D|--decode)$/u.test(known[0] ?? "")
        ? { text: Buffer.from(input.text, "base64").toString("utf8"), complete: true }
        : undefined;
    case "find":
    case "ls":
      return { text: known.filter((text) => !text.startsWith("-")).join("\n"), complete: false };
    default:
      return undefined;
  }
}
