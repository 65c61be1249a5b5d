/** What begins or ends a tag of ours, as a model may read it. */
const OURS = /<(?=\s*\/?\s*gaia)/gi;

/** Text from files under a tag of ours, which nothing in it can end, and in which no other one can begin. */
export function tagged(name: string, body: string): string {
  return `<${name}>\n${body.replaceAll(OURS, "‹")}\n</${name}>`;
}
