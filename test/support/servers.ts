/** How many OpenCode servers share the end-to-end tests: a scene waits for a third of its time, and the tests are made for two cores. */
export const SERVERS = 3;

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
