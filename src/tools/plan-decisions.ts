/** What a person decides: loaded when there is something to decide. */
export { runApproval } from "./plan-approvals.ts";
export { archive } from "./plan-archive.ts";
