/** A code block whose fence is longer than any run of backticks inside, so that what it shows cannot end it. */
export function fencedBlock(language: string, body: string): string {
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${body}\n${fence}`;
}
