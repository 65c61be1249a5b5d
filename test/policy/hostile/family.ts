/**
 * Lines that could take long to judge, of about `size` characters: each repeats or nests one construct, or one kind of
 * word that some part of the policy reads once more.
 */
export type Family = (size: number) => string;
export type Kind = Readonly<Record<string, Family>>;

/** A part again and again. */
export const repeat =
  (part: string, before = "", after = ""): Family =>
  (size) =>
    before + part.repeat(Math.max(1, Math.floor(size / part.length))) + after;

/** A part in itself. */
export const nest =
  (open: string, close: string, before = "echo ", inner = "ls"): Family =>
  (size) => {
    const depth = Math.max(1, Math.floor(size / (open.length + close.length)));
    return before + open.repeat(depth) + inner + close.repeat(depth);
  };

/** Nested so deeply that it is just followed, again and again. */
export const nestedAgain =
  (open: string, close: string, depth: number, inner = "ls"): Family =>
  (size) => {
    const part = `echo ${open.repeat(depth)}${inner}${close.repeat(depth)}; `;
    return part.repeat(Math.max(1, Math.floor(size / part.length)));
  };

/** Every part is another one. */
export const numbered =
  (part: (index: number) => string, before = "", after = ""): Family =>
  (size) => {
    let text = before;
    for (let index = 0; text.length < size; index++) text += part(index);
    return text + after;
  };

/** Repeated where a quoted text stands. */
export const quoted = (command: string, part: string, after = ""): Family =>
  repeat(part, `${command} '`, `'${after}`);
