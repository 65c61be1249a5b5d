const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- terminals are steered by control characters
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u009D\u0090])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)?|\u001B[ -/]*[0-~]?/g;
// oxlint-disable-next-line no-control-regex -- as above; and what turns the direction of writing
const UNSEEN = /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/**
 * A text that a terminal may print, whoever wrote it: nothing in it moves the cursor, sets a colour or a title, rings, or makes
 * what stands there read as something else. Lines and tabs stay. Pure.
 */
export function terminalText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(SEQUENCE, "").replaceAll(UNSEEN, "");
}
