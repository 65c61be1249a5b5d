/** The lines in which two texts differ: those that go with `-` in front, those that come with `+`. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let foot = 0;
  while (foot < shorter - head && old.at(-1 - foot) === now.at(-1 - foot)) foot += 1;
  return [
    ...old.slice(head, old.length - foot).map((line) => `- ${line}`),
    ...now.slice(head, now.length - foot).map((line) => `+ ${line}`),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
