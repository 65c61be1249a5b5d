/** What judges commands and calls. Only GAIA's sessions need it, and it is large: it is shipped compressed, in one file. */
export { examineCall } from "./examine-call.ts";
export { judgeExitCode } from "./exit-code/judge.ts";
