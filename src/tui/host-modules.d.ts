// OpenCode hands these modules to a panel at run time, wherever it is installed; only what is used here is declared.

declare module "@opentui/solid" {
  export interface Element {
    /** Rows on the screen, once it was laid out. */
    readonly height: number;
  }
  /** What a node can hold: text, nodes, or a function that is called again whenever a signal that it read has changed. */
  export type Content = string | Element | undefined | readonly Content[] | (() => Content);
  export namespace JSX {
    export type Element = Content;
  }
  export interface SolidPlugin<Slots extends object, Context> {
    readonly order?: number;
    readonly slots: { [Name in keyof Slots]?: (context: Context, props: Slots[Name]) => Content };
  }
  export interface ScrollBox extends Element {
    /** Rows of all that is in it. */
    readonly scrollHeight: number;
    scrollBy(rows: number): void;
    scrollTo(row: number): void;
  }
  export function createElement(tag: "scrollbox"): ScrollBox;
  export function createElement(tag: string): Element;
  export function setProp(node: Element, name: string, value: unknown): void;
  export function insert(parent: Element, content: Content): void;
  /** Runs now, and again whenever a signal that it read has changed. */
  export function effect(run: () => void): void;
  export function useTerminalDimensions(): () => { readonly width: number; readonly height: number };
}

declare module "@opentui/core" {
  export interface CliRenderer {
    /** In columns. */
    readonly width: number;
    /** The field that takes what is typed; null or absent where there is none. */
    readonly currentFocusedEditor?: { readonly plainText?: string; clear(): void } | null;
  }
}

declare module "solid-js" {
  export function createSignal<T>(value: T): [get: () => T, set: (value: T) => void];
  export function createMemo<T>(compute: () => T): () => T;
}
