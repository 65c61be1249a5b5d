import { programsFrom } from "../usage.ts";
import { GIT_VERBS } from "./verb-lines.ts";

/** What git's verbs do that can be read-only. */
export const gitVerbs = programsFrom(GIT_VERBS);
