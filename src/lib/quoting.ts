/** A code block whose fence is longer than any run of backticks inside, so that what it shows cannot end it. */
export function fencedBlock(language: string, body: string): string {
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${body}\n${fence}`;
}

/** What begins or ends a tag of ours, as a model may read it. */
const OURS = /<(?=\s*\/?\s*gaia)/gi;

/** Text from files under a tag of ours, which nothing in it can end, and in which no other one can begin. */
export function tagged(name: string, body: string): string {
  return `<${name}>\n${body.replaceAll(OURS, "‹")}\n</${name}>`;
}

/** A word for a shell, whatever is in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
