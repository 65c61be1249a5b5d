/** Speaks to language servers. */
export { createMessageConnection, StreamMessageWriter } from "vscode-jsonrpc/node";
