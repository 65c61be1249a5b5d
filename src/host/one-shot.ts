/** What stands at the end of a process that carries out one request. */
export interface OneShotEnd {
  readonly session: string;
  /** 0 for work that is done; a signal that ends the process makes its own. */
  readonly exitCode: number;
  /** For a person; empty for nothing. */
  readonly text: string;
  /** The same for a program. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A process that carries out one request and ends, with nobody to ask: `opencode run`. Nothing here throws. */
export interface OneShot {
  /** A line for anyone who watches it. */
  print(text: string): void;
  /**
   * What is said when the process ends; the newest counts. It must be quick, for nothing is waited for then.
   * @param tell is given the signal that ends it (Ctrl+C is SIGINT), null where none does
   */
  atEnd(tell: (signal: NodeJS.Signals | null) => OneShotEnd | null): void;
  /** The plugin has looked at a permission request. @param isAnswered whether it gave the answer, so that the host gives none */
  settled(
    request: { readonly permission: string; readonly patterns: readonly string[] },
    isAnswered: boolean,
  ): void;
}
