import type { AuthContext } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";
import { safeJSONParse } from "@better-auth/core/utils/json";

export type AdapterConfig = NonNullable<AuthContext["adapter"]["options"]>["adapterConfig"];

interface Database {
	config: AdapterConfig;
	countsIds: boolean;
}

const isList = (type: DBFieldAttribute["type"]) => type === "string[]" || type === "number[]";

/** A value of the database, as Better Auth's adapter returns it. */
export function decodeValue(
	value: unknown,
	name: string,
	{ type, references }: DBFieldAttribute,
	{ supportsJSON, supportsArrays, supportsDates, supportsBooleans }: AdapterConfig,
): unknown {
	if (name === "id" || references?.field === "id") {
		return value === null || value === undefined ? value : String(value);
	}
	if (typeof value === "string") {
		if (supportsJSON === false && type === "json") return safeJSONParse(value);
		if (supportsArrays === false && isList(type)) return safeJSONParse(value);
		if (supportsDates === false && type === "date") return new Date(value);
	}
	if (supportsBooleans === false && typeof value === "number" && type === "boolean")
		return value === 1;
	return value;
}

/** A value as Better Auth's adapter writes it. */
export function storedValue(
	value: unknown,
	{ type, references }: DBFieldAttribute,
	{ config, countsIds }: Database,
): unknown {
	const { supportsJSON, supportsArrays, supportsDates, supportsBooleans } = config;
	if (references?.field === "id" && countsIds) {
		const asNumber = (id: unknown) => (id === null ? null : Number(id));
		return Array.isArray(value) ? value.map(asNumber) : asNumber(value);
	}
	if (supportsJSON === false && typeof value === "object" && type === "json") {
		return JSON.stringify(value);
	}
	if (supportsArrays === false && Array.isArray(value) && isList(type))
		return JSON.stringify(value);
	if (supportsDates === false && value instanceof Date && type === "date") {
		return value.toISOString();
	}
	return supportsBooleans === false && typeof value === "boolean" ? Number(value) : value;
}

/** A value of a condition. `undefined` for one that only Better Auth's adapter converts. */
export function comparedValue(
	value: unknown,
	name: string,
	{ type, references }: DBFieldAttribute,
	{ config: { supportsDates, supportsBooleans }, countsIds }: Database,
): unknown {
	if (name === "id" || references?.field === "id") {
		if (typeof value !== "string") return undefined;
		return countsIds ? Number(value) : value;
	}
	if (typeof value === "string") return type === "string" ? value : undefined;
	if (typeof value === "number") return type === "number" ? value : undefined;
	if (value instanceof Date && type === "date") {
		return supportsDates === false ? value.toISOString() : value;
	}
	if (typeof value !== "boolean" || type !== "boolean") return undefined;
	return supportsBooleans === false ? Number(value) : value;
}
