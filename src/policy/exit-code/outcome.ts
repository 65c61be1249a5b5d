/** How a piece of shell may end, as far as its text tells. */
export interface Outcome {
  /** It may fail because of something that it looked at. */
  readonly fails: boolean;
  readonly passes: boolean;
  /** Why it cannot fail, in words for a person behind "proves nothing:". */
  readonly why: string;
  /** Nothing behind it in the same shell runs. */
  readonly exits?: boolean;
}

/** What looks at something: nobody can tell beforehand how it ends. */
export const OPEN: Outcome = { fails: true, passes: true, why: "" };
/** What fails whatever there is. */
export const NEVER: Outcome = { fails: true, passes: false, why: "" };

/** What passes whatever there is. */
export function always(why: string): Outcome {
  return { fails: false, passes: true, why };
}

/** `left && right` */
export function and(left: Outcome, right: Outcome): Outcome {
  return {
    fails: left.fails || (left.passes && right.fails),
    passes: left.passes && right.passes,
    why: right.why || left.why,
    exits: left.exits === true || (!left.fails && right.exits === true),
  };
}

/** `left || right` */
export function or(left: Outcome, right: Outcome): Outcome {
  const isSwallowed = left.fails && !right.fails;
  return {
    fails: left.fails && right.fails,
    passes: left.passes || right.passes,
    why: isSwallowed ? "what stands behind || lets every failure pass" : left.why,
    exits: left.exits === true || (!left.passes && right.exits === true),
  };
}

/** `! inner` */
export function not({ fails, passes }: Outcome): Outcome {
  return { fails: passes, passes: fails, why: "it turns a failure into success" };
}

/** One of several, nobody knows which. */
export function either(outcomes: readonly Outcome[]): Outcome {
  return {
    fails: outcomes.some(({ fails }) => fails),
    passes: outcomes.some(({ passes }) => passes),
    why: outcomes.find(({ fails }) => !fails)?.why ?? "",
  };
}

/** All of them, of which a failure ends the whole. */
export function every(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce(and, always("it runs nothing"));
}
