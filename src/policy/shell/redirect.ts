import type { Redirection } from "unbash";
import { literal, textOf } from "./arg.ts";
import { visitParts, visitWord } from "./expansion.ts";
import type { Scope } from "./scope.ts";
import { effect, spanOf, type Stdin, type Walk } from "./walk-state.ts";
import { resolveWord } from "./word.ts";

const HARMLESS_TARGET = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d)$/u;
/** Writing here destroys a disk or brings the machine down. */
export const RAW_DEVICE =
  /^\/dev\/(?:[hsv]d[a-z]|xvd|nvme|mmcblk|r?disk\d|md\d|dm-|mapper\/|loop\d|zd\d|mem$|kmem$|port$|block\/|disk\/)|^\/proc\/sysrq-trigger$|^\\\\\.\\physicaldrive/iu;

function checkTarget(redirect: Extract<Redirection, { type: "Redirect" }>, walk: Walk): void {
  const { operator, target } = redirect;
  if (target === undefined) return effect(walk, redirect, "redirects to nowhere");
  visitWord(target, walk);
  const args = resolveWord(target, walk.scope).flatMap((slot) => slot.flat());
  const texts = args.map((arg) => textOf(arg));
  const duplicates = operator === ">&" || operator === "<&";
  if (duplicates && texts.every((text) => text !== undefined && /^(?:\d+-?|-)$/u.test(text))) return;
  const reading = operator === "<";
  if (reading) for (const arg of args) walk.visitor.onInput(arg, walk, spanOf(redirect, walk));
  else for (const arg of args) walk.visitor.onOutput?.(arg, walk);
  if (reading && texts.every((text) => !text?.startsWith("/dev/tcp/") && !text?.startsWith("/dev/udp/")))
    return;
  if (texts.some((text) => text !== undefined && RAW_DEVICE.test(text)) && !reading) {
    walk.visitor.onDanger("writes to a raw device", spanOf(redirect, walk));
  }
  if (
    !reading &&
    operator !== "<>" &&
    texts.every((text) => text !== undefined && HARMLESS_TARGET.test(text))
  )
    return;
  effect(walk, redirect, reading ? "opens a network connection" : "writes to a file through a redirection");
}

/** Judges the redirections of a command or a block, and follows the substitutions in them. */
export function checkRedirections(redirects: readonly Redirection[], walk: Walk): void {
  for (const redirect of redirects) {
    if (redirect.descriptor?.type === "FileDescriptorVariable") {
      effect(walk, redirect, "opens a file descriptor and keeps its number in a variable");
    }
    if (redirect.type === "HereDoc") visitParts(redirect.body.parts, walk);
    else if (redirect.type === "HereString") {
      if (redirect.target !== undefined) visitWord(redirect.target, walk);
    } else checkTarget(redirect, walk);
  }
}

/** What redirections feed a command, as far as it is known; undefined when nothing is redirected to it. */
export function redirectedInput(redirects: readonly Redirection[], scope: Scope): Stdin | undefined {
  const last = redirects.findLast(({ type, descriptor }) => type !== "Redirect" && descriptor === undefined);
  if (last?.type === "HereDoc") {
    const complete = last.body.parts === undefined || last.delimiter?.quoted === true;
    return { text: last.body.text, complete };
  }
  if (last?.type !== "HereString" || last.target === undefined) return undefined;
  const arg = resolveWord(last.target, scope).flatMap((slot) => slot.flat());
  const text = textOf(arg.length === 1 ? arg[0] : literal(""));
  return { text: text ?? last.target.value, complete: text !== undefined && arg.length === 1 };
}
