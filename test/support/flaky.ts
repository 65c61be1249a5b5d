import type { Reporter, TestCase } from "vitest/node";

/** Retries of a failing test: one in CI, so that a race among thousands of tests does not stop a landing; none elsewhere. */
export const RETRIES = process.env["CI"] === undefined ? 0 : 1;

/** Names at the end each test that passed on retry only. A flaky test is a bug: fix it. */
export class FlakyReporter implements Reporter {
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
