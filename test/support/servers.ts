/** How many OpenCode servers share the end-to-end tests: each keeps one core busy, and the tests are made for two. */
export const SERVERS = 2;

/** An OpenCode server that many scenarios use. */
export interface SharedServer {
  readonly url: string;
  /** Holds its home and the scenarios' projects. */
  readonly root: string;
}

declare module "vitest" {
  interface ProvidedContext {
    openCodeServers: readonly SharedServer[];
  }
}
