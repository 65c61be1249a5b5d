import type { ParsedScript, SyntaxNode, ParameterExpansionPart } from "unbash";
import { forEachChild } from "../libraries/unbash.ts";
import { namesCredential } from "../lib/redaction.ts";

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE/iu;
/** Addresses of databases and their like, in which a user and a password stand. */
const WITH_PASSWORD =
  /^(?:[A-Z\d]+_)*(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MONGO(?:DB)?|REDIS|AMQP|RABBITMQ|CLOUDAMQP|ELASTICSEARCH|SMTP|SENTRY)_(?:URL|URI|DSN)$|CONNECTION_STRING/u;
/** Nodes of one script that are looked at; of a longer one every variable in its text counts. */
const MAX_NODES = 10_000;

/** True for a variable that sounds as if it held a secret. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name) || WITH_PASSWORD.test(name) || namesCredential(name);
}

/** The first secret-sounding variable that a text would expand if a shell read it; null for none. */
export function expandedIn(text: string, allow: readonly string[] = []): string | null {
  for (const [, name = ""] of text.matchAll(/\$\{?[!]?([A-Za-z_]\w*)/gu))
    if (isSecretVariable(name) && !allow.includes(`$${name}`)) return name;
  return null;
}

/**
 * The first variable of the environment, by its name a secret, whose value a script expands, in any form and anywhere but
 * in a test. What the script itself sets is no secret.
 * @param source the script's text
 * @param allow names that the user allows, each with a `$` in front
 */
export function findSecretVariable(
  script: ParsedScript,
  source: string,
  allow: readonly string[] = [],
): string | null {
  const expanded = new Set<string>();
  const assigned = new Set<string>();
  const values: string[] = [];
  let isIndirect = false;
  const pending: SyntaxNode[] = [script];
  let count = 0;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (count++ > MAX_NODES) return expandedIn(source, allow);
    if (node.type === "TestCommand" || isTest(node)) continue;
    for (const name of namesExpanded(node)) expanded.add(name);
    for (const name of namesAssigned(node)) assigned.add(name);
    if (node.type === "Assignment") values.push(node.text.replace(/^\w+\+?=["']?|["']$/gu, ""));
    if (node.type === "For") values.push(...(node.wordlist ?? []).map(({ value }) => value));
    isIndirect ||= node.type === "ParameterExpansion" && node.prefix === "!";
    forEachChild(node, (child) => void pending.push(child));
  }
  const isSecret = (name: string): boolean =>
    isSecretVariable(name) && !assigned.has(name) && !allow.includes(`$${name}`);
  const indirect = isIndirect ? values.filter((value) => /^\w+$/u.test(value)) : [];
  return [...expanded, ...indirect].find((name) => isSecret(name)) ?? null;
}

function isTest(node: SyntaxNode): boolean {
  return node.type === "Command" && /^(?:test|\[)$/u.test(node.name?.text ?? "");
}

function namesExpanded(node: SyntaxNode): string[] {
  if (node.type === "SimpleExpansion") return [node.text.replace(/^\$/u, "")];
  return node.type === "ParameterExpansion" && showsValue(node) ? [node.parameter] : [];
}

/** Neither the length of a value nor whether there is one tells it. */
function showsValue({ prefix, operation }: ParameterExpansionPart): boolean {
  return prefix !== "#" && !(operation?.type === "Default" && operation.operator.endsWith("+"));
}

/** True for an assignment whose value holds the variable that it sets. */
function takesItself(text: string, name: string): boolean {
  for (const [, expanded] of text.matchAll(/\$\{?!?(\w+)/gu)) if (expanded === name) return true;
  return false;
}

function namesAssigned(node: SyntaxNode): string[] {
  if (node.type === "For" || node.type === "Select") return [node.name.value];
  if (node.type === "Assignment") {
    return takesItself(node.text, node.name) ? [] : [node.name];
  }
  if (node.type !== "Command" || !/^(?:read|mapfile|readarray|getopts)$/u.test(node.name?.text ?? ""))
    return [];
  return node.args.map((arg) => arg.text);
}
