const RAW_DEVICE =
  /^\/dev\/(?:[hsv]d[a-z]|xvd|nvme|mmcblk|r?disk\d|md\d|dm-|mapper\/|loop\d|zd\d|mem$|kmem$|port$|block\/|disk\/)|^\/proc\/sysrq-trigger$/iu;
const WINDOWS_DEVICE = /^\\\\\.\\physicaldrive/iu;
/** A pattern right below `/dev`, other than those for terminals. */
const DEVICE_PATTERN = /^\/dev\/(?!(?:fd|pts|tty|shm)\b)[^/]*[*?[{]/u;

/** Without one of these no path leads to a device. */
const NAMED = /dev|proc|physicaldrive/iu;

/** A quick look at a path or folder: false where nothing that begins or goes on with it is a device. */
export function mayNameDevice(text: string): boolean {
  return NAMED.test(text);
}

/** An absolute path without the steps that lead nowhere. */
function plainPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/**
 * True for the path of a disk, memory or the like, however it is spelled: writing there destroys a disk or brings the
 * machine down.
 * @param folders where the path may start, as `Scope.folders`
 */
export function isRawDevice(path: string, folders: readonly string[] = []): boolean {
  if (WINDOWS_DEVICE.test(path)) return true;
  const starts = path.startsWith("/") ? [""] : folders.filter((folder) => folder.startsWith("/"));
  return starts
    .filter((start) => mayNameDevice(path) || mayNameDevice(start))
    .map((start) => plainPath(`${start}/${path}`))
    .some((plain) => RAW_DEVICE.test(plain) || DEVICE_PATTERN.test(plain));
}
