import type { BetterAuthOptions } from "better-auth";
import { importableFields } from "better-auth-tenant/imports";
import type { ExportedRecord } from "../formats/converted";
import type { Format } from "../reading/records";
import { UsageError } from "../terminal";

/** Where each service has what apps have stored with a user. */
const METADATA: Partial<Record<Format, readonly string[]>> = {
	auth0: ["user_metadata", "app_metadata"],
	clerk: ["public_metadata", "private_metadata", "unsafe_metadata"],
	firebase: ["customAttributes"],
	keycloak: ["attributes"],
};

type Taken = { rest: ExportedRecord; fields: Record<string, unknown> };

/**
 * Reads the metadata of a record into an additional field of users, as JSON.
 *
 * @throws UsageError if the app or the format does not have it
 */
export function metadataReader(
	options: BetterAuthOptions,
	format: Format,
	field: string | undefined,
): (record: ExportedRecord) => Taken {
	if (field === undefined) return (rest) => ({ rest, fields: {} });
	const names = METADATA[format];
	if (!names) {
		throw new UsageError(
			`--metadata is for ${Object.keys(METADATA).join(", ")}. A record of ${format} has fields`,
		);
	}
	const fields = importableFields(options);
	const type = Object.hasOwn(fields, field) ? fields[field]?.type : undefined;
	if (type !== "json" && type !== "string") {
		throw new UsageError(
			`--metadata: user.additionalFields has no ${JSON.stringify(field)} of the type json or string`,
		);
	}
	return (record) => {
		const entries = Object.entries(record);
		const metadata = Object.fromEntries(
			entries.filter(([name, value]) => names.includes(name) && isGiven(value)),
		);
		const rest = Object.fromEntries(entries.filter(([name]) => !names.includes(name)));
		if (Object.keys(metadata).length === 0) return { rest, fields: {} };
		return { rest, fields: { [field]: type === "json" ? metadata : JSON.stringify(metadata) } };
	};
}

const isGiven = (value: unknown) =>
	typeof value === "object" && value !== null
		? Object.keys(value).length > 0
		: value !== undefined && value !== null && value !== "";
