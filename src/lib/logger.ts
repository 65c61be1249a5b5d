export type LogLevel = "debug" | "info" | "warn" | "error";

/** Where every unit writes what it has to say; never the console, which OpenCode's TUI owns. */
export interface Logger {
  /** @param unit the log tag: the file name of the unit that speaks */
  log(level: LogLevel, unit: string, message: string, extra?: Record<string, unknown>): void;
}

export const silentLogger: Logger = { log: () => undefined };
