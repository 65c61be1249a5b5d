import { findCarried, findDanger, scanText } from "./danger/danger.ts";
import { type DangerPattern, matchPattern } from "./danger/patterns.ts";
import type { CommandRisk, Examination, Span } from "./examination.ts";
import { followerOf, problemOf } from "./programs/problem.ts";
import { type Arg, literal, shown } from "./shell/arg.ts";
import { isRawDevice } from "./shell/raw-device.ts";
import type { Invocation, Visitor, Walk } from "./shell/walk-state.ts";

type Finding = Pick<Examination, "risk" | "reason" | "part">;

const RANK: Record<CommandRisk, number> = { "read-only": 0, mutating: 1, dangerous: 2 };

/** A command whose program stands in a variable, with the words that this may hold in its place. */
function spelledOut(argv: readonly Arg[]): readonly Arg[] {
  const [first] = argv[0]?.pieces ?? [];
  if (typeof first !== "object" || first.samples === undefined) return argv;
  return [...first.samples.map((text) => literal(text)), ...argv.slice(1)];
}

/** Weighs what a walk comes across: the gravest risk wins, and of equals the first. */
export class RiskVisitor implements Visitor {
  #worst: Finding = { risk: "read-only", reason: "only reads", part: null };
  #isUnfollowed = false;
  readonly #patterns: readonly DangerPattern[];

  /** @param patterns commands of the user's own that no mode allows */
  constructor(patterns: readonly DangerPattern[]) {
    this.#patterns = patterns;
  }

  /** Whether something in it could not be followed. */
  get isUnfollowed(): boolean {
    return this.#isUnfollowed;
  }

  /** The gravest finding, after a search for what is plainly dangerous in a line that could not be followed. */
  conclude(command: string): Finding {
    const danger = this.#isUnfollowed ? scanText(command) : undefined;
    if (danger !== undefined) this.#add("dangerous", danger, null);
    return this.#worst;
  }

  onEffect(reason: string, node: Span): void {
    this.#add("mutating", reason, node);
  }

  onUnfollowed(reason: string, node: Span): void {
    this.#isUnfollowed = true;
    this.#add("mutating", reason, node);
  }

  onDanger(reason: string, node: Span): void {
    this.#add("dangerous", reason, node);
  }

  onInput(file: Arg, walk: Walk, node: Span): void {
    if (isRawDevice(shown(file), walk.scope.folders)) walk.visitor.onEffect("reads a raw device", node);
  }

  /**
   * Weighs a simple command and has everything walked that it runs in turn.
   * @returns why it is not read-only by itself, undefined when it is
   */
  onInvocation(invocation: Invocation): string | undefined {
    const { argv, stdin, walk, node } = invocation;
    const { folders } = walk.scope;
    const danger = findDanger(spelledOut(argv), folders, stdin);
    if (danger !== undefined) this.#add("dangerous", danger, node);
    const pattern = matchPattern(this.#patterns, argv);
    if (pattern !== undefined) this.#add("dangerous", `matches the dangerous command ${pattern}`, node);
    const problem = problemOf(invocation);
    if (problem === undefined) return undefined;
    this.#add("mutating", problem, node);
    // A guess at what an unknown program may run: good for finding danger, not for what the line shows or checks.
    const guess = followerOf({ ...invocation, walk: { ...walk, visitor: this } });
    const carried = findCarried(argv, folders, (source) => guess.script(source, "bash"), stdin);
    if (carried !== undefined) this.#add("dangerous", carried, node);
    return problem;
  }

  #add(risk: CommandRisk, reason: string, part: Span | null): void {
    if (RANK[risk] > RANK[this.#worst.risk]) this.#worst = { risk, reason, part };
  }
}
