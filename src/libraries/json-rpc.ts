/** Speaks to language servers. */
export { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
