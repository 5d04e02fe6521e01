import { fileURLToPath } from "node:url";

/** A path from this folder. */
export const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where the sources of the plugin start. */
export const PLUGIN = pathOf("../../../packages/tenant-auth/src/plugin.ts");
/** The built plugin. */
export const BUILT = pathOf("../../../packages/tenant-auth/dist/");
/** The same small app, without and with the plugin. */
export const PLAIN_APP = pathOf("apps/plain.ts");
export const TENANT_APP = pathOf("apps/tenant.ts");
