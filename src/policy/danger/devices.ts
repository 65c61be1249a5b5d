import { type Arg, shown, textOf } from "../shell/arg.ts";
import { isRawDevice, mayNameDevice } from "../shell/raw-device.ts";
import type { DangerRule } from "./rule.ts";

/** Tools that partition, format, wipe or unlock disks; their queries are few and not worth the risk. */
const DISK_TOOL =
  /^(?:mkfs(?:\..+)?|mke2fs|mkswap|mkdosfs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|cgdisk|parted|gparted|wipefs|blkdiscard|badblocks|sg_format|pvcreate|pvremove|vgremove|lvremove|diskpart|newfs(?:_.+)?)$/u;
/** Tools that do as much damage with some of their verbs and options. */
const DISK_MANAGER = /^(?:hdparm|nvme|cryptsetup|zpool|mdadm|dmsetup|gpt|lvm)$/u;
/** Of Windows, given a drive; elsewhere the word has tools tidy sources. */
const FORMAT = /^format(?:\.com)?$/u;
const DRIVE = /^(?:[a-z]:|\\\\|%)/iu;
const DESTROYING = /format|erase|destroy|remove|zero|sanitize|labelclear|create|wipe|security|trim/iu;

/** Programs that only ask about a device, or only read it. */
const READING =
  /^(?:ls|lsblk|blkid|stat|file|df|du|test|\[|readlink|realpath|echo|printf|cat|head|tail|od|xxd|hexdump|strings|wc|grep|rg|mount|umount|smartctl|udevadm|findmnt|git|basename|dirname|find|md5sum|sha256sum)$/u;

const diskutil: DangerRule = ({ args }) => {
  const verb = args.map((arg) => shown(arg)).find((text) => !text.startsWith("-")) ?? "";
  return /^(?:list|info|apfs|activity|listfilesystems)$/iu.test(verb) &&
    !args.some((arg) => /delete|erase/iu.test(shown(arg)))
    ? undefined
    : "diskutil changes disks";
};

function asks(args: readonly Arg[]): boolean {
  return (
    args.length > 0 && args.every((arg) => /^(?:--?(?:l|list|version|help|V|h))$/u.test(textOf(arg) ?? ""))
  );
}

/** Raw devices and the tools for disks, under any program that is not known to only read. */
export const devices: DangerRule = (suspect) => {
  const { name, args, folders } = suspect;
  const formats = FORMAT.test(name) && args.some((arg) => DRIVE.test(shown(arg)));
  if (formats || (DISK_TOOL.test(name) && !asks(args))) return `${name} changes disks`;
  if (DISK_MANAGER.test(name) && args.some((arg) => DESTROYING.test(shown(arg))))
    return `${name} changes disks`;
  if (name === "diskutil") return diskutil(suspect);
  if (READING.test(name)) return undefined;
  const anywhere = folders.some((folder) => mayNameDevice(folder));
  const device = args
    .map((arg) => shown(arg))
    .find(
      (text) => (anywhere || mayNameDevice(text)) && isRawDevice(text.replace(/^(?:--?)?\w+=/u, ""), folders),
    );
  return device === undefined ? undefined : `${name} would use the raw device ${device}`;
};
