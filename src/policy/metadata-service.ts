import { hostOf } from "./own-address.ts";

/** Programs that fetch what an argument of theirs names, without a scheme as well. */
const FETCHING =
  /^(?:curl|wget|wget2|https?|xh|httpie|curlie|aria2c|nc|ncat|netcat|socat|telnet|lynx|w3m|links)$/u;
/** Where clouds tell a machine who it is, and give it its keys: what answers there is nobody else's to see. */
const HOST =
  /^(?:169\.254(?:\.\d+){2}|100\.100\.100\.200|192\.0\.0\.192|\[(?:fd00:ec2|fd20:ce)::[\da-f]+\]|\[::ffff:a9fe:[\da-f]+\]|metadata(?:\.google\.internal|\.goog|\.tencentyun\.com)?)$/u;
const PLACE = /\b(?:https?|tcp|ftp):\/\/(?:[^\s/@"'`]{0,256}@)?(\[[\da-f:.%]{2,64}\]|[\w.-]{1,253})/giu;

function isMetadataService(host: string): boolean {
  return HOST.test(hostOf(host) ?? "");
}

/** Whether a text names, by an address with a scheme, the service where a cloud gives a machine its keys (SPEC 9). */
export function namesMetadataService(text: string): boolean {
  return [...text.matchAll(PLACE)].some(([, host = ""]) => isMetadataService(host));
}

/** Whether a program would fetch from there. @param code it runs the text that it is given */
export function fetchesMetadata(name: string, args: readonly string[], code: boolean): boolean {
  const isFetching = FETCHING.test(name);
  if (!isFetching && !code) return false;
  return args.some(
    (text) =>
      namesMetadataService(text) || (isFetching && isMetadataService(/^[^/:]*/u.exec(text)?.[0] ?? "")),
  );
}
