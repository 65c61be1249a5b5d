import { always, NEVER, OPEN, type Outcome } from "./outcome.ts";

/** What a program's text needs so that it can fail by what it finds. */
const CAN_FAIL =
  /\b(?:throw|assert\w*|raise|die|require|import|include|expect\w*|fail\w*|abort|panic|croak|exec\w*|spawn\w*|open\w*|read\w*|stat\w*|access\w*|test|it|describe)\b|\bexit(?:Code)?\b\s*(?:=|\()?\s*(?!\(?\s*0?\s*\)|0\b)[\w!(~+-]/u;
/** Ends well at once, whatever stands behind. */
const LEAVES =
  /^\s*(?:"use strict";?|#!.*\n|import [^\n;]*[;\n])*\s*(?:process\.|sys\.|os\._?)?exit\s*\(?\s*0?\s*\)?\s*(?:[;\n]|$)/u;
const LEAVES_BADLY = /^\s*(?:process\.)?exit\s*\(?\s*[1-9]\d*\s*\)?;?\s*$/u;
const COMMENTS = /\/\*[^]*?\*\/|(?:^|\s)(?:\/\/|#)(?!!).*$/gmu;
/** A failure that is caught and not passed on. */
const SWALLOWS =
  /\bcatch\b\s*(?:\([^)]*\))?\s*\{\s*\}|\bexcept\b[^:]*:\s*pass\b|\.catch\(\s*\(?\w*\)?\s*=>\s*(?:\{\s*\}|0|null|undefined|void 0)\s*\)/u;
const RETHROWS = /exit(?:Code)?\s*[=(]\s*[^0)\s]/u;

/** How code in another language may end; told by what it is made of, as nobody runs it for that. */
export function judgeCode(text: string): Outcome {
  const code = text.replaceAll(COMMENTS, "");
  if (code.trim() === "") return always("it is empty");
  if (LEAVES_BADLY.test(code)) return NEVER;
  if (LEAVES.test(code)) return always("it ends with success before anything is looked at");
  if (SWALLOWS.test(code) && !RETHROWS.test(code)) return always("it swallows every failure");
  return CAN_FAIL.test(code) ? OPEN : always("nothing in it can fail");
}
