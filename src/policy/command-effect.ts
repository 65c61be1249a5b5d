import type { CheckVisitor } from "./checks/check-visitor.ts";
import { findCarried, findDanger, scanText } from "./danger/danger.ts";
import { type DangerPattern, matchPattern } from "./danger/patterns.ts";
import { type Effect, type Examination, type Finding, isGraver, type Span } from "./examination.ts";
import { followerOf, problemOf } from "./programs/problem.ts";
import type { Problem } from "./programs/program.ts";
import { type Arg, literal, shown } from "./shell/arg.ts";
import { renderReplaced, secretsAmong } from "./replaced-secrets.ts";
import { isRawDevice } from "./shell/raw-device.ts";
import type { Invocation, Invoked, Visitor, Walk } from "./shell/walk-state.ts";

type Weighed = Pick<Examination, "effect" | "reason" | "part" | "isAllowed" | "writes" | "losses">;

/** Files that one line is known to write. */
const MAX_PATHS = 64;

/** A command whose program stands in a variable, with the words that this may hold in its place. */
function spelledOut(argv: readonly Arg[]): readonly Arg[] {
  const [first] = argv[0]?.pieces ?? [];
  if (typeof first !== "object" || first.samples === undefined) return argv;
  return [...first.samples.map((text) => literal(text)), ...argv.slice(1)];
}

/** Weighs what a walk comes across: the gravest effect wins, and of equals the first. */
export class EffectVisitor implements Visitor {
  #worst: Pick<Examination, "effect" | "reason" | "part"> = {
    effect: "read",
    reason: "only reads",
    part: null,
  };
  /** The gravest of what does not end in files that are lost. */
  #rest: Effect = "read";
  readonly #writes = new Set<string>();
  readonly #losses = new Set<string>();
  #isUnfollowed = false;
  #isAllowed = false;
  readonly #patterns: readonly DangerPattern[];
  readonly #allowed: readonly DangerPattern[];
  readonly #checks: Pick<CheckVisitor, "judge">;
  /** A guess at what an unknown program may run: good for finding danger, not for what the line shows, does or checks. */
  readonly #guess: Visitor = {
    onEffect: () => undefined,
    onUnfollowed: () => {
      this.#isUnfollowed = true;
    },
    onDanger: (reason, node) => this.onDanger(reason, node),
    onInvocation: (invocation) => {
      this.#examine(invocation);
      return undefined;
    },
    onInput: () => undefined,
  };

  /**
   * @param patterns commands of the user's own that no mode allows
   * @param allowed commands of the user's own that need no asking
   * @param checks tells what runs checks of the project
   */
  constructor(
    patterns: readonly DangerPattern[],
    allowed: readonly DangerPattern[],
    checks: Pick<CheckVisitor, "judge">,
  ) {
    this.#patterns = patterns;
    this.#allowed = allowed;
    this.#checks = checks;
  }

  /** Whether something in it could not be followed. */
  get isUnfollowed(): boolean {
    return this.#isUnfollowed;
  }

  /** The gravest finding, after a search for what is plainly dangerous in a line that could not be followed. */
  conclude(command: string): Weighed {
    const danger = this.#isUnfollowed ? scanText(command) : undefined;
    if (danger !== undefined) this.#add({ effect: "forbidden", reason: danger }, null);
    const isByFiles = this.#losses.size > 0 && !isGraver(this.#rest, "unknown");
    return {
      ...this.#worst,
      isAllowed: this.#isAllowed,
      writes: [...this.#writes].slice(0, MAX_PATHS),
      losses: isByFiles ? { paths: [...this.#losses], otherwise: this.#rest } : null,
    };
  }

  onEffect(finding: Finding, node: Span): void {
    this.#add(finding, node);
  }

  onUnfollowed(reason: string, node: Span): void {
    this.#isUnfollowed = true;
    this.#add({ effect: "unknown", reason }, node);
  }

  onDanger(reason: string, node: Span): void {
    this.#add({ effect: "forbidden", reason }, node);
  }

  onInput(file: Arg, walk: Walk, node: Span): void {
    if (isRawDevice(shown(file), walk.scope.folders))
      walk.visitor.onEffect({ effect: "outside", reason: "reads a raw device" }, node);
  }

  /**
   * Weighs a simple command and has everything walked that it runs in turn.
   * @returns what it does more than read by itself, undefined when it only reads
   */
  onInvocation(invocation: Invocation): Invoked | undefined {
    const problem = this.#examine(invocation);
    if (problem === undefined) return undefined;
    const check = this.#checks.judge(invocation, problem);
    const otherwise: Effect = check.kind === "check" ? "project" : "unknown";
    const known = typeof problem === "string" ? { effect: otherwise, reason: problem } : problem;
    const isAllowed = matchPattern(this.#allowed, invocation.argv, "in full") !== undefined;
    this.#isAllowed ||= isAllowed;
    const finding: Finding = isAllowed ? { ...known, effect: "project", replaces: [] } : known;
    this.#add(finding, invocation.node);
    return { ...finding, check };
  }

  #examine(invocation: Invocation): Problem | undefined {
    const { argv, stdin, walk, node } = invocation;
    const { folders } = walk.scope;
    const danger = findDanger(spelledOut(argv), folders, stdin);
    if (danger !== undefined) this.onDanger(danger, node);
    const pattern = matchPattern(this.#patterns, argv);
    if (pattern !== undefined) this.onDanger(`matches the dangerous command ${pattern}`, node);
    const problem = problemOf(invocation);
    if (problem === undefined) return undefined;
    const guess = followerOf({ ...invocation, walk: { ...walk, visitor: this.#guess } });
    const carried = findCarried(argv, folders, (source) => guess.script(source, "bash"), stdin);
    if (carried !== undefined) this.onDanger(carried, node);
    return problem;
  }

  #add(finding: Finding, part: Span | null): void {
    const secrets = finding.effect === "project" ? secretsAmong(finding.replaces ?? []) : [];
    const [secret] = secrets;
    if (secret !== undefined)
      this.#add({ effect: "lossy", reason: renderReplaced(secret), paths: secrets }, part);
    const { effect, reason, paths } = finding;
    if (isGraver(effect, this.#worst.effect)) this.#worst = { effect, reason, part };
    for (const path of paths ?? []) (effect === "lossy" ? this.#losses : this.#writes).add(path);
    const left = effect === "lossy" && paths !== undefined ? "project" : effect;
    if (isGraver(left, this.#rest)) this.#rest = left;
  }
}
