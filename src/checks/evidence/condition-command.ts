/** The one form of a condition with a command: it in backticks, and behind it nothing, `: text` or ` - text`. */
const FORM = /^`([^`\n]+)`(?:$|:(?:\s|$)| - )/u;

/** The command of a condition in a plan; null for a condition in words, which a person or a reviewer has to judge. */
export function conditionCommand(text: string): string | null {
  return FORM.exec(text.trim())?.[1]?.trim() || null;
}
