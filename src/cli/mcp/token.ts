import { createHash, timingSafeEqual } from "node:crypto";
import { createError } from "../../lib/error.ts";

/** Holds what a client over HTTP has to show. */
export const TOKEN_VARIABLE = "GAIA_MCP_TOKEN";
/** What a header carries as it is. */
const TOKEN = /^[!-~]{16,}$/;

/** @throws GaiaError without a token that no one guesses and every client can send */
export function tokenOf(environment: NodeJS.ProcessEnv): string {
  const token = environment[TOKEN_VARIABLE] ?? "";
  if (TOKEN.test(token)) return token;
  throw createError(
    "mcp",
    `${TOKEN_VARIABLE} holds no token: 16 or more of ASCII's letters, digits and signs.`,
    {
      hint: `For example: ${TOKEN_VARIABLE}=$(openssl rand -hex 32) opencode-gaia mcp --http`,
    },
  );
}

/** Whether a header shows the token; takes the same time for every wrong one. */
export function showsToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? "";
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
