const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A span of time for people: `8 s`, `2 min 5 s`, `1 h 2 min`. @param ms milliseconds */
export function renderDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms / SECOND)) * SECOND;
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor(whole / MINUTE)];
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min ${(whole % MINUTE) / SECOND} s` : `${whole / SECOND} s`;
}

/** The same where tenths of a second tell something: `3.4 s`, and from 100 seconds on `2 min 5 s`. */
export function renderExactDuration(ms: number): string {
  return ms < 100 * SECOND ? `${(ms / SECOND).toFixed(1)} s` : renderDuration(ms);
}

/** The same where there is little room: `8s`, `2m05s`, `1h02m`. */
export function renderShortDuration(ms: number): string {
  return renderDuration(ms)
    .replace(/ (\d) /, " 0$1 ")
    .replace("min", "m")
    .replaceAll(" ", "");
}

/** A moment of today as a clock shows it: `01:34:49`. @param at milliseconds since the epoch */
export function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** A count where there is little room: `950`, `12.3k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export const NO_AMOUNT = {
  requests: 0,
  /** Without what the provider had cached. */
  input: 0,
  output: 0,
  cached: 0,
  /** US dollars; 0 for models without prices. */
  cost: 0,
};

/** What requests to models came to, by the host's own figures. */
export type Amount = Readonly<typeof NO_AMOUNT>;

function amountOf(figure: (name: keyof Amount) => number): Amount {
  const names = Object.keys(NO_AMOUNT) as (keyof Amount)[];
  return Object.fromEntries(names.map((name) => [name, figure(name)])) as typeof NO_AMOUNT;
}

export const addAmounts = (one: Amount, other: Amount): Amount => amountOf((name) => one[name] + other[name]);

export const withoutAmount = (all: Amount, part: Amount): Amount =>
  amountOf((name) => all[name] - part[name]);

/** Tokens that budgets count: what the provider had cached is not. */
export const tokensOf = ({ input, output }: Pick<Amount, "input" | "output">): number => input + output;

/** US dollars, small sums with more digits. */
export const renderMoney = (dollars: number): string =>
  `$${dollars.toFixed(dollars > 0 && dollars < 1 ? 4 : 2)}`;

/** `1 request`, `25 requests`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `a, b and 3 more`: the first of a list. @param unnamed how many belong to it that it does not hold */
export function listed(items: readonly string[], max: number, unnamed = 0): string {
  const more = Math.max(0, items.length - max) + unnamed;
  return `${items.slice(0, max).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** `a.ts +3 −1`. */
export const renderDelta = (file: { path: string; added: number; removed: number }): string =>
  `${file.path} +${file.added} −${file.removed}`;

/** An amount in one line: `3 requests · 12.3k tokens (40.0k more cached) · $0.0421`. */
export function renderAmount(amount: Amount): string {
  const { requests, cached, cost } = amount;
  const more = cached === 0 ? "" : ` (${shortCount(cached)} more cached)`;
  return `${counted(requests, "request")} · ${shortCount(tokensOf(amount))} tokens${more} · ${renderMoney(cost)}`;
}

/** What work took: `2 delegations · 2 min 5 s · 3.0k tokens · $0.40`. @param ms milliseconds */
export function renderSpent(
  delegations: number,
  ms: number,
  { input, output, cost }: Pick<Amount, "input" | "output" | "cost">,
): string {
  const tokens = shortCount(input + output);
  return `${counted(delegations, "delegation")} · ${renderDuration(ms)} · ${tokens} tokens · $${cost.toFixed(2)}`;
}
