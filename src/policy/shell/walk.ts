import type {
  AndOr,
  ArithmeticExpression,
  Case,
  CommandNode,
  For,
  If,
  ParsedScript,
  PipelineNode,
  Statement,
  While,
} from "unbash";
import { checkArithmetic } from "./arithmetic.ts";
import { foresee } from "./assigned.ts";
import { visitParts, visitWord } from "./expansion.ts";
import { spokenBy } from "./producer.ts";
import { checkRedirections } from "./redirect.ts";
import { walkCommand } from "./simple-command.ts";
import { checkTest } from "./test-expression.ts";
import { isSteeringVariable } from "./variable-names.ts";
import {
  effect,
  MAX_DEPTH,
  NOT_PIPED,
  pays,
  spanOf,
  spend,
  type Stdin,
  type StdinSource,
  unfollowed,
  type Walk,
} from "./walk-state.ts";
import { loopValue } from "./word.ts";

/** Characters of a function's body in which a fork bomb is looked for. */
const MAX_BOMB = 1_024;

type Body = { readonly commands: readonly Statement[] };

/** What it costs of the budget when a scope and its fork meet again. */
function costOfMeeting({ scope }: Walk): number {
  return (scope.size >> 3) + (scope.folders.length >> 3);
}

/** Runs `step` as something that may or may not happen. */
function maybe(walk: Walk, step: (branch: Walk) => void): void {
  spend(walk, costOfMeeting(walk));
  const scope = walk.scope.fork();
  step({ ...walk, scope });
  walk.scope.merge(scope);
}

function loop(walk: Walk, body: Body, before: (round: Walk) => void): void {
  maybe(walk, (round) => {
    for (const statement of body.commands) foresee(statement, round);
    before(round);
    walkBody(body, round);
  });
}

function walkFor(node: For, walk: Walk): void {
  if (!pays(walk, (node.wordlist?.length ?? 0) * 2, node)) return;
  for (const word of node.wordlist ?? []) visitWord(word, walk);
  const name = node.name.value;
  if (!/^[A-Za-z_]\w*$/u.test(name) || isSteeringVariable(name)) {
    effect(walk, node.name, `sets ${name}, which steers what later commands do`);
  }
  const value = node.wordlist === undefined ? walk.scope.lookup("@") : loopValue(node.wordlist, walk.scope);
  loop(walk, node.body, (round) => round.scope.assign(name, value));
}

function walkWhile(node: While, walk: Walk): void {
  for (const statement of node.clause.commands) foresee(statement, walk);
  loop(walk, node.body, (round) => walkBody(node.clause, round));
}

function walkIf(node: If, walk: Walk): void {
  walkBody(node.clause, walk);
  maybe(walk, (branch) => walkBody(node.then, branch));
  for (const branch of node.elif) {
    maybe(walk, (inner) => {
      walkBody(branch.clause, inner);
      walkBody(branch.then, inner);
    });
  }
  const otherwise = node.else;
  if (otherwise !== undefined) maybe(walk, (branch) => walkBody(otherwise, branch));
}

function walkCase(node: Case, walk: Walk): void {
  visitWord(node.word, walk);
  for (const item of node.items) {
    for (const pattern of item.pattern) visitWord(pattern, walk);
    maybe(walk, (branch) => walkBody(item.body, branch));
  }
}

/** A function that starts itself twice or more, in the background: a fork bomb, which needs no long body. */
function isSelfReplicating(name: string, body: string): boolean {
  if (body.length > MAX_BOMB) return false;
  const code = body.replaceAll(/&&|[<>]&|&>/gu, " ");
  if (!code.includes("&")) return false;
  const calls = /^\w+$/u.test(name)
    ? code.split(/\b/u).filter((word) => word === name)
    : code.split(name).slice(1);
  return name !== "" && calls.length >= 2;
}

function checkNumbers(expressions: readonly (ArithmeticExpression | undefined)[], walk: Walk): void {
  for (const expression of expressions) {
    if (expression !== undefined) checkArithmetic(expression, walk, (part) => visitParts([part], walk));
  }
}

