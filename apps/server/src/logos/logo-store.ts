import { createHash } from "node:crypto";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext, BetterAuthPluginDBSchema } from "better-auth";
import type { LogoKind } from "./logo-image";

/**
 * The uploaded logo of a tenant. The table belongs to Better Auth's schema and not to the server's own
 * tables: so a logo is written in the transaction of its audit event, no other tenant can reach it, and
 * it is deleted with its tenant.
 */
export const logosSchema = {
	tenantLogo: {
		fields: {
			/** The beginning of the SHA-256 of the image. */
			hash: { type: "string", required: true, input: false },
			kind: { type: "string", required: true, input: false },
			/** As JSON: a text of Better Auth has at most 64 KB on MySQL. */
			image: { type: "json", required: true, input: false },
			createdAt: { type: "date", required: true, input: false },
		},
	},
} as const satisfies BetterAuthPluginDBSchema;

const MODEL = "tenantLogo";

type LogoRow = {
	id: string;
	hash: string;
	kind: LogoKind;
	image: { base64: string };
	createdAt: Date;
};

/** All functions run in the tenant of the logo: its row is the only one there. */
type StoreContext = Pick<AuthContext, "adapter">;

const HASH_LENGTH = 32;

const hashOf = (bytes: Buffer) =>
	createHash("sha256").update(bytes).digest("hex").slice(0, HASH_LENGTH);

/** The last part of a logo's URL. It changes with the content, so that caches may keep the image. */
export const fileNameOf = (bytes: Buffer, kind: LogoKind) => `${hashOf(bytes)}.${kind}`;

/** Replaces the tenant's logo. Lock the tenant's row before: two logos would remain otherwise. */
export async function replaceLogo(
	{ adapter }: StoreContext,
	bytes: Buffer,
	kind: LogoKind,
): Promise<void> {
	const database = await getCurrentAdapter(adapter);
	await database.deleteMany({ model: MODEL, where: [] });
	await database.create<Omit<LogoRow, "id">, LogoRow>({
		model: MODEL,
		data: {
			hash: hashOf(bytes),
			kind,
			image: { base64: bytes.toString("base64") },
			createdAt: new Date(),
		},
	});
}

/** The logo with this file name, if it is the tenant's. */
export async function findLogo(
	adapter: Pick<AuthContext["adapter"], "findOne">,
	fileName: string,
): Promise<{ bytes: Buffer; kind: LogoKind } | null> {
	const [hash = ""] = fileName.split(".");
	const where = [{ field: "hash", value: hash }];
	const row = await adapter.findOne<LogoRow>({ model: MODEL, where });
	if (!row || `${row.hash}.${row.kind}` !== fileName) return null;
	return { bytes: Buffer.from(row.image.base64, "base64"), kind: row.kind };
}

/**
 * Deletes the logo unless the tenant's metadata names it. The logo is read first: it is written together
 * with the metadata, so metadata that is read later names it, or does not name it any more.
 */
export async function deleteUnusedLogo({ adapter }: StoreContext, tenantId: string): Promise<void> {
	const database = await getCurrentAdapter(adapter);
	const select = ["id", "hash"];
	const logo = await database.findOne<LogoRow>({ model: MODEL, where: [], select });
	if (!logo) return;
	const tenant = await database.findOne<{ metadata: string | null }>({
		model: "tenant",
		where: [{ field: "id", value: tenantId }],
	});
	if (tenant?.metadata?.includes(logo.hash)) return;
	await database.deleteMany({ model: MODEL, where: [{ field: "id", value: logo.id }] });
}
