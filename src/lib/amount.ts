import { shortCount } from "./figures.ts";

/** What requests to models came to, by the host's own figures. */
export interface Amount {
  readonly requests: number;
  /** Without what the provider had cached. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** US dollars; 0 for models without prices. */
  readonly cost: number;
}

export const NO_AMOUNT: Amount = { requests: 0, input: 0, output: 0, cached: 0, cost: 0 };

export function addAmounts(one: Amount, other: Amount): Amount {
  return {
    requests: one.requests + other.requests,
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
    cost: one.cost + other.cost,
  };
}

/** Tokens that budgets count: what the provider had cached is not. */
export const tokensOf = ({ input, output }: Pick<Amount, "input" | "output">): number => input + output;

/** US dollars, small sums with more digits. */
export const renderMoney = (dollars: number): string =>
  `$${dollars.toFixed(dollars > 0 && dollars < 1 ? 4 : 2)}`;

/** `1 request`, `25 requests`. */
export const renderRequests = (count: number): string => `${count} request${count === 1 ? "" : "s"}`;

/** An amount in one line: `3 requests · 12.3k tokens (40.0k more cached) · $0.0421`. */
export function renderAmount(amount: Amount): string {
  const { requests, cached, cost } = amount;
  const more = cached === 0 ? "" : ` (${shortCount(cached)} more cached)`;
  return `${renderRequests(requests)} · ${shortCount(tokensOf(amount))} tokens${more} · ${renderMoney(cost)}`;
}
