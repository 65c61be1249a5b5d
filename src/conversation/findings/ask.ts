import { FINDING_TYPES } from "../../config/findings.ts";

/** What reviewers are told where the user wants findings asked for (`findings.ask`); `blocks.ts` reads the answers. */
export const ASK_FOR_FINDINGS = `What you find outside of this work is no reason to reject. Report it above your contract, a block each, with an empty line behind:
[FINDING id: a-short-name type: bug scope: part where: path:line]
What is wrong.
Types: ${Object.keys(FINDING_TYPES).join(", ")}.`;
