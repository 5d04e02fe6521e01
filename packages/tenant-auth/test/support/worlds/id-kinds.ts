import type { InstanceOptions } from "./instance";

/** How ids are made: by Better Auth, by counting, or by the database. */
export const idKinds: [string, () => InstanceOptions][] = [
	["random ids", () => ({})],
	["serial ids", () => ({ advanced: { database: { generateId: "serial" } } })],
	["UUIDs", () => ({ advanced: { database: { generateId: "uuid" } } })],
];
