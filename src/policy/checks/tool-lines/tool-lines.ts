import { COMPILED } from "./compiled.ts";
import { SCRIPTED } from "./scripted.ts";

/**
 * Tools that check, one line for each way to have them do so: `names verbs… marks…`. A tool that is here and fits none of
 * its lines may do anything.
 *
 * - names and verbs: alternatives between `|`; the verbs are the first operands, in this order; `lint:*` is any that begins so
 * - `+--check|-c`: without one of these options or operands, it changes what it looks at
 * - `?--test|-c`: without one of these, it does something else
 * - `!--init|-u`: these make it write, besides those that do so with every tool
 * - `>-o`: these options name an output, besides those that do so with every tool; with `>2` the second operand does
 * - `=-C|-p`: these options take the next word, which is then no operand
 * - `@regex`: every operand is like this; with `@+` there has to be one, for the tool would run what it is fed
 * - `&`: what stands behind the first operand is handed on to it
 */
export const TOOLS = SCRIPTED + COMPILED;
