import type { Reporter, TestCase } from "vitest/node";

/** In CI one more try, so that one race among thousands of tests costs no landing; elsewhere none. */
export const TRIES_MORE = process.env["CI"] === undefined ? 0 : 1;

/** Names at the end what passed at its second try only: each is a fault of the product or of its test, and is to be mended. */
export class SecondTries implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const [first] = test.result().errors ?? [];
    this.#flaky.push(`${test.module.relativeModuleId} > ${test.fullName}: ${first?.message ?? ""}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#flaky) process.stdout.write(`Passed at the second try only: ${name}\n`);
  }
}
