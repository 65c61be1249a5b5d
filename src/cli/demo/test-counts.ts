/** How many tests passed and failed. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Reads the totals of Node's test runner in either of its formats: `# pass 9` (TAP) or `ℹ pass 9` (for people).
 * @returns null for output that has none
 */
export function countTests(output: string): TestCounts | null {
  const total = (what: string): number | null => {
    const found = new RegExp(`^[#ℹ] ${what} (\\d+)\\s*$`, "m").exec(output)?.[1];
    return found === undefined ? null : Number(found);
  };
  const passed = total("pass");
  const failed = total("fail");
  return passed === null || failed === null ? null : { passed, failed };
}

export function renderCounts(counts: TestCounts | null): string {
  return counts === null ? "no result" : `${counts.passed} pass, ${counts.failed} fail`;
}
