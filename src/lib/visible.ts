/**
 * A text as it is, on one line: line breaks, terminal escapes, and characters that show nothing or turn the direction of
 * writing are spelled out, so that what a person reads is what they say yes to.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}]|\u115F|\u1160|\u3164|(?! )\p{Zs}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
