import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";

/**
 * A request's body with everything replaced that differs between two runs of the same thing: the project's folder,
 * ids, and the date. Nothing else may differ.
 */
export function normaliseRequest(request: RecordedRequest, directory: string): string {
  return request.raw
    .replaceAll(directory, "<project>")
    .replaceAll(/\b(ses|msg|prt|call)_[A-Za-z0-9]+/g, "<$1>")
    .replaceAll(/Today's date: [A-Za-z0-9 ]+/g, "Today's date: <date>");
}

/** Sizes in bytes of JSON, the way they go over the wire. */
export function sizesOf(request: RecordedRequest): { total: number; tools: number; system: number } {
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? ""));
  const system = messagesOf(request.body).filter((message) => message["role"] === "system");
  return {
    total: Buffer.byteLength(request.raw),
    tools: bytes(request.body["tools"]),
    system: bytes(system),
  };
}
