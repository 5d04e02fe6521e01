import type { PasswordHash } from "better-auth-tenant/imports";
import { importableFields, missingPluginFields, requiredFields } from "better-auth-tenant/imports";
import type { ImportAuth } from "./auth";
import type { Source } from "./sources";

/** The kind of the hashes that the app's Better Auth makes. */
const OWN_HASH_KIND = "better-auth";

/** How many records something concerns, and the first of them. */
export interface Found {
	count: number;
	first: string;
}

interface Survey {
	/** How many records there are. */
	total: number;
	/** The tenants that records name. */
	tenants: Set<string>;
	/** Hashes that the app cannot verify, by kind. */
	missingKinds: Map<string, Found>;
	/** Fields that new users need and records do not have. */
	missingFields: Map<string, Found>;
	/** Fields of records that need a plugin which the app does not have, by the plugin. */
	missingPlugins: Map<string, Found & { plugin: string }>;
}

/**
 * Reads everything once, before anything is written. So a broken file changes nothing, and the progress bar
 * knows its end.
 *
 * @throws FileError
 */
export async function surveySource({ options }: ImportAuth, source: Source): Promise<Survey> {
	const plugin = options.plugins?.find(({ id }) => id === "tenant-auth-imports");
	const passwordHashes: Record<string, PasswordHash> = plugin?.options?.passwordHashes ?? {};
	const required = requiredFields(importableFields(options));
	const plugins = missingPluginFields(options);
	const survey: Survey = {
		...{ total: 0, tenants: new Set(), missingKinds: new Map() },
		...{ missingFields: new Map(), missingPlugins: new Map() },
	};
	for await (const { file, line, tenant, converted } of source.read()) {
		survey.total += 1;
		if (!("user" in converted)) continue;
		survey.tenants.add(tenant);
		const first = `${file} line ${line}`;
		const user: Record<string, unknown> = Object(converted.user);
		for (const name of required.filter((it) => (Object(user.fields)[it] ?? null) === null)) {
			note(survey.missingFields, name, { count: 0, first });
		}
		for (const [name, needed] of plugins) {
			if (Object.hasOwn(user, name))
				note(survey.missingPlugins, name, { count: 0, first, plugin: needed });
		}
		const { kind }: { kind?: unknown } = Object(user.password);
		if (typeof kind !== "string") continue;
		if (kind === OWN_HASH_KIND || Object.hasOwn(passwordHashes, kind)) continue;
		note(survey.missingKinds, kind, { count: 0, first });
	}
	return survey;
}

function note<Kind extends Found>(found: Map<string, Kind>, name: string, first: Kind): void {
	const known = found.get(name) ?? first;
	known.count += 1;
	found.set(name, known);
}
