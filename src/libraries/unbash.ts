/** The parser of bash: what a command does is read from its syntax tree. */
export { forEachChild, parse } from "unbash";
