import { fastHandler, getSession } from "better-auth-fast";
import { openFloor } from "../../floor/floor";
import { openDatabase, type Statement } from "../../host/database";
import { makeHost, type Setting, type Subject } from "../../host/host";
import type { Host } from "../../setup/operations";

/** What is measured side by side, by the name of its column. */
export const VARIANTS = {
	plain: { subject: "plain", handler: "own" },
	"plain, our handler": { subject: "plain", handler: "ours" },
	ours: { subject: "tenant", handler: "ours" },
	"ours, auth.handler": { subject: "tenant", handler: "own" },
	floor: { subject: "tenant", handler: "by hand" },
} as const satisfies Record<string, { subject: Subject; handler: "own" | "ours" | "by hand" }>;

export type VariantName = keyof typeof VARIANTS;

export const VARIANT_NAMES = Object.keys(VARIANTS) as VariantName[];

export interface OpenVariant extends Host {
	/** By the method of Better Auth. */
	getSession(headers: Headers): Promise<unknown>;
	/** By the function of `better-auth-fast`, where its handler is used. */
	readSession(headers: Headers): Promise<unknown>;
	close(): Promise<void>;
}

/** Opens a variant on a database that was seeded for its subject. */
export async function openVariant(
	name: VariantName,
	address: string,
	onStatement?: (statement: Statement) => void,
	setting: Setting = "bare",
): Promise<OpenVariant> {
	const { subject, handler } = VARIANTS[name];
	if (handler === "by hand") {
		const floor = openFloor(address, onStatement);
		return { ...floor, readSession: floor.getSession };
	}
	const database = openDatabase(address, { onStatement });
	const auth = makeHost(database, { subject, setting });
	await auth.$context;
	return {
		handler: handler === "ours" ? fastHandler(auth) : auth.handler,
		getSession: (headers) => auth.api.getSession({ headers }),
		readSession: (headers) =>
			handler === "ours" ? getSession(auth, headers) : auth.api.getSession({ headers }),
		close: database.close,
	};
}
