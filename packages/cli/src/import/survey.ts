import type { PasswordHash } from "better-auth-tenant";
import { importableFields, requiredFields } from "better-auth-tenant/imports";
import type { ImportAuth } from "./auth";
import type { Source } from "./sources";

/** The kind of the hashes that the app's Better Auth makes. */
const OWN_HASH_KIND = "better-auth";

interface Survey {
	/** How many records there are. */
	total: number;
	/** Hashes that the app cannot verify, by kind. */
	missingKinds: Map<string, number>;
	/** Fields that new users need, by the number of records without them. */
	missingFields: Map<string, number>;
}

/**
 * Reads everything once, before anything is written. So a broken file changes nothing, and the progress bar
 * knows its end.
 *
 * @throws FileError
 */
export async function surveySource(auth: ImportAuth, source: Source): Promise<Survey> {
	const plugin = auth.options.plugins?.find(({ id }) => id === "tenant-auth");
	const passwordHashes: Record<string, PasswordHash> = plugin?.options?.passwordHashes ?? {};
	const required = requiredFields(importableFields(auth.options));
	const missingKinds = new Map<string, number>();
	const missingFields = new Map<string, number>();
	let total = 0;
	for await (const { converted } of source.read()) {
		total += 1;
		if ("user" in converted) {
			const { fields }: { fields?: Record<string, unknown> } = Object(converted.user);
			for (const name of required.filter((it) => (Object(fields)[it] ?? null) === null)) {
				missingFields.set(name, (missingFields.get(name) ?? 0) + 1);
			}
		}
		const kind = "user" in converted ? converted.user.password?.kind : undefined;
		if (typeof kind !== "string") continue;
		if (kind === OWN_HASH_KIND || Object.hasOwn(passwordHashes, kind)) continue;
		missingKinds.set(kind, (missingKinds.get(kind) ?? 0) + 1);
	}
	return { total, missingKinds, missingFields };
}
