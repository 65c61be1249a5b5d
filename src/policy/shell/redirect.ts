import type { Redirection, Word } from "unbash";
import { literal, shown, textOf } from "./arg.ts";
import { isOpen, visitBody, visitWord } from "./expansion.ts";
import { isRawDevice } from "./raw-device.ts";
import type { Scope } from "./scope.ts";
import {
  effect,
  effectOfWriting,
  NOT_PIPED,
  pays,
  pathsOf,
  spanOf,
  type Stdin,
  type StdinSource,
  unfollowed,
  type Walk,
} from "./walk-state.ts";
import { resolveWord } from "./word.ts";

/** Redirections after which what was in the file is still there. */
const ADDING = /^(?:&?>>|<>)$/u;
const HARMLESS_TARGET = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d)$/u;

function visitTarget(target: Word, walk: Walk): void {
  if (isOpen(target)) unfollowed(walk, target, "cannot be parsed");
  visitWord(target, walk);
}

function checkTarget(redirect: Extract<Redirection, { type: "Redirect" }>, walk: Walk): void {
  const { operator, target } = redirect;
  if (target === undefined) return effect(walk, redirect, "redirects to nowhere");
  visitTarget(target, walk);
  const args = resolveWord(target, walk.scope).flatMap((slot) => slot.flat());
  const texts = args.map((arg) => textOf(arg));
  const duplicates = operator === ">&" || operator === "<&";
  if (duplicates && texts.every((text) => text !== undefined && /^(?:\d+-?|-)$/u.test(text))) return;
  const reading = operator === "<";
  if (reading) for (const arg of args) walk.visitor.onInput(arg, walk, spanOf(redirect, walk));
  else for (const arg of args) walk.visitor.onOutput?.(arg, walk);
  if (reading && texts.every((text) => !text?.startsWith("/dev/tcp/") && !text?.startsWith("/dev/udp/")))
    return;
  if (!reading && args.some((arg) => isRawDevice(shown(arg), walk.scope.folders))) {
    walk.visitor.onDanger("writes to a raw device", spanOf(redirect, walk));
  }
  if (
    !reading &&
    operator !== "<>" &&
    texts.every((text) => text !== undefined && HARMLESS_TARGET.test(text))
  )
    return;
  if (reading || texts.some((text) => text?.startsWith("/dev/tcp/") || text?.startsWith("/dev/udp/")))
    return effect(walk, redirect, "opens a network connection", { effect: "outside" });
  for (const arg of args) {
    const paths = pathsOf(arg, walk);
    const replaces = ADDING.test(operator) ? [] : paths;
    effect(
      walk,
      redirect,
      "writes to a file through a redirection",
      { effect: effectOfWriting(arg, walk), paths, replaces },
      { kind: "output" },
    );
  }
}

/** Classifies the redirections of a command or a block, and follows the substitutions in them. */
export function checkRedirections(redirects: readonly Redirection[], walk: Walk): void {
  for (const redirect of redirects) {
    if (!pays(walk, 1 + walk.scope.folders.length, redirect)) return;
    if (redirect.descriptor?.type === "FileDescriptorVariable") {
      effect(walk, redirect, "opens a file descriptor and keeps its number in a variable");
    }
    if (redirect.type === "HereDoc") visitBody(redirect.body.parts, walk);
    else if (redirect.type === "HereString") {
      if (redirect.target !== undefined) visitTarget(redirect.target, walk);
    } else checkTarget(redirect, walk);
  }
}

/** The redirections of descriptor 0, in order. */
function inputsOf(redirects: readonly Redirection[]): Redirection[] {
  return redirects.filter(({ operator, descriptor }) =>
    descriptor === undefined
      ? operator.startsWith("<")
      : descriptor.type !== "FileDescriptorVariable" && descriptor.value === 0,
  );
}

/** What one redirection feeds, undefined when nothing is known of it. */
function fedBy(redirect: Redirection, scope: Scope): Stdin | undefined {
  if (redirect.type === "HereDoc") {
    const { delimiter, body } = redirect;
    // Where expansions happen, a backslash takes part in them.
    const complete = delimiter?.quoted === true || (body.parts === undefined && !body.text.includes("\\"));
    return { text: body.text, complete };
  }
  if (redirect.type !== "HereString" || redirect.target === undefined) return undefined;
  const arg = resolveWord(redirect.target, scope).flatMap((slot) => slot.flat());
  const text = textOf(arg.length === 1 ? arg[0] : literal(""));
  return { text: text ?? redirect.target.value, complete: text !== undefined && arg.length === 1 };
}

/**
 * What a command reads: what is redirected to it, as far as that is known, else what it is fed otherwise. Of several
 * inputs bash takes the last one, zsh all of them in a row.
 */
export function inputAfter(
  redirects: readonly Redirection[],
  scope: Scope,
  otherwise: StdinSource,
): Stdin | undefined {
  const inputs = inputsOf(redirects);
  const fed = inputs.map((redirect) => fedBy(redirect, scope));
  if (inputs.length === 0) return otherwise();
  if (inputs.length === 1 && otherwise === NOT_PIPED) return fed[0];
  const texts = [otherwise(), ...fed].flatMap((each) => (each === undefined ? [] : [each.text]));
  return texts.length === 0 ? undefined : { text: texts.join("\n"), complete: false };
}
