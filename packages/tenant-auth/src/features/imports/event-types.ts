import type { DispatchedEvent } from "../../call/port/tenant-plugin";

export const IMPORT_EVENTS = {
	"user.moved": "A user of the platform was moved into the tenant",
	"user.imported": "Users were imported, without an event for each",
} as const;

/** An event of an import or a move, for the option `onEvent`. */
export type TenantImportEvent =
	| (DispatchedEvent & { type: "user.moved"; data: { userId: string } })
	| (DispatchedEvent & { type: "user.imported"; data: { created: number; updated: number } });
