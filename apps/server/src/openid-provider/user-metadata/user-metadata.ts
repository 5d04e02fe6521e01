import { getCurrentAdapter } from "@better-auth/core/context";
import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import type { AuthContext } from "better-auth";
import * as z from "zod";

const MAX_BYTES = 4096;

/**
 * A JSON object as text, because JSON columns differ between databases. No client can write it with the
 * user, and no response about the user has it.
 */
const json = { type: "string", required: false, input: false, returned: false } as const;

/** What a tenant and a user store about the user, for the tokens of applications and for your own code. */
export const userMetadataSchema = {
	user: { fields: { metadata: { ...json }, preferences: { ...json } } },
} satisfies BetterAuthPluginDBSchema;

function bytesOf(value: object): number {
	try {
		return Buffer.byteLength(JSON.stringify(value));
	} catch {
		// Nested too deeply for the engine.
		return Number.POSITIVE_INFINITY;
	}
}

const object = (description: string) =>
	z
		.record(z.string(), z.unknown())
		.refine((value) => bytesOf(value) <= MAX_BYTES, `must have at most ${MAX_BYTES} bytes as JSON`)
		.meta({ description });

/** The part of the metadata with what users said about themselves at their sign-up. */
export const SIGN_UP_ANSWERS = "signUp";

/** Users change their preferences themselves. Only management changes their metadata. */
export const userMetadata = z.object({
	metadata: object(
		"What the tenant knows about the user. Users cannot change it. `signUp` is what they said at sign-up.",
	),
	preferences: object("What users can change themselves"),
});

export type UserMetadata = z.output<typeof userMetadata>;

/** @param user a row of the table, as the adapter returns it */
export function userMetadataOf(user: object): UserMetadata {
	const row: { metadata?: unknown; preferences?: unknown } = user;
	return { metadata: parsed(row.metadata), preferences: parsed(row.preferences) };
}

function parsed(stored: unknown): Record<string, unknown> {
	return typeof stored === "string" ? (JSON.parse(stored) as Record<string, unknown>) : {};
}

/** Replaces each object that is given. It runs in the tenant of the user. */
export async function storeUserMetadata(
	{ adapter }: Pick<AuthContext, "adapter">,
	userId: string,
	changes: Partial<UserMetadata>,
): Promise<UserMetadata> {
	const database = await getCurrentAdapter(adapter);
	const columns = Object.entries(changes).map(([name, value]) => [name, JSON.stringify(value)]);
	const update = { ...Object.fromEntries(columns), updatedAt: new Date() };
	const where = [{ field: "id", value: userId }];
	await database.updateMany({ model: "user", where, update });
	return userMetadataOf((await database.findOne<object>({ model: "user", where })) ?? {});
}
