/** What is known, found by words: for GAIA's turns, for `recall_gaia`, and for why something is as it is. */
export { createMemory, type Memory } from "./recall/memory.ts";
export { createRecall, type Recall } from "./recall/recall.ts";
export { wordsOf } from "./recall/terms.ts";
export { tellWhy } from "./recall/why.ts";
