/** Markdown without its comments. Looks at each character once, however many of them begin and do not end. Pure. */
export function withoutComments(markdown: string): string {
  let kept = "";
  for (let at = 0; ;) {
    const begin = markdown.indexOf("<!--", at);
    const end = begin === -1 ? -1 : markdown.indexOf("-->", begin + 4);
    if (end === -1) return kept + markdown.slice(at);
    kept += markdown.slice(at, begin);
    at = end + 3;
  }
}
