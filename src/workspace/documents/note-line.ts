/** A note of a `memory.md`, whatever a search puts in front of it. */
const SHOWN = /- `[0-9a-f]{8}` .+ — noted by \S* in \S+, \d{4}-\d\d-\d\dT/;
const INSTEAD = "[not shown: noted in a conversation, and nobody has accepted it]";

/** An output without notes, whichever way it was read: whose conversation asks for them, its own tool tells. */
export function withoutNotes(text: string): string {
  if (!SHOWN.test(text)) return text;
  return text
    .split("\n")
    .map((line) => (SHOWN.test(line) ? INSTEAD : line))
    .join("\n");
}
