/** What the rate limiter remembers between two lines. */
export interface ActivityWindow {
  /** When something was shown last, milliseconds; null before the first time. */
  readonly shownAt: number | null;
  /** The newest lines that are held back. */
  readonly held: readonly string[];
  /** Lines that were dropped from the front of `held`. */
  readonly dropped: number;
}

/** How often something may be shown. */
export interface ActivityRate {
  /** Least time between two showings, milliseconds. */
  readonly gapMs: number;
  /** Most lines in one showing. */
  readonly lines: number;
}

/** What becomes of a line. */
export interface ActivityAdmission {
  readonly window: ActivityWindow;
  /** What to show now, at most `lines` lines and a count of those left out; null to show nothing. */
  readonly show: string | null;
  /** Ask again, with no line, after this many milliseconds; null when nothing is held back. */
  readonly againInMs: number | null;
}

/** Nothing was shown yet. */
export const EMPTY_ACTIVITY_WINDOW: ActivityWindow = { shownAt: null, held: [], dropped: 0 };

/**
 * Lets lines through at most once per gap and joins what comes in between, so that a burst of tool calls is one toast.
 * The first line after a quiet time passes at once.
 * @param line null to ask only whether held lines are due
 * @param at milliseconds
 */
export function admitActivity(
  window: ActivityWindow,
  line: string | null,
  at: number,
  rate: ActivityRate,
): ActivityAdmission {
  const all = line === null ? window.held : [...window.held, line];
  const held = all.slice(-rate.lines);
  const dropped = window.dropped + all.length - held.length;
  if (held.length === 0) return { window, show: null, againInMs: null };

  const waitMs = window.shownAt === null ? 0 : window.shownAt + rate.gapMs - at;
  if (waitMs > 0) return { window: { ...window, held, dropped }, show: null, againInMs: waitMs };
  const left = dropped === 0 ? [] : [`… ${dropped} more`];
  return {
    window: { shownAt: at, held: [], dropped: 0 },
    show: [...left, ...held].join("\n"),
    againInMs: null,
  };
}
