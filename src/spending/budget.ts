import { renderMoney, tokensOf, type Amount, shortCount } from "../lib/figures.ts";

/** What sums of cents lose, in dollars. */
const ROUNDING = 1e-9;

/** How much may be spent; what is left out is not bounded. */
export interface Budget {
  readonly cost?: number | undefined;
  /** Input and output; what the provider had cached is not counted. */
  readonly tokens?: number | undefined;
}

export type BudgetKey = "perTask" | "perUnit" | "perDay";

export type Budgets = Readonly<Record<BudgetKey, Budget>>;

export interface Charged {
  readonly key: BudgetKey;
  readonly scope: string;
  /** In words: `this task`, `the unit x`, `today`. */
  readonly what: string;
  readonly amount: Amount;
  /** How often the user let it be used up once more. */
  readonly grants: number;
}

export interface Reached {
  /** null for one that only the configuration can loosen. */
  readonly scope: string | null;
  readonly why: string;
}

/** The first budget that is used up; null when none is. Pure. */
export function reachedBudget(charged: readonly Charged[], budgets: Budgets): Reached | null {
  for (const { key, scope, what, amount, grants } of charged) {
    const { cost = Infinity, tokens = Infinity } = budgets[key];
    const times = grants + 1;
    const used = tokensOf(amount);
    const how =
      amount.cost >= cost * times - ROUNDING
        ? `${renderMoney(amount.cost)} of ${renderMoney(cost * times)}`
        : used >= tokens * times
          ? `${shortCount(used)} of ${shortCount(tokens * times)} tokens`
          : null;
    if (how !== null) return { scope, why: `the budget of ${what} is used up: ${how} (budget.${key})` };
  }
  return null;
}

/** Whether anything is bounded. */
export const hasBudget = (budgets: Budgets): boolean =>
  Object.values(budgets).some(({ cost, tokens }) => cost !== undefined || tokens !== undefined);
