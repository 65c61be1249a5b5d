/** What most sessions never come to: loaded at the first use, and shipped compressed. */
export { createAnchors } from "./anchors/anchors.ts";
export { prepareAst } from "./ast/tool.ts";
export { runFormatters } from "./format/run.ts";
