import { FINDING_TYPES } from "../../config/findings.ts";

/** What reviewers are told where the user wants findings asked for (`findings.ask`); `reports.ts` takes them down. */
export const ASK_FOR_FINDINGS = `What you find outside of this work is no reason to reject. Report it beside data, in one more field:
"outside": { id?: string, type: ${Object.keys(FINDING_TYPES)
  .map((type) => JSON.stringify(type))
  .join(" | ")}, scope?: string, where?: string, what: string }[]
id is a short name, scope the part of the project, where path:line.`;
