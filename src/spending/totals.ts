import { addAmounts, NO_AMOUNT, renderAmount, tokensOf, type Amount } from "../lib/figures.ts";
import type { SpendingEntry, Place } from "./entry.ts";

/** What is summed up: a specialist's session, a unit, a day, a conversation; and a unit's agents and waves. */
export const SCOPES = {
  task: (session: string) => `task ${session}`,
  unit: ({ unit, root }: Pick<Place, "unit" | "root">) => `unit ${unit ?? `@${root}`}`,
  day: (at: number) => `day ${dayOf(at)}`,
  conversation: (root: string) => `root ${root}`,
  agent: (unit: string, agent: string) => `agent ${unit}/${agent}`,
  wave: (unit: string, wave: string) => `wave ${unit}/${wave}`,
};

/** The user's own day, as they live it. */
function dayOf(at: number): string {
  const day = new Date(at);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].join("-");
}

/** Sums of the journal by scope. */
export function createTotals() {
  const sums = new Map<string, Amount>();
  const grants = new Map<string, number>();

  const add = (scope: string, amount: Amount): void => {
    sums.set(scope, addAmounts(sums.get(scope) ?? NO_AMOUNT, amount));
  };
  /** Scopes within another one, such as the agents of a unit, by their own names. */
  const within = (prefix: string): [name: string, amount: Amount][] =>
    [...sums].flatMap(([scope, amount]) =>
      scope.startsWith(prefix) ? [[scope.slice(prefix.length), amount]] : [],
    );

  return {
    add(entry: SpendingEntry): void {
      if (entry.kind === "spent") {
        const owner = entry.unit ?? `@${entry.root}`;
        add(SCOPES.task(entry.session), entry);
        add(SCOPES.unit(entry), entry);
        add(SCOPES.day(entry.at), entry);
        add(SCOPES.conversation(entry.root), entry);
        add(SCOPES.agent(owner, entry.agent), entry);
        if (entry.wave !== null) add(SCOPES.wave(owner, entry.wave), entry);
      } else if (entry.kind === "grant") {
        grants.set(entry.scope, (grants.get(entry.scope) ?? 0) + 1);
      } else if (entry.kind === "end") {
        const unit = `unit ${entry.unit}`;
        grants.delete(unit);
        sums.delete(unit);
        const parts = [SCOPES.agent(entry.unit, ""), SCOPES.wave(entry.unit, "")];
        for (const prefix of parts) for (const [name] of within(prefix)) sums.delete(`${prefix}${name}`);
      }
    },
    of: (scope: string): Amount => sums.get(scope) ?? NO_AMOUNT,
    /** How often the user let a budget be used up once more. */
    grantsOf: (scope: string): number => grants.get(scope) ?? 0,
    /** What a unit came to, by agent and wave, as lines for its log. */
    receipt(unit: string): string {
      const line = ([name, amount]: [string, Amount]): string => `- ${name}: ${renderAmount(amount)}`;
      const dearest = ([, one]: [string, Amount], [, other]: [string, Amount]): number =>
        other.cost - one.cost || tokensOf(other) - tokensOf(one);
      return [
        `- ${renderAmount(sums.get(`unit ${unit}`) ?? NO_AMOUNT)}, by OpenCode's figures`,
        ...within(SCOPES.agent(unit, "")).toSorted(dearest).map(line),
        ...within(SCOPES.wave(unit, "")).map(([name, amount]) => line([`wave ${name}`, amount])),
      ].join("\n");
    },
  };
}
