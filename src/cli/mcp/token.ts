import { createHash, timingSafeEqual } from "node:crypto";
import { createError } from "../../lib/error.ts";

/** Holds what a client over HTTP has to show. */
export const TOKEN_VARIABLE = "GAIA_MCP_TOKEN";
const LEAST = 16;

/** @throws GaiaError without a token that is long enough to be none that somebody guesses */
export function tokenOf(environment: NodeJS.ProcessEnv): string {
  const token = environment[TOKEN_VARIABLE] ?? "";
  if (token.length >= LEAST) return token;
  throw createError("mcp", `${TOKEN_VARIABLE} holds no token of at least ${LEAST} characters.`, {
    hint: `For example: ${TOKEN_VARIABLE}=$(openssl rand -hex 32) opencode-gaia mcp --http`,
  });
}

/** Whether a header shows the token; takes the same time for every wrong one. */
export function showsToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? "";
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
