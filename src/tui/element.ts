import { createElement, insert, setProp, type Content, type Element } from "@opentui/solid";

/** A node of the screen with its properties and what it holds. */
export function element(tag: string, props: object, content: Content): Element {
  const node = createElement(tag);
  for (const [name, value] of Object.entries(props)) setProp(node, name, value);
  insert(node, content);
  return node;
}