function walkNode(node: CommandNode, walk: Walk, stdin: StdinSource): void {
  switch (node.type) {
    case "Command":
      return walkCommand(node, walk, stdin);
    case "Redirected":
      checkRedirections(node.redirects, walk);
      return walkNode(node.command, walk, stdin);
    case "If":
      return walkIf(node, walk);
    case "For":
      return walkFor(node, walk);
    case "While":
      return walkWhile(node, walk);
    case "Case":
      return walkCase(node, walk);
    case "BraceGroup":
      return walkBody(node.body, walk);
    case "Subshell":
      return walkBody(node.body, { ...walk, scope: walk.scope.fork() });
    case "TestCommand":
      if (!walk.posix) return checkTest(node.expression, walk);
      return effect(walk, node, "holds a test that a plain shell would run as commands");
    case "ArithmeticFor":
      checkNumbers([node.initialize], walk);
      return loop(walk, node.body, (round) => checkNumbers([node.test, node.update], round));
    case "ArithmeticCommand":
      if (!walk.posix && node.expression !== undefined) return checkNumbers([node.expression], walk);
      return effect(walk, node, "holds arithmetic that a plain shell would run as commands");
    case "Function": {
      const { body: called } = node;
      walk.functions.set(node.name.value, (at) =>
        called.type === "CompoundList" ? walkBody(called, at) : walkNode(called, at, NOT_PIPED),
      );
      const body = walk.source.slice(node.body.pos, node.body.end);
      walk.budget.steps -= body.length >> 5;
      if (isSelfReplicating(node.name.value, body))
        walk.visitor.onDanger("multiplies itself without end", spanOf(node, walk));
      else effect(walk, node, "defines a function", { effect: "project" });
      return walkInner(node.body, walk);
    }
    case "Coproc":
      effect(walk, node, "starts a background process");
      return walkInner(node.body, walk);
    case "Select":
      effect(walk, node, "waits for somebody to choose");
      return walkBody(node.body, walk);
  }
}

/** Walks a body that runs at some other time: nothing is known of the variables it sees. */
function walkInner(body: CommandNode | (Body & { readonly type: "CompoundList" }), walk: Walk): void {
  const inner = { ...walk, scope: walk.scope.forChildShell() };
  if (body.type === "CompoundList") walkBody(body, inner);
  else walkNode(body, inner, NOT_PIPED);
}

/** What a stage is fed depends on all stages before it, so it is worked out only once. */
function once(source: StdinSource): StdinSource {
  let known: { readonly stdin: Stdin | undefined } | undefined;
  return () => (known ??= { stdin: source() }).stdin;
}

function walkPipeline(node: PipelineNode, walk: Walk): void {
  if (node.type !== "Pipeline") return walkNode(node, walk, NOT_PIPED);
  const [first, ...rest] = node.commands;
  if (first === undefined) return;
  if (rest.length === 0) return walkNode(first, walk, NOT_PIPED);
  let stdin: StdinSource = NOT_PIPED;
  for (const stage of node.commands) {
    spend(walk, costOfMeeting(walk));
    const scope = walk.scope.fork();
    walkNode(stage, { ...walk, scope }, stdin);
    // Where the last stage runs in the shell itself (zsh, lastpipe), its assignments stay.
    walk.scope.forgetChanges(scope);
    const before = stdin;
    stdin = once(() => spokenBy(stage, scope, before));
  }
}

function walkAndOr(node: AndOr, walk: Walk): void {
  const [first, ...rest] = node.commands;
  if (first !== undefined) walkPipeline(first, walk);
  // `seen` joins the states after every prefix of the list, any of which may be where it stopped.
  const seen = walk.scope.fork();
  const chain = walk.scope.fork();
  let unbroken = true;
  for (const [index, command] of rest.entries()) {
    spend(walk, costOfMeeting(walk));
    unbroken &&= node.operators[index] === "&&";
    const scope = unbroken ? chain : seen.fork();
    walkPipeline(command, { ...walk, scope });
    seen.merge(scope);
  }
  walk.scope.merge(seen);
}

function walkBody(body: Body, walk: Walk): void {
  for (const { command, background } of body.commands) {
    if (!pays(walk, 1, command)) return;
    if (background === true)
      effect(walk, command, "leaves a process running in the background", { effect: "project" });
    const { folders } = walk.scope;
    if (command.type === "AndOr") walkAndOr(command, walk);
    else walkPipeline(command, walk);
    stayBehind(folders, walk);
  }
}

/** A folder that may not be there is not entered, and what follows happens where the script was. */
function stayBehind(before: readonly string[], { scope, isFolder, disk }: Walk): void {
  const entered = scope.folders.filter((folder) => !before.includes(folder));
  if (entered.every((folder) => !disk.isMoved && isFolder(folder))) return;
  scope.enter([...scope.folders, ...before]);
}

/**
 * Walks everything that a script runs, in order, and tells the visitor of `walk`.
 * What did not parse and what is nested too deeply is an effect, so that it is never taken for harmless.
 */
export function walkScript(script: ParsedScript, walk: Walk): void {
  const inner = { ...walk, source: script.source ?? walk.source };
  if (script.errors !== undefined && script.errors.length > 0) unfollowed(inner, script, "cannot be parsed");
  if (walk.depth > MAX_DEPTH) return unfollowed(inner, script, "is nested too deeply");
  walkBody(script, inner);
}
