import { renderAmount, renderMoney, tokensOf, type Amount } from "../lib/amount.ts";
import { shortCount } from "../lib/figures.ts";
import type { PastUnit, Totals } from "./totals.ts";

/** What a unit came to, by agent and wave, as lines for its log. */
export function renderReceipt(totals: Totals, unit: string): string {
  const line = ([name, amount]: [string, Amount]): string => `- ${name}: ${renderAmount(amount)}`;
  const dearest = ([, one]: [string, Amount], [, other]: [string, Amount]): number =>
    other.cost - one.cost || tokensOf(other) - tokensOf(one);
  return [
    `- ${renderAmount(totals.of(`unit ${unit}`))}, by OpenCode's figures`,
    ...totals.agents(unit).toSorted(dearest).map(line),
    ...totals.waves(unit).map(([name, amount]) => line([`wave ${name}`, amount])),
  ].join("\n");
}

/** What a plan of so many tasks may come to, from what earlier ones did; empty without any. */
export function renderEstimate(past: readonly PastUnit[], tasks: number): string {
  const known = past.filter((each) => each.tasks > 0 && tokensOf(each) > 0);
  if (known.length === 0 || tasks === 0) return "";
  const scaled = (figure: (unit: PastUnit) => number): [least: number, middle: number, most: number] => {
    const all = known.map((each) => (figure(each) / each.tasks) * tasks).toSorted((a, b) => a - b);
    return [all[0] ?? 0, all[Math.floor(all.length / 2)] ?? 0, all.at(-1) ?? 0];
  };
  const render = (figures: number[], show: (figure: number) => string): string =>
    known.length === 1
      ? show(figures[1] ?? 0)
      : `${show(figures[1] ?? 0)} (${show(figures[0] ?? 0)} to ${show(figures[2] ?? 0)})`;
  const money = scaled(({ cost }) => cost);
  const tokens = scaled(tokensOf);
  const paid = money[2] === 0 ? "" : `${render(money, renderMoney)}, `;
  const units = `${known.length} earlier unit${known.length === 1 ? "" : "s"}`;
  return `Estimate, from ${units} of this project: ${paid}${render(tokens.map(Math.round), shortCount)} tokens.`;
}
