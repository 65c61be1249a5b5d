/**
 * All that reads messages, calls and files for what is worth remembering, or worth telling the user. Shipped compressed, and
 * loaded when a conversation of GAIA's has something to look at: see `loadNoticing`.
 */
export { findCorrection } from "./capture/correction.ts";
export { findQuestion } from "./capture/question.ts";
export { describeConfidence } from "./learnings/confidence.ts";
export { createLearningWatch } from "./learnings/watch.ts";
export { createRemembering } from "./notes/remembering.ts";
export { decideNotices, readSeen } from "./notices/decide.ts";
export { findGone } from "./notices/drift.ts";
