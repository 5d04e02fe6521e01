import { createHash } from "node:crypto";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext, BetterAuthPluginDBSchema } from "better-auth";
import type { LogoKind } from "./logo-image";
import { logoUrlsIn } from "./stored-logo-url";

/**
 * The uploaded images of a tenant: its logo, its logo for dark pages and its icon. The table belongs to
 * Better Auth's schema and not to the server's own tables: so an image is written in the transaction of its
 * audit event, no other tenant can reach it, and it is deleted with its tenant. The metadata of the tenant
 * says what an image is for.
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

/** All functions run in the tenant of the images: there are no others. */
type StoreContext = Pick<AuthContext, "adapter">;

const HASH_LENGTH = 32;

const hashOf = (bytes: Buffer) =>
	createHash("sha256").update(bytes).digest("hex").slice(0, HASH_LENGTH);

/** The last part of a logo's URL. It changes with the content, so that caches may keep the image. */
export const fileNameOf = (bytes: Buffer, kind: LogoKind) => `${hashOf(bytes)}.${kind}`;

/**
 * Stores an image, always as a new row: another call may be about to delete the same image, because the
 * branding did not name it. Lock the tenant's row before: two rows would remain otherwise.
 */
export async function storeLogo(
	{ adapter }: StoreContext,
	bytes: Buffer,
	kind: LogoKind,
): Promise<void> {
	const database = await getCurrentAdapter(adapter);
	const hash = hashOf(bytes);
	await database.deleteMany({ model: MODEL, where: [{ field: "hash", value: hash }] });
	await database.create<Omit<LogoRow, "id">, LogoRow>({
		model: MODEL,
		data: {
			hash,
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
 * Deletes the images that no logo field of the tenant's branding names. Another field does not keep one:
 * a tenant could store any number of images. They are read first: an image is written together with the
 * metadata, so metadata that is read later names it, or does not name it any more.
 */
export async function deleteUnusedLogos(
	{ adapter }: StoreContext,
	tenantId: string,
): Promise<void> {
	const database = await getCurrentAdapter(adapter);
	const select = ["id", "hash", "kind"];
	const logos = await database.findMany<LogoRow>({ model: MODEL, select });
	if (logos.length === 0) return;
	const tenant = await database.findOne<{ metadata: string | null }>({
		model: "tenant",
		where: [{ field: "id", value: tenantId }],
	});
	const urls = logoUrlsIn(tenant?.metadata ?? null).map(([, url]) => url);
	// Each URL names one image: one with many hashes in it would keep as many.
	const isNamed = ({ hash, kind }: LogoRow) => urls.some((url) => url.endsWith(`/${hash}.${kind}`));
	const unused = logos.filter((logo) => !isNamed(logo));
	if (unused.length === 0) return;
	const ids = unused.map(({ id }) => id);
	await database.deleteMany({
		model: MODEL,
		where: [{ field: "id", operator: "in", value: ids }],
	});
}
