import { silentLogger } from "../../src/lib/error.ts";
import { createTrustStore } from "../../src/trust/store.ts";

/** Grants `count` hashes, one after the other. */
const [folder = "", project = "", name = "", count = "0"] = process.argv.slice(2);
const store = createTrustStore(folder, project, silentLogger);
for (let at = 0; at < Number(count); at += 1) await store.grant([`${name}${at}`]);
